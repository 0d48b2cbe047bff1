import MarqueeCatalogue
import MarqueeModel
import SeededRandom

/// Random changes over few ids, so that they collide.
enum RandomChanges {
    static let films = 1...12
    private static let topics = 1...3
    private static let days = ["2014-01-01", "2014-01-02", "2014-01-03"]

    /// An initial catalogue.
    static func first() -> [Change] {
        var random = SeededGenerator(seed: 0)
        return [.types(Types.document)] + Collections.clips.dropLast().map { .put("clip", $0, ["id": .text($0)]) }
            + topics.map { .topic($0, name: "Topic \($0)") } + films.map { film($0, &random) }
            + days.map { top($0, &random) } + [.show(list: "top", edition: days[0])]
    }

    /// A programme with the kinds of sections that a plan has; not always with those that follow the catalogue's time.
    static func programme(_ random: inout SeededGenerator, _ plan: Plan) -> [Change] {
        let isTimed = plan.hasTimes && random.chance(70)
        let order: Programmes.Order = random.chance(50) ? .first : .second
        let text = Programmes.text(
            order, hasTimes: isTimed, hasWindows: plan.hasWindows, hasAudiences: plan.hasAudiences)
        return [.programme(text)]
    }

    /// A moment some hours later than another, or the same; the first is the day before the first of `days`.
    static func time(after now: Moment?, _ random: inout SeededGenerator) -> [Change] {
        let first = Moment(milliseconds: (CatalogueState.firstDay * 24 - 12) * 3_600_000)
        return [.time((now ?? first).advanced(by: Int64(random.int(0...10)) * 3_600_000))]
    }

    static func commit(_ random: inout SeededGenerator) -> [Change] {
        (0..<random.int(1...3)).map { _ in change(&random) }
    }

    private static func change(_ random: inout SeededGenerator) -> Change {
        let id = random.int(films)
        switch random.int(0...12) {
        // Often, so that films which were removed come back.
        case 0...4: return film(id, &random)
        case 5: return .remove(RecordID(type: "film", id: "\(id)"))
        // Few values, so that content returns to earlier states.
        case 6, 7: return .chooseRecord(pool: "main", record: RecordID(type: "film", id: "\(random.int(1...2))"))
        case 8: return .show(list: "top", edition: day(&random))
        case 9:
            let topic = random.int(topics)
            if random.chance(20) { return .remove(RecordID(type: "topic", id: "\(topic)")) }
            return .topic(topic, name: text(&random))
        case 10: return edit(id, &random)
        default:
            return .cast(of: id, (1...random.int(1...6)).map { _ in (random.int(1...4), text(&random)) })
        }
    }

    /// Changes or clears one number of a film; a removed one comes back with at most that.
    static func update(_ id: String, _ random: inout SeededGenerator) -> Change {
        var fields: [String: JSONValue] = ["id": .text(id)]
        let isCleared = random.chance(20)
        if !isCleared { fields["rating"] = .number("\(random.int(0...5))") }
        return .merge(
            RecordID(type: "film", id: id), .json(.object(fields)), clear: isCleared ? ["rating"] : [])
    }

    private static func film(_ id: Int, _ random: inout SeededGenerator) -> Change {
        .film(
            id, title: text(&random), rating: Double(random.int(0...5)), released: day(&random),
            topics: topics.filter { _ in random.chance(50) })
    }

    private static func day(_ random: inout SeededGenerator) -> String { random.pick(days) ?? days[0] }

    private static func top(_ day: String, _ random: inout SeededGenerator) -> Change {
        let entries = films.shuffled(using: &random).prefix(5).map { entry($0, "Entry \($0)") }
        return .list(RecordList(ListName("top", edition: day), entries: entries))
    }

    /// Every third one is not about a film.
    private static func entry(_ id: Int, _ note: String) -> ListEntry {
        ListEntry(
            key: "entry/\(id)", record: id % 3 == 0 ? nil : RecordID(type: "film", id: "\(id)"),
            place: .json(.object(["note": .text(note)])))
    }

    private static func edit(_ id: Int, _ random: inout SeededGenerator) -> Change {
        let list = ListName("top", edition: day(&random))
        if random.chance(30) { return .listItem(EntryEdit(list, removing: "entry/\(id)")) }
        return .listItem(
            EntryEdit(list, putting: entry(id, text(&random)), at: random.chance(50) ? random.int(1...6) : nil))
    }

    private static func text(_ random: inout SeededGenerator) -> String {
        let letter = random.pick(["a", "b", "c", "d"]) ?? "a"
        return String(repeating: letter, count: random.chance(25) ? random.int(100...900) : random.int(1...40))
    }
}

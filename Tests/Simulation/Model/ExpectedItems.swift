import MarqueeCatalogue
import MarqueeModel
import MarqueeStore
import MarqueeTypes

/// The items shown on the simulation's screens, computed by code written specifically for them: only ids and order,
/// sharing nothing with the server but the order of texts.
enum ExpectedItems {
    /// A section's defaults.
    static func defaults(of section: String) -> (sort: String, window: UInt32) {
        switch section {
        case "rank": ("rating", 0)
        case "basic": ("", 2)
        case "heard": ("", 3)
        default: ("", 0)
        }
    }

    /// The window step shown for a requested window.
    static func step(_ operation: UInt32?, of section: String) -> UInt32 {
        if section == "heard" { return operation ?? 0 <= 3 ? 3 : 6 }
        guard section == "basic" else { return 0 }
        switch operation ?? 0 {
        case 0...2: return 2
        case 3...4: return 4
        default: return 8
        }
    }

    /// Ids of the items, in order; `nil` for a section not computed here.
    ///
    /// - Parameter place: the place of a window that may be anywhere.
    static func items(
        of section: String, on screen: String, sort: String, window: UInt32, place: WindowPlace? = nil,
        members: [StoredMember], _ state: CatalogueState
    ) -> [String]? {
        let argument = screen.split(separator: "/").dropFirst().first.map(String.init) ?? ""
        // Newest first.
        func subjects(of collection: CollectionName) -> [String] {
            members.filter { $0.collection == collection }.map(\.subject)
        }
        func exists(_ subject: String) -> Bool {
            let parts = subject.split(separator: "/").map(String.init)
            return state[parts[0], parts[1]] != nil
        }
        if screen == ScreenID.collectionSet.name { return subjects(of: CollectionName(section)) }
        let films = state.ids(of: "film").compactMap { id in state["film", id].map { Film(id, $0) } }
        func best(of topic: String) -> [Film] { sorted(films.filter { $0.topics.contains(topic) }, by: \.rating, >) }
        switch section {
        case "main":
            if let chosen = state.choices["main"]?.subject.name, exists(chosen) { return [chosen] }
            return sorted(films, by: \.rating, >).prefix(1).map(\.subject)
        case "rank":
            let shown = Array(sorted(films, by: \.rating, >).prefix(8))
            switch sort {
            case "rating": return shown.map(\.subject)
            case "title": return sorted(shown, by: { $0.title.map { SortKey(.text($0)) } }, <).map(\.subject)
            default: return sorted(shown, by: \.released, >).map(\.subject)
            }
        case "basic": return best(of: "1").prefix(8).prefix(Int(window)).map(\.subject)
        case "top":
            return state.shown(of: "top").prefix(4).filter { $0.record.map { exists($0.subject.name) } ?? true }
                .map(\.key)
        case Windows.films:
            let rows = sorted(films, by: \.rating, >)
            return Windows.rows(of: rows.map(\.subject), at: place ?? Windows.usual) { value in
                rows.firstIndex { film in Double(value).map { film.rating ?? 0 <= $0 } ?? true }
            }
        case Windows.entries:
            let rows = state.shown(of: "top").filter { $0.record.map { exists($0.subject.name) } ?? true }.map(\.key)
            return Windows.rows(of: rows, at: place ?? Windows.usual) { value in
                Int(value).flatMap { rows.indices.contains($0 - 1) ? $0 - 1 : nil }
            }
        case Windows.mine:
            let rows = subjects(of: .favorites).filter(exists)
            return Windows.rows(of: rows, at: place ?? Windows.usual) { _ in nil }
        case Audiences.offer: return sorted(films, by: \.rating, >).prefix(3).map(\.subject)
        case Audiences.upsell, Audiences.arm: return sorted(films, by: \.rating, >).prefix(2).map(\.subject)
        case "topics": return ["3", "2", "1"].filter { state["topic", $0] != nil }.map { "topics/\($0)" }
        case "days":
            let shown = films.filter { film in film.released.map { state.days.contains($0) } ?? false }
            return sorted(shown, by: \.rating, >).prefix(6).map(\.subject)
        case "night":
            let hours = (18 * 3_600_000 as Int64)..<(30 * 3_600_000)
            guard let time = state.timeOfFirstDay, hours.contains(time) else { return [] }
            return sorted(films, by: \.rating, >).prefix(3).map(\.subject)
        case "films": return best(of: argument).prefix(9).map(\.subject)
        case "detail": return exists("film/\(argument)") ? ["film/\(argument)"] : []
        case "parts":
            var times: [String: Int] = [:]
            return list(state["cast", argument]?["parts"]).prefix(4).map { part in
                let person = text(part["person"]) ?? ""
                times[person, default: 0] += 1
                return times[person] == 1 ? "parts/\(person)" : "parts/\(person)/\(times[person] ?? 0)"
            }
        case "favorites": return subjects(of: .favorites).filter(exists)
        case "heard":
            return Array(subjects(of: Collections.progress).filter(exists).prefix(5).prefix(Int(window)))
        default: return nil
        }
    }

    private struct Film {
        var id: String
        var title: String?
        var rating: Double?
        var released: String?
        var topics: [String]

        init(_ id: String, _ fields: [String: JSONValue]) {
            self.id = id
            title = text(fields["title"])
            if case .number(let number)? = fields["rating"] { rating = Double(number) }
            released = text(fields["released"])
            topics = list(fields["topics"]).compactMap { text($0) }
        }

        var subject: String { "film/\(id)" }
    }

    /// Films without a value come last, and those with the same one in the order of their ids.
    private static func sorted<Value: Comparable>(
        _ films: [Film], by value: (Film) -> Value?, _ precedes: (Value, Value) -> Bool
    ) -> [Film] {
        films.sorted { a, b in
            switch (value(a), value(b)) {
            case (let first?, let second?) where first != second: precedes(first, second)
            case (.some, nil): true
            case (nil, .some): false
            default: a.id < b.id
            }
        }
    }

    private static func text(_ value: JSONValue?) -> String? { if case .text(let text)? = value { text } else { nil } }

    private static func list(_ value: JSONValue?) -> [JSONValue] {
        if case .list(let values)? = value { values } else { [] }
    }
}

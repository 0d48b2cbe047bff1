import MarqueeClient
import MarqueeMirror
import MarqueeModel

extension Schedule {
    /// Somebody scrolls in a section whose windows may be anywhere: mostly on from a row that is shown, as people do.
    func scroll(_ device: Device) {
        let sections = Windows.sections.filter { device.isShowing(Windows.view(of: $0)) }
        guard let section = random.pick(sections) else { return }
        let id = Windows.view(of: section)
        let shown = judge.scene.devices[device.number].shown[id]?.sections.first { $0.id == section }
        let cursor = shown.flatMap { $0.head.cursor.isEmpty || random.chance(30) ? nil : $0.head.cursor }
        let before = UInt32(random.int(0...2))
        let after = UInt32(random.int(0...2))
        let place: WindowPlace
        switch random.int(0...9) {
        case 0: place = WindowPlace(isEnd: true, before: before)
        case 1: place = WindowPlace(after: after)
        case 2 where section != Windows.mine:
            place = WindowPlace(value: "\(random.int(1...6))", before: before, after: after)
        case 3:
            let item = "\(section == Windows.entries ? "entry" : "film")/\(random.int(RandomChanges.films))"
            place = WindowPlace(item: item, cursor: cursor, before: before, after: after)
        case 4 where cursor != nil: place = WindowPlace(cursor: cursor, before: before, after: after)
        default:
            guard let row = random.pick(shown?.shown.items.map(\.id) ?? []) else { return }
            place = WindowPlace(item: row, cursor: cursor, before: before, after: after)
        }
        judge.count(.windowMoved)
        device.choose(SectionOptions(section: section, place: place), on: id)
    }
}

/// The sections whose windows may be anywhere.
enum Windows {
    /// All films, the best first.
    static let films = "all"
    /// All entries of a list.
    static let entries = "places"
    /// All favorites of a user.
    static let mine = "mine"
    static let sections = [films, entries, mine]
    /// The most rows of a window.
    static let mostRows: UInt32 = 5

    /// The screen that has the section.
    static func view(of section: String) -> ViewID {
        ViewID(screen: section == mine ? "favorites" : "home", locale: "en")
    }

    /// The window of those who asked for none.
    static let usual = WindowPlace(after: mostRows - 1)

    /// The rows of a window of a list.
    ///
    /// - Parameter value: the index of the first row that has a value or comes after it; `nil` if there is none.
    /// - Returns: `nil` for the place of a row that is gone, which isn't computed here.
    static func rows(of list: [String], at place: WindowPlace, value: (String) -> Int?) -> [String]? {
        if list.isEmpty { return [] }
        let anchor: Int
        if place.isEnd {
            anchor = list.count - 1
        } else if let text = place.value {
            anchor = value(text) ?? list.count - 1
        } else if let item = place.item {
            guard let index = list.firstIndex(of: item) else { return place.cursor == nil ? [] : nil }
            anchor = index
        } else if place.cursor != nil {
            return nil
        } else {
            anchor = 0
        }
        return Array(list[max(0, anchor - Int(place.before))...min(list.count - 1, anchor + Int(place.after))])
    }
}

import MarqueeClient

/// The content that a client shows, as far as two clients of one user have to agree on it.
struct Picture: Hashable, Sendable {
    struct Section: Hashable, Sendable {
        var id: String
        /// Of the confirmed content.
        var sum: UInt64
        var items: [ScreenItem]
    }

    var screens: [ScreenID: [Section]] = [:]
    /// The positions that it belongs to, which may differ where the content doesn't.
    let positions: [ScreenID: Cut]

    init(_ shown: [Screen]) {
        for screen in shown {
            screens[screen.id] = screen.sections.map { Section(id: $0.id, sum: $0.sum, items: $0.items) }
        }
        positions = Dictionary(shown.map { ($0.id, $0.revision) }) { $1 }
    }

    static func == (one: Picture, two: Picture) -> Bool { one.screens == two.screens }

    func hash(into hasher: inout Hasher) { hasher.combine(screens) }

    /// The subjects that the screen of favorites lists.
    var favorites: Set<Subject> {
        Set((screens[.favorites] ?? []).flatMap { $0.items.compactMap(\.subject) })
    }

    /// Where two of them differ, in a few words.
    func difference(from other: Picture) -> String {
        for id in Device.screens {
            let (mine, theirs) = (screens[id] ?? [], other.screens[id] ?? [])
            let place = "\(id) at \(Self.text(positions[id])), and not as at \(Self.text(other.positions[id])),"
            if mine.map(\.id) != theirs.map(\.id) { return "\(place) has the sections \(mine.map(\.id))" }
            for (one, two) in zip(mine, theirs) where one != two {
                if one.items.map(\.id) != two.items.map(\.id) {
                    return "\(place) has in '\(one.id)' the items \(one.items.map(\.id)), not \(two.items.map(\.id))"
                }
                let other = zip(one.items, two.items).filter { $0 != $1 }.map { $0.0.id }
                return "\(place) has in '\(one.id)' another content of \(other), with sum \(one.sum), not \(two.sum)"
            }
        }
        return "nothing differs"
    }

    private static func text(_ cut: Cut?) -> String {
        cut.map { "\($0.catalogueRevision)/\($0.userRevision)" } ?? "nothing"
    }
}

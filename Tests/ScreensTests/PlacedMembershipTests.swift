import MarqueeCatalogue
import MarqueeModel
import MarqueeStore
import MarqueeWire
import SeededRandom
import Testing

@testable import MarqueeScreens

/// Windows anywhere in lists that depend on the user's collections, or leave out a record.
@Suite struct PlacedMembershipTests {
    @Test(arguments: ["{in: favorites}", "{not-in: favorites}", "{not: e3}"])
    func `A window shows and counts the rows that a naive list has`(condition: String) throws {
        var walk = try MembershipWalk(condition: condition, seed: 11)
        let steps = Extent.of(400, full: 6_000)
        for _ in 0..<steps { try walk.step() }
        // Guards against a walk in which hardly anything happens.
        #expect(walk.changed * 10 > steps && walk.gone * 4 < steps * 3, "\(walk.changed), \(walk.gone)")
    }

    @Test func `Hidden rows in their thousands cost a few comparisons`() throws {
        var walk = try MembershipWalk(condition: "{not-in: favorites}", seed: 3, rows: 4_000, hidden: 2_000)
        let scanned = walk.screens.catalogue.records.scanned
        let before = walk.screens.counters
        for id in 0..<10 {
            try walk.play(id, times: 2_000 + id)
            try walk.favor(id)
        }
        let work = walk.screens.counters.since(before)
        try walk.check()
        #expect(walk.screens.catalogue.records.scanned == scanned)
        // In each of 20 changes the ends of the window are found among the hidden rows, in 11 times 12 comparisons.
        #expect(work.comparisons < 20 * 4 * 11 * 12, "\(work)")
        #expect(work.members <= 20 * 5)
    }
}

private struct MembershipWalk {
    private let types: RecordTypes
    private(set) var screens: Screens
    private let condition: String
    private var generator: SeededGenerator
    private var plays: [Int: Int] = [:]
    private var members: Set<Int> = []
    private var place = WindowPlace(after: 4)
    /// The records are numbered from 0 to this.
    private var rows: Int
    private(set) var (changed, gone) = (0, 0)

    init(condition: String, seed: UInt64, rows: Int = 60, hidden: Int = 10) throws {
        types = try Podcasts.types()
        self.condition = condition
        self.rows = rows
        generator = SeededGenerator(seed: seed)
        let programme = """
            screens:
              home:
                title: Home
                sections:
                  - id: list
                    kind: list
                    windows: {anywhere: 20}
                    source: {records: {type: episode, where: {id: \(condition)}, sort: -plays}}
                    body: {card: {title: $guid, subtitle: $plays}}
            """
        for id in 0..<rows { plays[id] = Int.random(in: 1...rows, using: &generator) }
        while members.count < hidden { members.insert(Int.random(in: 0..<rows, using: &generator)) }
        let types = types
        screens = try Screens(
            try plays.sorted { $0.key < $1.key }.map { try Self.episode($0.key, $0.value, types) }, types: types,
            programme: programme)
        try watch()
    }

    private static func episode(_ id: Int, _ plays: Int, _ types: RecordTypes) throws -> Change {
        try types.put("episode", "e\(id)", #"{"guid": "e\#(id)", "show": "s", "plays": \#(plays)}"#)
    }

    private var isPrivate: Bool { condition.contains("favorites") }

    private var stored: [StoredMember] { members.map { StoredMember(subject: "episode/e\($0)", revision: 1) } }

    private func key() throws -> VariantKey {
        let plan = try screens.plan(
            screen: "home", locale: nil, parameters: [SectionParameters(section: "list", place: place)],
            user: isPrivate ? "ann" : nil)
        return try #require(plan.sections.first).variant
    }

    private mutating func watch() throws {
        screens.unwatch(1)
        _ = try screens.watch(.section(try key()), as: 1, members: isPrivate ? stored : [])
    }

    /// All rows in order, found naively.
    private var expected: [Int] {
        plays.filter { id, _ in
            switch condition {
            case "{in: favorites}": members.contains(id)
            case "{not-in: favorites}": !members.contains(id)
            default: id != 3
            }
        }.sorted { a, b in a.value != b.value ? a.value > b.value : "e\(a.key)" < "e\(b.key)" }.map(\.key)
    }

    mutating func step() throws {
        let id = Int.random(in: 0..<rows, using: &generator)
        switch Int.random(in: 0..<8, using: &generator) {
        case 0: plays[id] = nil
        case 1, 2, 3: plays[id] = Int.random(in: 1...rows, using: &generator)
        case 4, 5:
            if members.remove(id) == nil { members.insert(id) }
            let move = MemberMove(.favorite("episode/e\(id)", members.contains(id)), revision: 100)
            if isPrivate { screens.moveMembers([move], of: [1]) }
        default:
            let (before, after) = (
                UInt32.random(in: 0...5, using: &generator), UInt32.random(in: 0...5, using: &generator)
            )
            place =
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: WindowPlace(item: "episode/e\(id)", before: before, after: after)
                case 1:
                    WindowPlace(value: "\(Int.random(in: 1...rows, using: &generator))", before: before, after: after)
                case 2: WindowPlace(isEnd: true, before: before)
                default: WindowPlace(after: after)
                }
            try watch()
        }
        let change = try plays[id].map { try Self.episode(id, $0, types) } ?? .remove("episode", "e\(id)")
        try screens.commit([change])
        if screens.renew()[1] != nil { changed += 1 }
        try check()
    }

    mutating func play(_ id: Int, times: Int) throws {
        plays[id] = times
        try screens.commit([Self.episode(id, times, types)])
        _ = screens.renew()
    }

    mutating func favor(_ id: Int) throws {
        if members.remove(id) == nil { members.insert(id) }
        let move = MemberMove(.favorite("episode/e\(id)", members.contains(id)), revision: 100)
        screens.moveMembers([move], of: [1])
        _ = screens.renew()
    }

    mutating func check() throws {
        let shown = try #require(screens.sections[1]).version
        let head = try #require(BodyCodec.decodeSectionHead(shown.head))
        let (all, rank) = (expected, anchorRank)
        #expect(head.total == all.count)
        guard let rank else {
            gone += 1
            #expect(shown.items.isEmpty)
            return
        }
        let range = max(0, rank - Int(place.before))..<min(all.count, rank + Int(place.after) + 1)
        #expect(shown.items.map(\.id) == all[range].map { "episode/e\($0)" })
        #expect(head.first == range.lowerBound)
        #expect(Array(shown.items) == (try screens.shown(try key(), favorites: isPrivate ? stored : [])).items)
    }

    /// The rank of the row that the anchor stands for; `nil` if it isn't shown.
    private var anchorRank: Int? {
        let all = expected
        if all.isEmpty { return nil }
        if place.isEnd { return all.count - 1 }
        if let item = place.item { return all.firstIndex { "episode/e\($0)" == item } }
        if let value = place.value.flatMap({ Int($0) }) {
            return all.firstIndex { plays[$0] ?? 0 <= value } ?? all.count - 1
        }
        return 0
    }
}

import MarqueeCatalogue
import MarqueeDiff
import MarqueeModel
import MarqueeStore
import MarqueeWire
import SeededRandom
import Testing

@testable import MarqueeScreens

/// A window walks through a long list while its rows move. A client's copy follows by patches alone.
@Suite struct WindowWalkTests {
    @Test func `While a window walks and rows move, each patch brings only rows that weren't there`() throws {
        let count = Extent.of(100_000, full: 1_000_000)
        var walk = try WindowWalk(rows: count, seed: 7)
        for step in 0..<Extent.of(60, full: 600) { try walk.step(isLarge: step % 20 == 19) }
        // Guards against a walk in which hardly anything happens.
        #expect(walk.moved > 20 && walk.renewed > 10 && walk.kept > 200)
    }
}

private struct WindowWalk {
    private struct Row: Comparable {
        var plays: UInt64
        var id: String
        static func < (a: Row, b: Row) -> Bool { a.plays != b.plays ? a.plays > b.plays : a.id < b.id }
    }

    private static let programme = """
        locales: [en]
        screens:
          home:
            title: Home
            sections:
              - {id: list, kind: list, windows: anywhere, source: {records: {type: episode, sort: -plays}},
                 body: {card: {title: $title}}}
        """
    private var generator: SeededGenerator
    private var screens: Screens
    /// All rows in order, found naively.
    private var rows: [Row]
    private var titles: [String: Int] = [:]
    private var plays: [String: UInt64] = [:]
    private var nextID: Int
    private var key: VariantKey
    /// A client's copy.
    private var held: Version
    private var handle: UInt64 = 1
    /// How many windows were moved, how many were renewed by commits, and how many rows stayed in a moved window.
    private(set) var (moved, renewed, kept) = (0, 0, 0)

    init(rows count: Int, seed: UInt64) throws {
        let types = try Podcasts.types()
        var generator = SeededGenerator(seed: seed)
        var rows: [Row] = []
        for id in 0..<count {
            rows.append(Row(plays: UInt64.random(in: 0..<UInt64(count) * 2, using: &generator), id: "e\(id)"))
        }
        screens = try Screens(
            rows.map { Self.episode($0.id, plays: $0.plays, title: 0) }, types: types, programme: Self.programme)
        for row in rows { plays[row.id] = row.plays }
        self.rows = rows.sorted()
        self.generator = generator
        nextID = count
        key = try Self.key(WindowPlace(after: 9), in: screens)
        held = try screens.watch(.section(key), as: handle, members: [])
    }

    private static func key(_ place: WindowPlace, in screens: Screens) throws -> VariantKey {
        let plan = try screens.plan(
            screen: "home", locale: nil, parameters: [SectionParameters(section: "list", place: place)], user: nil)
        return try #require(plan.sections.first).variant
    }

    /// The record's canonical bytes: its guid, a title and its plays.
    private static func episode(_ id: String, plays: UInt64, title: Int) -> Change {
        func text(_ tag: UInt8, _ text: [UInt8]) -> [UInt8] { [tag, UInt8(text.count)] + text }
        let title = text(0x0a, Array("en".utf8)) + text(0x12, Array("Title \(title)".utf8))
        var bytes = text(0x0a, Array(id.utf8)) + text(0x1a, title)
        if plays > 0 {
            bytes.append(0x28)
            var rest = plays
            while rest > 0x7f {
                bytes.append(UInt8(rest & 0x7f) | 0x80)
                rest >>= 7
            }
            bytes.append(UInt8(rest))
        }
        return .put(RecordID(type: "episode", id: id), .bytes(bytes))
    }

    mutating func step(isLarge: Bool) throws {
        let commits = Int.random(in: 1...2, using: &generator)
        for _ in 0..<commits {
            // More moves than are reported one by one, or fewer.
            let count = isLarge ? 5_000 : Int.random(in: 1...12, using: &generator)
            try screens.commit((0..<count).map { _ in change() })
        }
        if let version = screens.renew()[handle] {
            renewed += 1
            try follow(to: version)
        }
        try compare()
        try move()
        try compare()
    }

    private mutating func change() -> Change {
        // Half of them at the window.
        let first = Int(head.first)
        let start = min(max(0, first - 5), rows.count)
        let near = start..<max(start, min(rows.count, first + held.items.count + 5))
        let isNear = !near.isEmpty && Bool.random(using: &generator)
        let rank = Int.random(in: isNear ? near : 0..<rows.count, using: &generator)
        let row = rows[rank]
        switch Int.random(in: 0..<6, using: &generator) {
        case 0:
            rows.remove(at: rank)
            plays[row.id] = nil
            return .remove(RecordID(type: "episode", id: row.id))
        case 1:
            nextID += 1
            return put("e\(nextID)", plays: row.plays + (Bool.random(using: &generator) ? 1 : 0))
        case 2:
            titles[row.id, default: 0] += 1
            return Self.episode(row.id, plays: row.plays, title: titles[row.id] ?? 0)
        default:
            rows.remove(at: rank)
            let target = Int.random(in: 0..<(isNear ? min(near.upperBound, rows.count) : rows.count), using: &generator)
            return put(row.id, plays: rows[target].plays)
        }
    }

    private mutating func put(_ id: String, plays: UInt64) -> Change {
        let row = Row(plays: plays, id: id)
        rows.insert(row, at: rows.partitioningIndex { !($0 < row) })
        self.plays[id] = plays
        return Self.episode(id, plays: plays, title: titles[id] ?? 0)
    }

    private var head: SectionHead { BodyCodec.decodeSectionHead(held.head) ?? SectionHead(kind: .main) }

    /// Another window: a page further, around a row that is shown or anywhere.
    private mutating func move() throws {
        let before = UInt32.random(in: 0...20, using: &generator)
        let after = UInt32.random(in: 0...20, using: &generator)
        let place: WindowPlace
        let anywhere = rows[Int.random(in: rows.indices, using: &generator)]
        switch Int.random(in: 0..<8, using: &generator) {
        case 0: place = WindowPlace(item: "episode/\(anywhere.id)", before: before, after: after)
        case 1: place = WindowPlace(value: "\(anywhere.plays)", before: before, after: after)
        case 2: place = WindowPlace(isEnd: true, before: before)
        case 3:
            if head.cursor.isEmpty { return }
            place = WindowPlace(cursor: head.cursor, before: before, after: after)
        default:
            guard let shown = held.items.randomElement(using: &generator) else { return }
            place = WindowPlace(item: shown.id, cursor: head.cursor, before: before, after: after)
        }
        screens.unwatch(handle)
        handle += 1
        key = try Self.key(place, in: screens)
        let version = try screens.watch(.section(key), as: handle, members: [])
        moved += 1
        kept += Set(held.items.map(\.id)).intersection(version.items.map(\.id)).count
        try follow(to: version)
    }

    /// Applies the patch, as a client does.
    private mutating func follow(to version: Version) throws {
        let patch = Differ.patch(from: held, to: version)
        let known = Set(held.items.map(\.id))
        #expect(Set(patch.adds.map(\.id)) == Set(version.items.map(\.id)).subtracting(known))
        held = try held.applying(patch)
        #expect(held.sum == version.sum)
    }

    private mutating func compare() throws {
        let place = try #require(key.place)
        var anchor = 0
        if place.isEnd {
            anchor = rows.count - 1
        } else if let item = place.item, let plays = plays[String(item.dropFirst("episode/".count))] {
            let row = Row(plays: plays, id: String(item.dropFirst("episode/".count)))
            anchor = rows.partitioningIndex { !($0 < row) }
        } else if let value = place.value.flatMap({ UInt64($0) }) {
            anchor = rows.partitioningIndex { $0.plays <= value }
        } else if place.cursor != nil {
            // Another test says which row that is; here, the rows are those of a window there.
            let first = Int(head.first)
            #expect(held.items.map(\.id) == rows[first..<first + held.items.count].map { "episode/\($0.id)" })
            #expect(try screens.evaluate(key, members: []).version.sum == held.sum)
            return
        }
        if place.item != nil, place.cursor == nil, head.errorReason == "ANCHOR_GONE" {
            let id = String(place.item?.dropFirst("episode/".count) ?? "")
            #expect(plays[id] == nil && held.items.isEmpty && head.total == UInt32(rows.count))
            return
        }
        anchor = min(anchor, rows.count - 1)
        let range = max(0, anchor - Int(place.before))..<min(rows.count, anchor + Int(place.after) + 1)
        #expect(head.first == UInt32(range.lowerBound) && head.total == UInt32(rows.count))
        #expect(held.items.map(\.id) == rows[range].map { "episode/\($0.id)" })
        let titles = held.items.compactMap { item -> String? in
            if case .card(let card) = BodyCodec.decode(kind: item.kind, bytes: item.body) { card.title } else { nil }
        }
        #expect(titles == rows[range].map { "Title \(self.titles[$0.id] ?? 0)" })
        #expect(try screens.evaluate(key, members: []).version.sum == held.sum)
    }
}

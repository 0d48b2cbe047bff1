import MarqueeCatalogue
import MarqueeDiff
import MarqueeModel
import MarqueeStore
import MarqueeTypes
import MarqueeWire
import SeededRandom
import Testing

@testable import MarqueeScreens

/// Windows that may be anywhere in a list of the catalogue, or in one of a user's collections.
@Suite struct PlacedListTests {
    private static let declarations = """
        lists:
          chart: {of: [episode, show], place: podcast.v1.Chapter, editions: true}
          picks: {of: [episode], place: podcast.v1.Chapter}
        """

    private static let programme = """
        locales: [en]
        screens:
          home:
            title: Home
            sections:
              - {id: picks, kind: rank, windows: {anywhere: 9}, source: {list: picks},
                 body: {card: {title: $title, caption: $place.title}}}
              - {id: chart, kind: list, windows: anywhere, source: {list: chart},
                 body: {episode: {card: {title: "E $title"}}, show: {card: {title: "S $title"}}, place: card}}
              - {id: favorites, kind: favorites, windows: {anywhere: 9}, source: favorites,
                 body: {episode: {card: {title: $title}}}}
        """

    private let types: RecordTypes

    init() throws { types = try Podcasts.types(Podcasts.text("types.yaml") + Self.declarations) }

    private func episode(_ id: Int, title: String? = nil) throws -> Change {
        let title = title ?? "T\(id)"
        return try types.put("episode", "e\(id)", #"{"guid": "e\#(id)", "title": {"en": "\#(title)"}}"#)
    }

    private static func picks(_ ids: some Sequence<Int>) -> Change {
        .list(
            RecordList(ListName("picks"), entries: ids.map { ListEntry(RecordID(type: "episode", id: "e\($0)")) }))
    }

    /// Episodes 0 to `count` and a list of them in that order.
    private func screens(_ count: Int) throws -> Screens {
        let episodes = try (0..<count).map { try episode($0) }
        return try Screens(episodes + [Self.picks(0..<count)], types: types, programme: Self.programme)
    }

    private func key(
        _ place: WindowPlace?, _ section: String = "picks", user: String? = nil, in screens: Screens
    ) throws -> VariantKey {
        let plan = try screens.plan(
            screen: "home", locale: nil, parameters: [SectionParameters(section: section, place: place)], user: user)
        return try #require(plan.sections.first { $0.id == section }).variant
    }

    private func window(_ place: WindowPlace?, in screens: inout Screens) throws -> ShownSection {
        try screens.shown(try key(place, in: screens))
    }

    private func ids(_ numbers: some Sequence<Int>) -> [String] { numbers.map { "episode/e\($0)" } }

    // MARK: - Places

    @Test func `A list is shown around an entry, at a place or at its end, beyond any limit`() throws {
        var screens = try screens(2_000)
        let middle = try window(WindowPlace(item: "episode/e1500", before: 2, after: 2), in: &screens)
        #expect(middle.ids == ids(1_498...1_502))
        #expect(middle.head.first == 1_498 && middle.head.total == 2_000 && !middle.head.isTotalCapped)
        #expect(try window(WindowPlace(value: "1201", after: 1), in: &screens).ids == ids(1_200...1_201))
        #expect(try window(WindowPlace(isEnd: true, before: 1), in: &screens).ids == ids(1_998...1_999))
        #expect(try window(nil, in: &screens).ids == ids(0..<9))
        let gone = try window(WindowPlace(item: "episode/e9999"), in: &screens)
        #expect(gone.items.isEmpty && gone.head.errorReason == "ANCHOR_GONE" && gone.head.total == 2_000)
        for wrong in [WindowPlace(value: "0"), WindowPlace(value: "M"), WindowPlace(cursor: [1, 2, 3])] {
            let status = #expect(throws: Status.self) { try window(wrong, in: &screens) }
            #expect(status?.reason == "UNKNOWN_ANCHOR")
        }
    }

    @Test func `Entries whose records are missing aren't counted until the records are there`() throws {
        var screens = try screens(100)
        try screens.commit([.remove("episode", "e10"), .remove("episode", "e60")])
        let place = WindowPlace(item: "episode/e50", before: 1, after: 1)
        _ = try screens.watch(.section(key(place, in: screens)), as: 1, members: [])
        #expect(try window(place, in: &screens).head.first == 48)
        #expect(try window(place, in: &screens).head.total == 98)
        try screens.commit([try episode(10)])
        let head = try #require(screens.renew()[1].flatMap { BodyCodec.decodeSectionHead($0.head) })
        #expect(head.first == 49 && head.total == 99)
        try screens.commit([.remove("episode", "e51")])
        #expect(screens.renew()[1]?.items.map(\.id) == ids([49, 50, 52]))
    }

    @Test func `A window goes along with its entry, and stays at the entry's place once that is gone`() throws {
        var screens = try screens(100)
        let cursor = try window(WindowPlace(item: "episode/e50"), in: &screens).head.cursor
        let place = WindowPlace(item: "episode/e50", cursor: cursor, before: 1, after: 1)
        _ = try screens.watch(.section(key(place, in: screens)), as: 1, members: [])
        func edit(_ edit: EntryEdit) throws -> [String]? {
            try screens.commit([.listItem(edit)])
            return screens.renew()[1]?.items.map(\.id)
        }
        let entry = ListEntry(RecordID(type: "episode", id: "e50"))
        #expect(try edit(EntryEdit(ListName("picks"), putting: entry, at: 81)) == ids([80, 50, 81]))
        #expect(try edit(EntryEdit(ListName("picks"), removing: entry.key)) == ids([49, 51, 52]), "rank 50")
        #expect(try edit(EntryEdit(ListName("picks"), removing: "episode/e0")) == ids([51, 52, 53]), "still rank 50")
        #expect(try edit(EntryEdit(ListName("picks"), putting: entry, at: 1)) == ids([50, 1]), "it is back")
    }

    @Test func `A window shows the edition in force, and another list as a whole`() throws {
        var screens = try screens(3)
        func chart(_ edition: String, _ keys: [String]) -> Change {
            .list(
                RecordList(
                    ListName("chart", edition: edition), entries: keys.map { ListEntry(key: $0, place: .bytes([])) }))
        }
        let key = try key(WindowPlace(item: "b", after: 1), "chart", in: screens)
        #expect(try screens.watch(.section(key), as: 1, members: []).items.isEmpty)
        try screens.commit([chart("mon", ["a", "b", "c"]), chart("tue", ["c", "b", "a"])])
        #expect(screens.renew().isEmpty)
        try screens.commit([.show(list: "chart", edition: "mon")])
        #expect(screens.renew()[1]?.items.map(\.id) == ["b", "c"])
        try screens.commit([.show(list: "chart", edition: "tue")])
        #expect(screens.renew()[1]?.items.map(\.id) == ["b", "a"])
        try screens.commit([chart("tue", ["x", "b"])])
        #expect(screens.renew()[1]?.items.map(\.id) == ["b"])
        try screens.commit([.removeList(ListName("chart"))])
        let gone = try #require(screens.renew()[1])
        #expect(BodyCodec.decodeSectionHead(gone.head)?.errorReason == "LIST_MISSING")
    }

    @Test func `A limit beside windows anywhere is refused`() throws {
        for source in ["list: {name: picks, limit: 3}", "collection: {name: favorites, limit: 3}"] {
            let text =
                "screens: {home: {title: H, sections: [{id: l, kind: list, windows: anywhere, source: {\(source)}}]}}"
            let mistakes = #expect(throws: FileMistakes.self) {
                try Programme.parse(text: text, file: "p.yaml", types: types.set)
            }
            #expect(mistakes?.mistakes.contains { $0.reason.contains("leave out 'limit'") } == true)
        }
    }

    @Test func `A page's sections may have windows anywhere in their lists`() throws {
        func programme(_ style: String) -> String {
            "screens: {home: {title: H, sections: [{page: p, types: {row: {kind: list, windows: {anywhere: 3}\(style)}}}]}}"
        }
        let section = Page.Section(id: "picks", type: "row", title: "Picks", list: "picks")
        let changes = try (0..<20).map { try episode($0) } + [Self.picks(0..<20)]
        var screens = try Screens(
            changes + [.page(Page(id: "p", sections: [section]))], types: types, programme: programme(""))
        let shown = try window(WindowPlace(item: "episode/e9", before: 1, after: 1), in: &screens)
        #expect(shown.ids == ids(8...10) && shown.head.total == 20)
        #expect(throws: FileMistakes.self) {
            try Programme.parse(text: programme(", pool: main"), file: "p.yaml", types: types.set)
        }
    }

    // MARK: - Walks

    @Test(arguments: 1...Extent.of(4, full: 60) as ClosedRange<UInt64>)
    func `While entries and their records come and go, windows show what a naive reader finds`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var screens = try screens(40)
        var (list, titles) = (Array(0..<40), Dictionary(uniqueKeysWithValues: (0..<40).map { ($0, "T\($0)") }))
        var places: [UInt64: WindowPlace] = [:]
        func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }
        for step in 0..<Extent.of(120, full: 400) {
            let handle = UInt64(1 + step % 6)
            if places[handle] != nil { screens.unwatch(handle) }
            let (before, after) = (UInt32(number(0..<4)), UInt32(number(0..<5)))
            let item = "episode/e\(number(0..<60))"
            let place =
                switch number(0..<4) {
                case 0: WindowPlace(isEnd: true, before: before)
                case 1: WindowPlace(value: "\(number(1..<50))", before: before, after: after)
                default:
                    WindowPlace(
                        item: item, cursor: EntryPlace(key: item, rank: number(0..<50)).cursor, before: before,
                        after: after)
                }
            places[handle] = place
            _ = try screens.watch(.section(key(place, in: screens)), as: handle, members: [])
            for _ in 0..<number(1..<4) {
                var changes: [Change] = []
                for _ in 0..<number(1..<4) {
                    let id = number(0..<60)
                    let entry = ListEntry(RecordID(type: "episode", id: "e\(id)"))
                    switch number(0..<12) {
                    case 0:
                        list = Array(0..<60).filter { _ in number(0..<3) > 0 }.shuffled(using: &random)
                        changes.append(Self.picks(list))
                    case 1, 2:
                        list.removeAll { $0 == id }
                        changes.append(.listItem(EntryEdit(ListName("picks"), removing: entry.key)))
                    case 3, 4:
                        titles[id] = nil
                        changes.append(.remove("episode", "e\(id)"))
                    case 5, 6, 7:
                        titles[id] = "T\(step)"
                        changes.append(try episode(id, title: "T\(step)"))
                    default:
                        list.removeAll { $0 == id }
                        let rank = number(0..<list.count + 1)
                        list.insert(id, at: rank)
                        changes.append(.listItem(EntryEdit(ListName("picks"), putting: entry, at: rank + 1)))
                    }
                }
                try screens.commit(changes)
            }
            _ = screens.renew()
            let rows = list.filter { titles[$0] != nil }
            for (handle, place) in places {
                let shown = try #require(screens.sections[handle]).version
                #expect(try screens.evaluate(key(place, in: screens), members: []).version.sum == shown.sum)
                let anchor: Int? =
                    if place.isEnd {
                        rows.indices.last
                    } else if let value = place.value.flatMap({ Int($0) }) {
                        rows.isEmpty ? nil : min(value, rows.count) - 1
                    } else {
                        rows.firstIndex { "episode/e\($0)" == place.item }
                            ?? place.cursor.flatMap { EntryPlace(cursor: $0) }.flatMap {
                                rows.isEmpty ? nil : min($0.rank, rows.count - 1)
                            }
                    }
                let range = anchor.map {
                    max(0, $0 - Int(place.before))..<min(rows.count, $0 + Int(place.after) + 1)
                }
                #expect(shown.items.map(\.id) == ids(rows[range ?? 0..<0]))
                let head = try #require(BodyCodec.decodeSectionHead(shown.head))
                #expect(head.total == UInt32(rows.count) && head.first == UInt32(range?.lowerBound ?? 0))
                let shownTitles = shown.items.compactMap { item -> String? in
                    guard case .card(let card) = BodyCodec.decode(kind: item.kind, bytes: item.body) else { return nil }
                    return card.title
                }
                #expect(shownTitles == (range.map { rows[$0].compactMap { titles[$0] } } ?? []))
            }
        }
    }

    @Test(arguments: 1...Extent.of(4, full: 60) as ClosedRange<UInt64>)
    func `While a user's members come and go, windows show what a naive reader finds`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var screens = try screens(40)
        var there = Set(0..<40)
        var members: [Int: StoredMember] = [:]
        var revision: UInt64 = 0
        func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }
        func set(_ id: Int) -> MemberMove {
            revision += 1
            let isMember = members[id] == nil || number(0..<2) == 0
            let move = MemberMove(.favorite("episode/e\(id)", isMember), revision: revision)
            members[id] = move.member
            return move
        }
        for id in 0..<30 { _ = set(id) }
        var places: [UInt64: WindowPlace] = [:]
        for step in 0..<Extent.of(120, full: 400) {
            let handle = UInt64(1 + step % 6)
            if places[handle] != nil { screens.unwatch(handle) }
            let (before, after) = (UInt32(number(0..<4)), UInt32(number(0..<5)))
            let item = "episode/e\(number(0..<40))"
            let cursor = MemberKey(revision: UInt64(number(0..<50)), subject: item).cursor
            let place =
                number(0..<4) == 0
                ? WindowPlace(isEnd: true, before: before)
                : WindowPlace(item: item, cursor: cursor, before: before, after: after)
            places[handle] = place
            _ = try screens.watch(
                .section(key(place, "favorites", user: "u", in: screens)), as: handle, members: Array(members.values))
            for _ in 0..<number(1..<4) {
                let id = number(0..<40)
                switch number(0..<4) {
                case 0:
                    let wasThere = there.remove(id) != nil
                    if !wasThere { there.insert(id) }
                    try screens.commit([wasThere ? .remove("episode", "e\(id)") : try episode(id)])
                case 1 where there.contains(id): try screens.commit([try episode(id, title: "T\(step)")])
                default: screens.moveMembers([set(id)], of: places.keys)
                }
            }
            _ = screens.renew()
            let rows = members.filter { there.contains($0.key) }
                .sorted { $0.value.revision > $1.value.revision }.map(\.key)
            for (handle, place) in places {
                let shown = try #require(screens.sections[handle]).version
                let fresh = try screens.evaluate(
                    key(place, "favorites", user: "u", in: screens), members: Array(members.values))
                #expect(fresh.version.sum == shown.sum)
                let sought = place.cursor.flatMap { MemberKey(cursor: $0) }
                func follows(_ id: Int) -> Bool {
                    guard let sought, let revision = members[id]?.revision else { return true }
                    if revision != sought.revision { return revision < sought.revision }
                    return "episode/e\(id)" >= sought.subject
                }
                let anchor =
                    place.isEnd
                    ? rows.count - 1
                    : rows.firstIndex { "episode/e\($0)" == place.item }
                        ?? min(rows.firstIndex(where: follows) ?? rows.count, rows.count - 1)
                let range =
                    rows.isEmpty
                    ? 0..<0 : max(0, anchor - Int(place.before))..<min(rows.count, anchor + Int(place.after) + 1)
                #expect(shown.items.map(\.id) == ids(rows[range]))
                let head = try #require(BodyCodec.decodeSectionHead(shown.head))
                #expect(head.total == UInt32(rows.count) && head.first == UInt32(range.lowerBound))
            }
        }
    }

    @Test func `A row that changes while others push it out of a window is made again when it is back`() throws {
        var screens = try screens(5)
        let members = (0..<5).map { StoredMember(subject: "episode/e\($0)", revision: UInt64(1 + $0)) }
        try screens.commit([.remove("episode", "e0")])
        let end = try key(WindowPlace(isEnd: true, before: 1), "favorites", user: "u", in: screens)
        _ = try screens.watch(.section(end), as: 1, members: members)
        #expect(screens.sections[1]?.version.items.map(\.id) == ids([2, 1]))
        for change in [try episode(0), try episode(2, title: "New"), .remove("episode", "e0")] {
            try screens.commit([change])
        }
        _ = screens.renew()
        let fresh = try screens.evaluate(end, members: members)
        #expect(screens.sections[1]?.version.sum == fresh.version.sum)
    }

    // MARK: - Work

    @Test func `A commit elsewhere in a list costs a window few comparisons, and one that moves nothing none`() throws {
        var screens = try screens(4_000)
        let place = WindowPlace(item: "episode/e2000", before: 3, after: 3)
        _ = try screens.watch(.section(key(place, in: screens)), as: 1, members: [])
        var before = screens.counters
        try screens.commit([.listItem(EntryEdit(ListName("picks"), removing: "episode/e9"))])
        let head = try #require(screens.renew()[1].flatMap { BodyCodec.decodeSectionHead($0.head) })
        #expect(head.first == 1_996 && head.total == 3_999)
        let work = screens.counters.since(before)
        #expect(work.members == 0 && work.items == 0 && work.heads == 1 && work.comparisons <= 60)
        before = screens.counters
        try screens.commit([try episode(3_000, title: "Renamed")])
        #expect(screens.renew().isEmpty && screens.counters.since(before).renewals == 0)
    }
}

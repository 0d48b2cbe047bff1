import MarqueeCatalogue
import MarqueeDiff
import MarqueeModel
import MarqueeTypes
import MarqueeWire
import Testing

@testable import MarqueeScreens

/// Windows that may be anywhere in a list.
@Suite struct PlacedWindowTests {
    private let types: RecordTypes

    init() throws { types = try Podcasts.types() }

    /// - Parameter order: the order of the list, by its query or by its sorts.
    private static func programme(order: String = "source: {records: {type: episode, sort: -plays}}") -> String {
        """
        locales: [en, ko]
        screens:
          home:
            title: Home
            sections:
              - {id: list, kind: list, windows: {anywhere: 7}, \(order), body: {card: {title: $title}}}
              - {id: top, kind: list, windows: [5], source: {records: {type: episode, sort: -plays}}}
          show/$id:
            title: Show
            sections:
              - {id: list, kind: list, windows: anywhere,
                 source: {records: {type: episode, where: {show: $id}, sort: title}}}
        """
    }

    private static let sorted = programme(
        order: "source: {records: {type: episode}}, sorts: [-plays, title, published, minutes]")

    private func episode(_ id: Int, plays: Int, title: String? = nil) throws -> Change {
        let title = title ?? "Episode \(id)"
        return try types.put(
            "episode", "e\(id)",
            #"{"guid": "e\#(id)", "show": "s\#(id % 2)", "title": {"en": "\#(title)"}, "plays": \#(plays)}"#)
    }

    /// Episodes 0 to `count`, the most played first.
    private func screens(_ count: Int, programme: String = Self.programme()) throws -> Screens {
        let show = try types.put("show", "s1", #"{"slug": "s1", "title": {"en": "Show"}}"#)
        let episodes = try (0..<count).map { try episode($0, plays: 10 * (count - $0)) }
        return try Screens([show] + episodes, types: types, programme: programme)
    }

    private func key(
        _ place: WindowPlace?, sort: String? = nil, screen: String = "home", in screens: Screens
    ) throws -> VariantKey {
        let plan = try screens.plan(
            screen: screen, locale: nil,
            parameters: [SectionParameters(section: "list", sort: sort, place: place)], user: nil)
        return try #require(plan.sections.first).variant
    }

    private func window(
        _ place: WindowPlace?, sort: String? = nil, screen: String = "home", in screens: inout Screens
    ) throws -> ShownSection {
        try screens.shown(try key(place, sort: sort, screen: screen, in: screens))
    }

    private func ids(_ numbers: some Sequence<Int>) -> [String] { numbers.map { "episode/e\($0)" } }

    // MARK: - Places

    @Test func `A window surrounds its anchor, and its head says where the window begins`() throws {
        var screens = try screens(100)
        let middle = try window(WindowPlace(item: "episode/e50", before: 2, after: 3), in: &screens)
        #expect(middle.ids == ids(48...53))
        #expect(middle.head.first == 48 && middle.head.total == 100 && middle.head.anywhere == 7)
        #expect(middle.head.hasMore && !middle.head.cursor.isEmpty && middle.head.window == 0)
        let first = try window(WindowPlace(item: "episode/e1", before: 2, after: 3), in: &screens)
        #expect(first.ids == ids(0...4) && first.head.first == 0)
        let end = try window(WindowPlace(isEnd: true, before: 2), in: &screens)
        #expect(end.ids == ids(97...99) && end.head.first == 97 && !end.head.hasMore)
        let start = try window(WindowPlace(after: 6), in: &screens)
        #expect(start.ids == ids(0...6))
        // Without parameters, and for clients that know no places.
        #expect(try window(nil, in: &screens).ids == ids(0...6))
        #expect(try screens.section("list", window: 3).ids == ids(0...2))
        #expect(try screens.section("list", window: 900).ids == ids(0...6))
        let show = try window(WindowPlace(isEnd: true, before: 1), screen: "show/s1", in: &screens)
        #expect(show.ids == ids([97, 99]) && show.head.anywhere == 200)
        #expect(show.head.total == 50 && show.head.first == 48)
    }

    @Test func `A value is the first row with it or after it, in either direction`() throws {
        var screens = try screens(100, programme: Self.sorted)
        func first(_ value: String, _ sort: String) throws -> String? {
            try window(WindowPlace(value: value), sort: sort, in: &screens).ids.first
        }
        // The plays are 1,000, 990 … 10.
        #expect(try first("905", "-plays") == "episode/e10")
        #expect(try first("900", "-plays") == "episode/e10")
        #expect(try first("5000", "-plays") == "episode/e0")
        #expect(try first("3", "-plays") == "episode/e99", "the last one")
        #expect(try first("EPISODE 7", "title") == "episode/e7")
        #expect(try first("episode 70a", "title") == "episode/e71")
        // Records without a value of their own come after every value.
        #expect(try first("2026-01-01", "published") == "episode/e0")
        let mistake = #expect(throws: Status.self) { try first("many", "minutes") }
        #expect(mistake?.reason == "UNKNOWN_ANCHOR")
        #expect(mistake?.message.contains("'many' is not a value of 'minutes'") == true)
    }

    @Test func `A window moves with its anchor, and stays in place once the anchor is removed`() throws {
        var screens = try screens(100)
        let cursor = try window(WindowPlace(item: "episode/e50"), in: &screens).head.cursor
        let place = WindowPlace(item: "episode/e50", cursor: cursor, before: 1, after: 1)
        _ = try screens.watch(.section(key(place, in: screens)), as: 1, members: [])
        func shown() throws -> [String]? {
            let renewed = screens.renew()[1]
            let evaluated = try window(place, in: &screens)
            if let renewed { #expect(Array(renewed.items) == evaluated.items) }
            return renewed.map { $0.items.map(\.id) }
        }
        try screens.commit([try episode(50, plays: 205)])
        #expect(try shown() == ids([79, 50, 80]))
        try screens.commit([.remove("episode", "e50")])
        #expect(try shown() == ids([49, 51, 52]), "the row after the place")
        try screens.commit([try episode(7, plays: 501)])
        #expect(try shown() == ids([7, 51, 52]))
        try screens.commit((51...99).map { .remove("episode", "e\($0)") })
        #expect(try shown() == ids([49, 7]), "the last row")
        try screens.commit([try episode(50, plays: 990)])
        #expect(try shown() == ids([1, 50, 2]), "it is back")
    }

    @Test func `A row that reaches a value without changing its rank takes the anchor's place`() throws {
        var screens = try screens(10)
        let place = WindowPlace(value: "75")
        _ = try screens.watch(.section(key(place, in: screens)), as: 1, members: [])
        #expect(try window(place, in: &screens).ids.first == "episode/e3")
        try screens.commit([try episode(2, plays: 75)])
        let renewed = try #require(screens.renew()[1])
        #expect(renewed.items.first?.id == "episode/e2")
        #expect(Array(renewed.items) == (try window(place, in: &screens).items))
    }

    @Test func `A missing anchor has no window unless a cursor says where it was`() throws {
        var screens = try screens(10)
        let place = WindowPlace(item: "episode/none", before: 1, after: 1)
        let missing = try window(place, in: &screens)
        #expect(missing.head.errorReason == "ANCHOR_GONE" && missing.ids.isEmpty && missing.head.total == 10)
        let version = try screens.watch(.section(key(place, in: screens)), as: 1, members: [])
        #expect(BodyCodec.decodeSectionHead(version.head)?.errorReason == "ANCHOR_GONE")
        try screens.commit([types.put("episode", "none", #"{"guid": "none", "plays": 95}"#)])
        let found = try #require(screens.renew()[1])
        #expect(found.items.map(\.id) == ["episode/e0", "episode/none", "episode/e1"])
        #expect(BodyCodec.decodeSectionHead(found.head)?.errorReason == nil)
    }

    @Test func `An impossible window is refused`() throws {
        var screens = try screens(10, programme: Self.sorted)
        let cursor = try window(WindowPlace(), sort: "title", in: &screens).head.cursor
        #expect(try window(WindowPlace(cursor: cursor), sort: "title", in: &screens).ids == ids([0]))
        func refusal(_ parameters: SectionParameters) -> String? {
            let found = #expect(throws: Status.self) {
                try screens.plan(screen: "home", locale: nil, parameters: [parameters], user: nil)
            }
            return found?.reason
        }
        func refusal(at place: WindowPlace, sort: String? = nil) -> String? {
            refusal(SectionParameters(section: "list", sort: sort, place: place))
        }
        #expect(refusal(at: WindowPlace(item: "episode/e1", before: 4, after: 3)) == "UNKNOWN_WINDOW")
        #expect(refusal(at: WindowPlace(isEnd: true, before: .max)) == "UNKNOWN_WINDOW")
        #expect(refusal(SectionParameters(section: "list", window: 3, place: WindowPlace())) == "UNKNOWN_WINDOW")
        #expect(refusal(SectionParameters(section: "top", place: WindowPlace())) == "UNKNOWN_WINDOW")
        #expect(refusal(at: WindowPlace(item: "show/s1")) == "UNKNOWN_ANCHOR")
        #expect(refusal(at: WindowPlace(item: "episode/e1", value: "1")) == "UNKNOWN_ANCHOR")
        #expect(refusal(at: WindowPlace(value: "many")) == "UNKNOWN_ANCHOR")
        #expect(refusal(at: WindowPlace(cursor: [])) == "UNKNOWN_ANCHOR")
        #expect(refusal(at: WindowPlace(cursor: cursor)) == "UNKNOWN_ANCHOR", "it is one of another order")
        let long = cursor + [UInt8](repeating: 65, count: 300)
        for wrong in (0..<cursor.count - "e0".utf8.count).map({ Array(cursor.prefix($0)) }) + [long, [9] + cursor] {
            #expect(refusal(at: WindowPlace(cursor: wrong), sort: "title") == "UNKNOWN_ANCHOR", "\(wrong.count) bytes")
        }
    }

    @Test(arguments: [
        ("windows: anywere", "unknown word for windows 'anywere'; did you mean 'anywhere'?"),
        ("windows: {anywhere: 0}", "the rows of a window must be from 1 to 1000, not 0"),
        ("windows: {anywere: 9}", "windows has no key 'anywere'"),
        ("windows: anywhere, sorts: [plays]", "the order is either the query's 'sort' or one of the 'sorts'"),
        ("windows: anywhere, LIMIT", "leave out 'limit'"),
        ("windows: anywhere, LIST", "only sections with 'records', 'list', 'collection' or 'favorites' can have"),
    ])
    func `A programme's mistakes about windows are named`(section: String, message: String) throws {
        var query = "type: episode, sort: -plays"
        if section.hasSuffix("LIMIT") { query += ", limit: 5" }
        let source = section.hasSuffix("LIST") ? "{facet: {type: episode, field: topics}}" : "{records: {\(query)}}"
        let words = section.replacing(/, [A-Z]+$/, with: "")
        let text = "screens: {home: {title: H, sections: [{id: list, kind: list, \(words), source: \(source)}]}}"
        let mistakes = #expect(throws: FileMistakes.self) {
            try Programme.parse(text: text, file: "p.yaml", types: types.set)
        }
        let found = mistakes?.mistakes.map(\.reason) ?? []
        #expect(found.contains { $0.contains(message) }, "\(found)")
    }

    // MARK: - Work

    @Test func `A commit elsewhere moves a window without comparing its rows`() throws {
        var screens = try screens(4_000)
        let place = WindowPlace(item: "episode/e2000", before: 3, after: 3)
        _ = try screens.watch(.section(key(place, in: screens)), as: 1, members: [])
        let scanned = screens.catalogue.records.scanned
        var before = screens.counters
        try screens.commit([try episode(4_001, plays: 39_995)])
        let head = try #require(screens.renew()[1].flatMap { BodyCodec.decodeSectionHead($0.head) })
        #expect(head.first == 1_998 && head.total == 4_001)
        var work = screens.counters.since(before)
        #expect(work.members == 0 && work.items == 0 && work.heads == 1 && work.renewals == 1)
        // They find its place in the order; no row of the window is compared.
        #expect(work.comparisons <= 60)
        before = screens.counters
        try screens.commit([try episode(4_001, plays: 39_994), try episode(9, plays: 30_000, title: "Renamed")])
        #expect(screens.renew().isEmpty)
        #expect(screens.counters.since(before).renewals == 0, "moves above the window that cross nothing of it")
        before = screens.counters
        try screens.commit([try episode(2_001, plays: 10 * 1_999, title: "Renamed")])
        #expect(screens.renew()[1] != nil)
        work = screens.counters.since(before)
        #expect(work.items == 1 && work.heads == 0)
        _ = try window(WindowPlace(isEnd: true, before: 6), in: &screens)
        _ = try window(WindowPlace(value: "20005"), in: &screens)
        #expect(screens.catalogue.records.scanned == scanned, "no list is read to find a place in it")
    }
}

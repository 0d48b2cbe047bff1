import MarqueeCatalogue
import MarqueeModel
import MarqueeStore
import MarqueeWire
import Testing

@testable import MarqueeScreens

/// A section says whether its limit leaves out more than it could show.
@Suite struct CappedTotalTests {
    private let types: RecordTypes

    init() throws { types = try Podcasts.types() }

    private func episode(_ id: Int, plays: Int? = nil, topic: String = "food") throws -> Change {
        try types.put(
            "episode", "e\(id)",
            #"{"guid": "e\#(id)", "title": {"en": "E\#(id)"}, "plays": \#(plays ?? 100 - id), "topics": ["\#(topic)"]}"#
        )
    }

    private func screens(_ source: String, _ changes: [Change]) throws -> Screens {
        try Screens(
            changes, types: types,
            programme: """
                screens: {home: {title: H, sections: [{id: a, kind: list, windows: [1, 3], source: {\(source)},
                  body: {card: {title: $title}}}]}}
                """)
    }

    /// The total, and whether there is more, as in the head of what is watched.
    private func watch(_ screens: inout Screens) throws -> (
        now: SectionHead, later: (inout Screens) throws -> SectionHead?
    ) {
        let plan = try screens.plan(screen: "home", locale: nil, parameters: [], user: nil)
        let key = try #require(plan.sections.first).variant
        let first = try screens.watch(.section(key), as: 1, members: [])
        return (
            try #require(BodyCodec.decodeSectionHead(first.head)),
            { screens in screens.renew()[1].flatMap { BodyCodec.decodeSectionHead($0.head) } }
        )
    }

    @Test func `A total is capped only while there is a record beyond the limit`() throws {
        var screens = try screens("records: {type: episode, sort: -plays, limit: 3}", (1...3).map { try episode($0) })
        let (now, later) = try watch(&screens)
        #expect(now.total == 3 && !now.isTotalCapped && now.hasMore)
        try screens.commit([episode(4)])
        let fourth = try #require(try later(&screens))
        #expect(fourth.total == 3 && fourth.isTotalCapped)
        // Records after the first one left out change nothing.
        try screens.commit([episode(5), episode(6)])
        #expect(try later(&screens) == nil)
        try screens.commit([.remove("episode", "e4"), .remove("episode", "e6")])
        #expect(try later(&screens) == nil)
        try screens.commit([.remove("episode", "e5")])
        #expect(try later(&screens)?.isTotalCapped == false)
        // One within the limit leaves, and one comes in.
        try screens.commit([episode(7, plays: 1_000)])
        #expect(try later(&screens)?.isTotalCapped == true)
        try screens.commit([.remove("episode", "e1")])
        let last = try #require(try later(&screens))
        #expect(last.total == 3 && !last.isTotalCapped)
    }

    @Test func `Records left out by name don't count`() throws {
        var screens = try screens(
            "records: {type: episode, where: {id: {not: e1}}, sort: -plays, limit: 3}", (1...4).map { try episode($0) })
        let (now, later) = try watch(&screens)
        #expect(now.total == 3 && !now.isTotalCapped)
        try screens.commit([episode(5)])
        #expect(try later(&screens)?.isTotalCapped == true)
        // Last of all it is left out all the same.
        try screens.commit([.remove("episode", "e5"), episode(1, plays: 1)])
        #expect(try later(&screens)?.isTotalCapped == false)
    }

    @Test func `The values of a facet are counted like records`() throws {
        var screens = try screens(
            "facet: {type: episode, field: topics, limit: 2}",
            (1...3).map { try episode($0, topic: "t\($0)") } + [episode(4, topic: "t1"), episode(5, topic: "t2")])
        let (now, later) = try watch(&screens)
        #expect(now.total == 2 && now.isTotalCapped)
        try screens.commit([.remove("episode", "e3")])
        #expect(try later(&screens)?.isTotalCapped == false)
    }

    @Test func `A client that doesn't know the field reads the rest of the head as before`() throws {
        var head = SectionHead(kind: .list)
        head.total = 3
        let before = BodyCodec.encode(head)
        head.isTotalCapped = true
        let bytes = BodyCodec.encode(head)
        // A field that they skip, after those that they know.
        #expect(bytes.starts(with: before) && bytes.count == before.count + 2)
        #expect(BodyCodec.decodeSectionHead(bytes) == head)
    }
}

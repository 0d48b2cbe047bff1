import MarqueeCatalogue
import MarqueeModel
import MarqueeStore
import MarqueeTypes
import MarqueeWire
import Testing

@testable import MarqueeScreens

/// Texts of the time left: `ends in {$published | left}`.
@Suite struct TimeLeftTests {
    private let types: RecordTypes

    init() throws { types = try Podcasts.types() }

    private func episode(_ id: String, at published: String) throws -> Change {
        try types.put("episode", id, #"{"guid": "\#(id)", "published": "\#(published)"}"#)
    }

    private func moment(_ text: String) throws -> Moment { try #require(Moment(text)) }

    private func screens(_ records: [Change], locale: String = "en") throws -> Screens {
        let card = #"{card: {title: $id, caption: '{$published | left ?? "over"}'}}"#
        var screens = try Screens(
            records, types: types,
            programme: """
                locales: [en, ko]
                screens: {home: {title: H, sections: [
                  {id: a, kind: list, source: {records: {type: episode}}, body: \(card)}]}}
                """)
        try screens.watchSections(of: "home")
        return screens
    }

    /// The captions that the section shows after a commit, with which an evaluation from scratch agrees.
    private func captions(of screens: inout Screens, at time: Moment) throws -> [String] {
        try screens.commit([.time(time)])
        _ = screens.renew()
        func captions(_ items: some Sequence<Item>) -> [String] {
            items.compactMap { item in
                guard case .card(let card) = BodyCodec.decode(kind: item.kind, bytes: item.body) else { return nil }
                return card.caption
            }
        }
        let shown = try #require(screens.sections.values.first { $0.key.section == "a" })
        #expect(try captions(screens.section("a").items) == captions(shown.version.items))
        return captions(shown.version.items)
    }

    @Test func `The time left is whole days, hours or minutes, and changes at moments known in advance`() throws {
        var screens = try screens([episode("a", at: "2026-03-04T12:30:30Z")])
        #expect(try #require(screens.nextBoundary) < moment("1900-01-01T00:00:00Z"), "there is no time yet")
        var seen: [String] = []
        var (next, commits) = (try moment("2026-03-01T11:00:00Z"), 0)
        while true {
            let shown = try captions(of: &screens, at: next)
            let caption = try #require(shown.first)
            if seen.last != caption { seen.append(caption) }
            guard let boundary = screens.nextBoundary else { break }
            #expect(boundary > next)
            (next, commits) = (boundary, commits + 1)
        }
        #expect(seen.prefix(3) == ["4 days", "3 days", "48 hr"])
        #expect(seen.suffix(3) == ["2 min", "1 min", "over"])
        let end = try moment("2026-03-04T12:30:30Z")
        #expect(next == end)
        #expect(seen.count == 2 + 47 + 60 + 1 && commits < 150)
    }

    @Test func `A moment that is new or moves is counted down to, and none is nothing to wait for`() throws {
        var screens = try screens([episode("a", at: "2026-03-01T10:00:00Z")])
        #expect(try captions(of: &screens, at: moment("2026-03-01T12:00:00Z")) == ["over"])
        #expect(screens.nextBoundary == nil)
        try screens.commit([try episode("b", at: "2026-03-01T12:20:00Z")])
        #expect(screens.nextBoundary == (try moment("2026-03-01T12:01:00Z")))
        #expect(try captions(of: &screens, at: moment("2026-03-01T12:00:30Z")) == ["over", "20 min"])
        try screens.commit([try episode("b", at: "2026-03-01T14:00:00Z")])
        #expect(screens.nextBoundary == (try moment("2026-03-01T13:00:00Z")))
        try screens.commit([.remove("episode", "b")])
        #expect(screens.nextBoundary == nil)
    }

    @Test(arguments: [
        ("$minutes | left", "the time left needs '$minutes' to be a google.protobuf.Timestamp among the 'sorts'"),
        ("$published | left: short", "'left' takes nothing after it"),
        ("$show.title | left", "the time left is known only of a field of the record itself"),
    ])
    func `A mistake is named`(value: String, message: String) throws {
        let text = """
            screens: {home: {title: H, sections: [{id: a, kind: list, source: {records: {type: episode}},
              body: {card: {title: '{\(value)}'}}}]}}
            """
        let mistakes = #expect(throws: FileMistakes.self) {
            try Programme.parse(text: text, file: "p.yaml", types: types.set)
        }
        #expect(mistakes?.mistakes.contains { $0.reason.contains(message) } == true, "\(String(describing: mistakes))")
    }
}

import MarqueeCatalogue
import MarqueeModel
import MarqueeStore
import Testing

@testable import MarqueeScreens

/// Screens of a record that none of their sections shows, but that their queries refer to.
@Suite struct ReferredScreenTests {
    private let types: RecordTypes

    init() throws { types = try Podcasts.types() }

    private func show(_ id: String, _ title: String) throws -> Change {
        try types.put("show", id, #"{"slug": "\#(id)", "title": {"en": "\#(title)"}}"#)
    }

    private func episode(_ id: String, show: String) throws -> Change {
        try types.put(
            "episode", id,
            #"{"guid": "\#(id)", "show": "\#(show)", "title": {"en": "\#(id)"}, "topics": ["food"]}"#)
    }

    private static let programme = """
        locales: [en]
        screens:
          show/$id:
            title: $title
            sections:
              - id: episodes
                kind: list
                header: $title
                source: {records: {type: episode, where: {show: $id}, sort: -plays, limit: 2}}
              - {id: others, kind: list, source: {records: {type: show, where: {id: {not: $id}}}}}
          topic/$id:
            title: $id
            sections:
              - {id: episodes, kind: list, source: {records: {type: episode, where: {topics: $id}}}}
              - {id: show, kind: list, source: {records: {type: episode, where: {show: $id}}}}
        """

    @Test func `A screen whose queries refer to a record is that record's screen`() throws {
        var screens = try Screens(
            [show("a", "A"), show("b", "B"), episode("e", show: "a")], types: types, programme: Self.programme)
        #expect(try screens.section("episodes", of: "show/a").head.header?.title == "A")
        #expect(try screens.section("episodes", of: "show/a").titles == ["e"])
        #expect(try screens.section("episodes", of: "show/b").titles == [])
        #expect(try screens.section("others", of: "show/a").titles == ["B"])
        #expect(screens.hasScreen("show/a") && !screens.hasScreen("show/none"))
        #expect(screens.describe(locale: nil).screens.map(\.example) == ["show/a", "topic/food"])
        #expect(screens.hasScreen("topic/none"), "one of its sections takes the text for something else")
        try screens.watchSections(of: "show/a")
        #expect(try cost(of: show("a", "New"), in: &screens).sections == ["episodes"])
    }
}

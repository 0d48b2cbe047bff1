import MarqueeCatalogue
import MarqueeModel
import Testing

@testable import MarqueeScreens

/// Badges and facts with `when`.
@Suite struct ConditionalPartTests {
    private let types: RecordTypes

    init() throws { types = try Podcasts.types() }

    private static let card = """
        {title: $title,
          badges: [{text: Long, when: {minutes: {from: 60}}}, {text: $topics, role: good, when: {topics: {not: food}}}],
          facts: [{label: Show, value: $show, when: {any: [{topics: food}, {plays: {above: 9}}], show: {has: true}}}]}
        """

    private func programme(_ card: String) -> String {
        """
        locales: [en]
        screens:
          home:
            title: H
            sections: [{id: a, kind: list, source: {records: {type: episode}}, body: {card: \(card)}}]
        """
    }

    private func episode(_ fields: String) throws -> Change {
        try types.put("episode", "e", #"{"guid": "e", "title": {"en": "E"}, \#(fields)}"#)
    }

    @Test func `A badge or fact is there only while the record meets its conditions`() throws {
        var screens = try Screens(
            [episode(#""minutes": 59, "topics": ["art"], "show": "s""#)], types: types, programme: programme(Self.card))
        try screens.watchSections(of: "home")
        for (fields, badges, facts) in [
            (#""minutes": 60, "topics": ["art"], "show": "s""#, ["Long", "art"], [] as [String]),
            (#""minutes": 59, "topics": ["food", "art"], "show": "s""#, [], ["s"]),
            (#""minutes": 59, "plays": "10", "show": "t""#, [], ["t"]),
            (#""minutes": 59, "plays": "10""#, [], []),
        ] {
            #expect(try cost(of: episode(fields), in: &screens).sections == ["a"])
            let card = try #require(try screens.section("a").cards.first)
            #expect(card.badges.map(\.text) == badges && card.facts.map(\.value) == facts, "\(fields)")
        }
    }

    @Test(arguments: [
        ("badges: [{text: a, when: {minuts: 3}}]", "podcast.v1.Episode has no field 'minuts'; did you mean 'minutes'?"),
        (
            "badges: [{text: a, when: {minutes: 3}}]",
            "'minutes' of episode isn't indexed for that; declare it with the type: 'facets: [show, topics, minutes]'"
        ),
        ("facts: [{label: a, value: a, when: {minutes: {belw: 3}}}]", "the condition on 'minutes' has no key 'belw'"),
        ("badges: [{text: a, when: [minutes]}]", "'when' of a badge must map at most 8 fields to conditions"),
        (
            "badges: [{text: a, when: {id: {in: favorites}}}]",
            "'when' of a badge can't depend on the screen, on ids, nor on a user's collection"
        ),
        ("badges: [{when: {topics: food}}]", "a badge needs 'text'"),
        ("badges: [{text: a, whn: {topics: food}}]", "a badge has no key 'whn'; did you mean 'when'?"),
    ])
    func `Mistakes are named as in a query`(part: String, reason: String) {
        do {
            _ = try Programme.parse(text: programme("{title: T, \(part)}"), file: "p.yaml", types: types.set)
            Issue.record("'\(part)' was taken")
        } catch {
            #expect(error.mistakes.map(\.description).first?.hasPrefix("p.yaml:5: \(reason)") == true, "\(error)")
            #expect(error.mistakes.count == 1)
        }
    }

    @Test func `An item without a record of a declared type can't have conditions`() {
        let text = """
            screens:
              home:
                title: H
                sections: [{id: a, kind: list, source: {items: [{id: i, card: {title: T, badges: [{text: a, when: {x: 1}}]}}]}}]
            """
        do {
            _ = try Programme.parse(text: text, file: "p.yaml", types: types.set)
            Issue.record("it was taken")
        } catch {
            #expect(
                error.mistakes.map(\.description) == [
                    "p.yaml:4: 'when' of a badge is about a record of a declared type, and there is none here"
                ])
        }
    }
}

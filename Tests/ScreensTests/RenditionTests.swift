import MarqueeCatalogue
import MarqueeModel
import MarqueeTypes
import MarqueeWire
import SeededRandom
import Testing

@testable import MarqueeScreens

/// Values of a section that differ by audience.
@Suite struct RenditionTests {
    private static let programme = """
        audiences:
          premium: {plan: [plus, family]}
          arm-a: {bucket: {salt: rank-test, below: 1/3}}
          arm-b: {bucket: {salt: rank-test, from: 1/3, below: 2/3}}
        layouts:
          tall: {group: {axis: vertical, width: fw 1, height: abs 80, items: [{width: fw 1, height: fh 1}]}}
          wide: {group: {axis: vertical, width: fw 1, height: abs 40, items: [{width: fw 1, height: fh 1}]}}
        screens:
          home:
            title: Home
            sections:
              - id: top
                kind: [{audience: arm-b, use: grid}, list]
                header: [{audience: premium, use: {en: Yours}}, {use: Popular}]
                layout: [{audience: premium, use: tall}, wide]
                source: {records: {type: episode, sort: title}}
                body:
                  card:
                    title: [{audience: arm-a, use: "A $title"}, {audience: arm-b, use: "B $title"}, $title]
                    badges: [{text: [{audience: arm-b, use: Test}, {audience: premium, use: Included}, Plus]}]
              - id: chosen
                kind: list
                source: {pool: [{audience: premium, use: {name: best, records: {type: episode}}}, {name: first, records: {type: episode}}]}
        """

    private let types: RecordTypes

    init() throws { types = try Podcasts.types() }

    private func screens(_ programme: String = programme, _ changes: [Change] = []) throws -> Screens {
        let episodes = try ["c1", "c2"].map { id in
            try types.put("episode", id, "{\"guid\": \"\(id)\", \"title\": {\"en\": \"Episode \(id)\"}}")
        }
        return try Screens(episodes + changes, types: types, programme: programme)
    }

    private static let plus: [String: Claims.Value] = ["plan": .text("plus")]
    private static let free: [String: Claims.Value] = ["plan": .text("free")]

    private func variant(
        _ section: String = "top", _ claims: [String: Claims.Value] = [:], user: String? = nil, in screens: Screens
    ) throws -> VariantKey {
        let plan = try screens.plan(
            screen: "home", locale: nil, parameters: [], user: user, claims: Claims(claims))
        return try #require(plan.sections.first { $0.id == section }).variant
    }

    private func cards(_ section: ShownSection) -> [CardContent] {
        section.contents.compactMap { if case .card(let card) = $0 { card } else { nil } }
    }

    // MARK: - Whose values

    @Test(
        arguments: [
            // The users' numbers are 0.43, 0.73 and 0.04.
            ([:], nil, [], "Popular", "Episode c1", "Plus", SectionKind.list),
            (free, "ana", ["arm-b", "", "arm-b", "arm-b"], "Popular", "B Episode c1", "Test", .grid),
            (plus, nil, ["", "premium", "", "premium"], "Yours", "Episode c1", "Included", .list),
            (plus, "ana", ["arm-b", "premium", "arm-b", "arm-b"], "Yours", "B Episode c1", "Test", .grid),
            (plus, "ben", ["", "premium", "", "premium"], "Yours", "Episode c1", "Included", .list),
        ] as [([String: Claims.Value], String?, [String], String, String, String, SectionKind)])
    func `The first value whose audience includes the reader is shown, otherwise the one for everybody else`(
        claims: [String: Claims.Value], user: String?, name: [String], header: String, title: String, badge: String,
        kind: SectionKind
    ) throws {
        var screens = try screens()
        let variant = try variant("top", claims, user: user, in: screens)
        #expect(variant.rendition.audiences == name)
        let shown = try screens.shown(variant)
        #expect(shown.head.kind == kind)
        #expect(shown.head.header?.title == header)
        #expect(cards(shown).first?.title == title)
        #expect(cards(shown).first?.badges.map(\.text) == [badge])
        #expect(screens.audiences(of: variant) == (name.isEmpty ? ["", "", "", ""] : name))
    }

    @Test func `An editor chooses for each audience what its pool shows`() throws {
        var screens = try screens(
            Self.programme, [.chooseRecord(pool: "best", record: RecordID(type: "episode", id: "c2"))])
        #expect(try screens.shown(variant("chosen", Self.plus, in: screens)).ids == ["episode/c2"])
        #expect(try screens.shown(variant("chosen", Self.free, in: screens)).ids == ["episode/c1"])
        #expect(screens.choices(of: "best").count == 2 && screens.choices(of: "first").count == 2)
    }

    @Test func `Readers who get the same share a variant, whatever their audiences`() throws {
        let programme = Self.programme.replacing("use: {en: Yours}", with: "use: Popular")
            .replacing("use: tall", with: "use: wide").replacing("use: Included", with: "use: Plus")
        let screens = try screens(programme)
        let variants = try [Self.plus, Self.free, [:]].map { try variant("top", $0, in: screens) }
        #expect(Set(variants).count == 1)
        #expect(variants[0].rendition == .fallback)
        // Three arms, and nothing else makes a difference.
        let arms = try (0..<60).map { try variant("top", Self.plus, user: "user-\($0)", in: screens) }
        #expect(Set(arms).count == 3)
    }

    @Test func `A record's change is evaluated once for each rendition, and only those that show it differ`() throws {
        var screens = try screens()
        let keys = try [Self.plus, Self.free].map { try variant("top", $0, in: screens) }
        for (index, key) in keys.enumerated() { _ = try screens.watch(.section(key), as: UInt64(index), members: []) }
        try screens.commit([try types.put("episode", "c1", #"{"guid": "c1", "title": {"en": "Rye"}}"#)])
        let renewed = screens.renew()
        #expect(renewed.count == 2)
        #expect(renewed[0]?.sum != renewed[1]?.sum)
    }

    @Test func `A page's styles have values by audience as well`() throws {
        let page = Page(id: "home", sections: [.init(id: "m", type: "main", title: "Now", list: "picks")])
        let programme = """
            audiences: {premium: {plan: plus}}
            screens:
              home:
                title: Home
                sections:
                  - page: home
                    types: {main: {kind: list, header: [{audience: premium, use: "Yours: $name"}, $name]}}
            """
        var screens = try screens(programme, [.page(page)])
        func header(_ claims: [String: Claims.Value]) throws -> String? {
            try screens.shown(variant("m", claims, in: screens)).head.header?.title
        }
        #expect(try header(Self.plus) == "Yours: Now")
        #expect(try header(Self.free) == "Now")
    }

    // MARK: - Another programme

    @Test func `In a newer programme a rendition stays that of its audience until views have been planned again`()
        throws
    {
        var screens = try screens()
        let key = try variant("top", Self.plus, in: screens)
        _ = try screens.watch(.section(key), as: 1, members: [])
        let newer = Self.programme.replacing(
            "{audience: premium, use: {en: Yours}}", with: "{audience: arm-a, use: A}, {audience: premium, use: Secret}"
        )
        let effect = try screens.commit([.programme(newer)])
        #expect(effect.replans == .families(["home"]))
        // Its name means nothing in the newer programme, so it shows what it showed.
        #expect(screens.renew()[1] == nil)
        #expect(try screens.shown(variant("top", Self.plus, in: screens)).head.header?.title == "Secret")
    }

    // MARK: - Mistakes

    @Test(arguments: [
        ("[{audience: premium, use: A}]", "there is no value for everybody else: end the list with one that has no"),
        ("[{audience: premum, use: A}, B]", "the programme has no audience 'premum'; did you mean 'premium'?"),
        ("[{audience: premium, usee: A}, B]", "a value by audience has no key 'usee'; did you mean 'use'?"),
        ("[B, {audience: premium, use: A}, C]", "this value is for everybody, so those after it never apply"),
        ("[{audience: premium, use: A}, {audience: plus, use: B}, C]", "this value never applies: the ones before it"),
        (
            "[{audience: {not: plus}, use: A}, {audience: {not: [plus, arm-a]}, use: B}, C]",
            "this value never applies: the ones before it are for all of 'not plus+arm-a'"
        ),
        ("[{audience: arm-a, use: A}, {audience: arm-c, use: B}, C]", "this value never applies"),
        ("[A]", "a list stands for values by audience here"),
        ("[]", "a list stands for values by audience here"),
        ("[{audience: premium, use: [{audience: plus, use: A}, B]}, C]", "values by audience can't contain others"),
        ("[{audience: premium, use: $record}, C]", "the header shows $title and $edition, not '$record'"),
    ])
    func `A wrong list of values is reported at its line`(header: String, reason: String) throws {
        let text = """
            audiences:
              premium: {plan: [plus, family]}
              plus: {plan: plus}
              arm-a: {bucket: {salt: s, below: 1/2}}
              arm-c: {bucket: {salt: s, from: 0.1, below: 0.2}}
            screens:
              home:
                title: Home
                sections:
                  - id: a
                    kind: list
                    header: \(header)
                    source: {records: {type: episode}}
                    layout: [{audience: plus, use: {group: {axis: vertical, width: fw 1, height: abs 80, items: [{width: fw 1, height: fh 1}]}}}, {group: {axis: vertical, width: fw 1, height: abs 40, items: [{width: fw 1, height: fh 1}]}}]
            """
        let found = #expect(throws: FileMistakes.self) {
            _ = try Programme.parse(text: text, file: "p.yaml", types: types.set)
        }
        #expect(found?.mistakes.count == 1, "\(found?.description ?? "")")
        #expect(
            found?.mistakes.first?.description.hasPrefix("p.yaml:12: \(reason)") == true, "\(found?.description ?? "")")
    }

    @Test func `Sections private to some audiences only, and too many combinations, are refused`() throws {
        func mistakes(_ section: String) -> String {
            let audiences = (0..<8).map { "a\($0): {plan: p\($0)}" }.joined(separator: ", ")
            do throws(FileMistakes) {
                _ = try Programme.parse(
                    text: "audiences: {\(audiences)}\nscreens: {home: {title: Home, sections: [\(section)]}}",
                    file: "p.yaml",
                    types: types.set)
                return ""
            } catch { return error.description }
        }
        #expect(
            mistakes("{id: a, kind: list, source: [{audience: a0, use: favorites}, {records: {type: episode}}]}")
                .contains("would show a user's own data to some audiences and not to others"))
        let titles = (0..<8).map { "{text: [{audience: a\($0), use: A}, B]}" }.joined(separator: ", ")
        #expect(
            mistakes("{id: a, kind: list, source: {records: {type: episode}}, body: {card: {badges: [\(titles)]}}}")
                .contains("combine to more than 64 different ones; use the same audiences"))
    }
}

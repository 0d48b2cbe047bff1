import MarqueeCatalogue
import MarqueeModel
import MarqueeStore
import MarqueeTypes
import Testing

@testable import MarqueeScreens

/// A set of types can't drop declarations that the current programme uses.
@Suite struct NeededTypesTests {
    private static let declarations = """
        descriptors: podcast.desc
        types:
          show: {message: podcast.v1.Show, id: slug, localized: [title], search: [author], sorts: [followers]}
          episode:
            message: podcast.v1.Episode
            id: guid
            localized: [title]
            search: [title]
            references: {show: show}
            sorts: [plays]
            facets: [topics]
        collections:
          progress: {of: [episode], value: uint32}
        lists:
          picks: {of: [episode], place: podcast.v1.Chapter}
        """

    private static let programme = """
        locales: [en]
        screens:
          home:
            title: Home
            sections:
              - {id: picks, kind: list, source: {list: picks}, body: {card: {subtitle: $place.title}}}
              - {id: new, kind: list, source: {records: {type: episode, where: {topics: food}, sort: -plays}}}
              - {id: heard, kind: list, source: {collection: progress}}
              - {id: shows, kind: list, source: {records: {type: show}}, body: {card: {title: $title}}}
        search: {of: [episode]}
        """

    private let store = MemoryStore(programmeCheck: ProgrammeValidator.check)

    private func change(_ declarations: String) throws -> Change { .types(try Podcasts.types(declarations).document) }

    private func commit(_ changes: Change...) throws -> StoreOutcome? {
        try store.write([.catalogue(key: nil, changes: changes, mutation: nil)]).first
    }

    /// Commits the types and the programme.
    private func begin(_ programme: String = Self.programme) throws {
        let outcome = try commit(change(Self.declarations), .programme(programme))
        #expect(outcome == .done(revision: 1, changed: true))
    }

    private func refusal(_ outcome: StoreOutcome?) -> [String] {
        guard case .refused(let reason)? = outcome else { return ["\(String(describing: outcome))"] }
        return reason.split(separator: "\n").map(String.init)
    }

    @Test(
        arguments: [
            (", search: [author]", "", []),
            ("    search: [title]\n", "", ["programme:10: nothing of episode is searched; declare it with the type"]),
            ("sorts: [plays]", "sorts: [minutes]", ["programme:7: 'plays' of episode isn't indexed for that"]),
            ("    facets: [topics]\n", "", ["programme:7: 'topics' of episode isn't indexed for that"]),
            (
                ", localized: [title], search: [author]", ", search: [author]",
                ["programme:9: the title of a card: 'title'"]
            ),
            (
                "collections:\n  progress: {of: [episode], value: uint32}\n", "",
                ["programme:8: the declaration of types has no collection 'progress'"]
            ),
            (
                "lists:\n  picks: {of: [episode], place: podcast.v1.Chapter}", "",
                ["programme:6: there is no list 'picks'"]
            ),
            (
                "place: podcast.v1.Chapter", "place: podcast.v1.Audio",
                ["programme:6: the subtitle of a card: podcast.v1.Audio"]
            ),
        ] as [(String, String, [String])])
    func `Declarations that the programme uses can't be dropped`(old: String, new: String, reasons: [String]) throws {
        try begin()
        let text = Self.declarations.replacing(old, with: new)
        #expect(text != Self.declarations)
        let outcome = try commit(change(text))
        guard !reasons.isEmpty else { return #expect(outcome == .done(revision: 2, changed: true)) }
        let found = refusal(outcome)
        #expect(found.count == reasons.count, "\(found)")
        for (found, reason) in zip(found, reasons) { #expect(found.contains(reason), "\(found)") }
        #expect(try store.catalogueHead().revision == 1, "nothing was changed")
    }

    @Test func `All reasons are reported at once, those of stored content included`() throws {
        try begin()
        let types = try Podcasts.types(Self.declarations)
        _ = try commit(types.put("show", "s", #"{"slug": "s"}"#))
        let fewer = """
            descriptors: podcast.desc
            types:
              episode: {message: podcast.v1.Episode, id: guid, localized: [title], search: [title], sorts: [plays]}
            """
        let found = refusal(try commit(change(fewer)))
        #expect(found.first == "change 1: the type 'show' is dropped, but it has records")
        #expect(found.dropFirst().allSatisfy { $0.hasPrefix("the programme needs more: programme:") }, "\(found)")
        #expect(found.count == 5, "\(found)")
    }

    @Test(arguments: [false, true])
    func `Types may be dropped in the same commit as a programme that doesn't need them`(isLast: Bool) throws {
        try begin()
        let fewer = try change(Self.declarations.replacing("    search: [title]\n", with: ""))
        let other = Change.programme(Self.programme.replacing("search: {of: [episode]}", with: ""))
        let outcome = isLast ? try commit(fewer, other) : try commit(other, fewer)
        #expect(outcome == .done(revision: 2, changed: true))
        // The new programme is current now, so dropping what it uses is refused as well.
        #expect(refusal(try commit(change(Self.declarations.replacing("sorts: [plays]", with: "")))).count == 1)
    }

    @Test func `A programme that was already invalid doesn't block new types`() throws {
        try begin(Self.programme.replacing("-plays", with: "-minutes"))
        let fewer = try change(Self.declarations.replacing("    search: [title]\n", with: ""))
        #expect(try commit(fewer) == .done(revision: 2, changed: true))
    }
}

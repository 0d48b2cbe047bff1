import MarqueeCatalogue
import MarqueeModel
import MarqueeStore
import MarqueeWire
import Testing

@testable import MarqueeScreens

/// Names that lead through two references: `$show.author.name`.
@Suite struct SecondReferenceTests {
    private static let declarations = """
        descriptors: podcast.desc
        types:
          person: {message: podcast.v1.Person, id: id, references: {portrait: show}, sorts: [followers]}
          show: {message: podcast.v1.Show, id: slug, references: {author: person, topics: show}}
          episode:
            message: podcast.v1.Episode
            id: guid
            search: [summary]
            references: {show: show, topics: show, hosts.person: show}
            facets: [show]
        """

    private static let programme = """
        locales: [en]
        screens:
          home:
            title: H
            sections:
              - {id: a, kind: list, source: {records: {type: episode}}, body: {card: {title: $id, subtitle: "$show.author.name · $show.cover"}}}
              - {id: b, kind: list, source: {records: {type: episode}}, body: {card: {title: $topics.author.name, subtitle: "$topics.author.name[0]"}}}
              - id: tiles
                kind: genres
                source: {facet: {type: episode, field: show, order: -$value.author.followers}}
                body: {card: {title: $value, subtitle: $value.author.name}}
          episode/$id:
            title: $id
            sections:
              - id: hosts
                kind: credits
                source: {nested: {type: episode, id: $id, field: hosts, sort: -person.author.followers, key: role}}
                body: {card: {title: $role, subtitle: $person.author.name}}
        search: {of: [episode], body: {episode: {card: {title: $show.author.name}}}}
        """

    private let types: RecordTypes

    init() throws { types = try Podcasts.types(Self.declarations) }

    private func person(_ id: String, _ followers: Int, name: String? = nil) throws -> Change {
        try types.put("person", id, #"{"id": "\#(id)", "name": "\#(name ?? id)", "followers": \#(followers)}"#)
    }

    private func show(_ id: String, by author: String) throws -> Change {
        try types.put("show", id, #"{"slug": "\#(id)", "author": "\#(author)", "cover": "\#(id).jpg"}"#)
    }

    private func episode(_ id: String, show: String, topics: String = "", hosts: [String] = []) throws -> Change {
        let hosts = hosts.map { #"{"person": "\#($0)", "role": "\#($0)"}"# }.joined(separator: ", ")
        return try types.put(
            "episode", id,
            #"{"guid": "\#(id)", "show": "\#(show)", "topics": [\#(topics)], "hosts": [\#(hosts)], "summary": "word"}"#)
    }

    private func changes() throws -> [Change] {
        try [
            person("ann", 3), person("bo", 5), person("cy", 1), show("s", by: "ann"), show("t", by: "bo"),
            episode("e", show: "s", topics: #""s", "gone", "t""#, hosts: ["s", "t"]), episode("f", show: "t"),
        ]
    }

    private func screens() throws -> Screens {
        var screens = try Screens(changes(), types: types, programme: Self.programme)
        try screens.watchSections(of: "home", "episode/e")
        return screens
    }

    private func shown(_ section: String, _ screens: inout Screens, of screen: String = "home") throws -> [[String?]] {
        try screens.section(section, of: screen).cards.map { [$0.title, $0.subtitle] }
    }

    @Test func `A change of the second record, or of the way to it, changes the items that show it and no others`()
        throws
    {
        var screens = try screens()
        #expect(try shown("a", &screens) == [["e", "ann · s.jpg"], ["f", "bo · t.jpg"]])
        #expect(try shown("b", &screens) == [["ann, bo", "ann"], ["f", nil]])
        #expect(try shown("tiles", &screens) == [["t", "bo"], ["s", "ann"]])
        #expect(try shown("hosts", &screens, of: "episode/e") == [["t", "bo"], ["s", "ann"]])

        let renamed = try cost(of: person("ann", 3, name: "Anna"), in: &screens)
        #expect(renamed.sections == ["a", "b", "hosts", "tiles"] && renamed.work.items == 4, "\(renamed)")
        #expect(try shown("a", &screens)[0] == ["e", "Anna · s.jpg"])
        #expect(try cost(of: person("cy", 2), in: &screens).work.renewals == 0, "nobody shows it")

        #expect(try cost(of: person("ann", 9, name: "Anna"), in: &screens).sections == ["hosts", "tiles"])
        #expect(try shown("tiles", &screens) == [["s", "Anna"], ["t", "bo"]])
        #expect(try shown("hosts", &screens, of: "episode/e") == [["s", "Anna"], ["t", "bo"]])

        #expect(try cost(of: show("s", by: "cy"), in: &screens).sections == ["a", "b", "hosts", "tiles"])
        #expect(try shown("a", &screens)[0] == ["e", "cy · s.jpg"])
        #expect(try shown("tiles", &screens) == [["t", "bo"], ["s", "cy"]])
        #expect(try shown("hosts", &screens, of: "episode/e") == [["t", "bo"], ["s", "cy"]])

        #expect(try cost(of: .remove("person", "bo"), in: &screens).sections == ["a", "b", "hosts", "tiles"])
        #expect(try shown("a", &screens)[1] == ["f", "t.jpg"])
        #expect(try shown("tiles", &screens) == [["s", "cy"], ["t", nil]])
        #expect(try cost(of: person("bo", 7), in: &screens).sections == ["a", "b", "hosts", "tiles"])
        #expect(try shown("hosts", &screens, of: "episode/e") == [["t", "bo"], ["s", "cy"]])
    }

    @Test func `The results of a search show it too`() throws {
        let store = MemoryStore()
        let changes = try [.types(types.document)] + changes()
        guard case .done? = try store.write([.catalogue(key: nil, changes: changes, mutation: nil)]).first else {
            throw TestFailure("not written")
        }
        let answer = try Search.answer(
            SearchRequest(query: "word", queryID: 1, page: 1, locale: "en"),
            programme: Programme.parse(text: Self.programme, file: "p.yaml", types: types.set), in: store)
        let titles = answer.items.map { item in
            if case .card(let card) = BodyCodec.decode(kind: item.kind, bytes: item.body) { card.title } else { "" }
        }
        #expect(titles == ["ann", "bo"])
    }

    @Test(arguments: [
        (
            "$show.author.portrait.cover",
            "'$show.author.portrait.cover' leads through too many records; a name has at most 2 references"
        ),
        ("$show.author.nme", "podcast.v1.Person has no field 'nme'; did you mean 'name'?"),
        ("$show.cover.name", "'cover.name' leads through 'cover', declared as string"),
    ])
    func `A name that leads nowhere, or too far, is refused`(name: String, reason: String) {
        let text = Self.programme.replacing(
            "title: $id, subtitle: \"$show.author.name · $show.cover\"", with: "title: \(name)")
        do {
            _ = try Programme.parse(text: text, file: "p.yaml", types: types.set)
            Issue.record("it was taken")
        } catch {
            let found = error.mistakes.map(\.description)
            #expect(found.count == 1 && found[0].hasPrefix("p.yaml:6: the title of a card: \(reason)"), "\(found)")
        }
    }
}

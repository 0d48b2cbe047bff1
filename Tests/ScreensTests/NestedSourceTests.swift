import MarqueeCatalogue
import MarqueeModel
import MarqueePresets
import MarqueeStore
import Testing

@testable import MarqueeScreens

/// Messages inside a record that refer to records: several lists, an order, limits, a subject.
@Suite struct NestedSourceTests {
    private static let declarations = """
        descriptors: podcast.desc
        types:
          person: {message: podcast.v1.Person, id: id}
          episode:
            message: podcast.v1.Episode
            id: guid
            localized: [title]
            references: {hosts.person: person, guests.person: person}
        """
    private static let nested =
        "{type: episode, id: $id, fields: [{field: hosts}, {field: guests, sort: -person.followers, limit: 3}], "
        + "key: person, subject: person}"

    private let types: RecordTypes

    init() throws { types = try Podcasts.types(Self.declarations) }

    private func programme(_ nested: String = Self.nested, body: String? = nil) -> String {
        """
        locales: [en]
        screens:
          episode/$id:
            title: $title
            sections:
              - {id: detail, kind: detail, source: {record: {type: episode, id: $id}}}
              - id: people
                kind: credits
                source: {nested: \(nested)}
                body: \(body ?? #"{card: {title: "$role $person", subtitle: $person.name}}"#)
        """
    }

    private func person(_ id: String, followers: Int, name: String? = nil) throws -> Change {
        try types.put(
            "person", id, #"{"id": "\#(id)", "name": "\#(name ?? id.uppercased())", "followers": \#(followers)}"#)
    }

    private func episode(guests: [String], hosts: [String] = ["a"]) throws -> Change {
        func list(_ ids: [String], _ role: String) -> String {
            ids.map { #"{"person": "\#($0)", "role": "\#(role)"}"# }.joined(separator: ", ")
        }
        return try types.put(
            "episode", "e",
            #"{"guid": "e", "hosts": [\#(list(hosts, "host"))], "guests": [\#(list(guests, "guest"))]}"#)
    }

    private func screens(_ programme: String? = nil) throws -> Screens {
        let people = try [("a", 1), ("b", 5), ("c", 9), ("d", 5), ("f", 2)].map { try person($0.0, followers: $0.1) }
        return try Screens(
            people + [episode(guests: ["gone", "f", "b", "c", "d"])], types: types,
            programme: programme ?? self.programme())
    }

    @Test func `Lists are shown one after another, each in its order and up to its limit`() throws {
        var screens = try screens()
        let section = try screens.section("people", of: "episode/e")
        #expect(section.ids == ["hosts/a", "guests/c", "guests/b", "guests/d"], "b and d are equal")
        #expect(section.titles == ["host a", "guest c", "guest b", "guest d"])
        #expect(section.cards.map(\.subtitle) == ["A", "C", "B", "D"])
        #expect(section.items.map(\.subject) == ["person/a", "person/c", "person/b", "person/d"])
        #expect(section.head.total == 4)
        try screens.commit([episode(guests: ["gone", "f"])])
        #expect(try screens.section("people", of: "episode/e").ids == ["hosts/a", "guests/f", "guests/gone"])
    }

    @Test func `A changed person touches only the items that print it and the order that it decides`() throws {
        var screens = try screens()
        try screens.watchSections(of: "episode/e")
        func ids() -> [String] {
            screens.sections.values.first { $0.key.section == "people" }?.version.items.map(\.id) ?? []
        }
        var (work, sections) = try cost(of: person("b", followers: 5, name: "Bee"), in: &screens)
        #expect(sections == ["people"] && work.items == 1)
        (work, sections) = try cost(of: person("f", followers: 2, name: "Eff"), in: &screens)
        #expect(sections == [] && work.renewals == 0, "not shown, and no other place")
        (work, sections) = try cost(of: person("f", followers: 7), in: &screens)
        #expect(sections == ["people"] && work.items == 1)
        #expect(ids() == ["hosts/a", "guests/c", "guests/f", "guests/b"])
        (work, sections) = try cost(of: person("c", followers: 6), in: &screens)
        #expect(sections == ["people"] && work.items == 1)
        #expect(ids() == ["hosts/a", "guests/f", "guests/c", "guests/b"])
        (work, sections) = try cost(of: person("a", followers: 50), in: &screens)
        #expect(sections == [] && work.items == 1, "hosts have no order")
        (work, sections) = try cost(of: person("gone", followers: 100), in: &screens)
        #expect(ids() == ["hosts/a", "guests/gone", "guests/f", "guests/c"])
        (work, sections) = try cost(of: .remove("person", "f"), in: &screens)
        #expect(ids() == ["hosts/a", "guests/gone", "guests/c", "guests/b"])
    }

    @Test func `A screen that shows only messages of a record reports that the record is missing`() throws {
        let text = programme().replacing("title: $title", with: "title: $id").replacing(
            "      - {id: detail, kind: detail, source: {record: {type: episode, id: $id}}}\n", with: "")
        var screens = try screens(text)
        let people = try screens.section("people", of: "episode/nobody")
        #expect(people.items.isEmpty)
        #expect(people.head.errorReason == "RECORD_GONE")
    }

    @Test func `A message that changed while it was beyond the limit is remade`() throws {
        var screens = try screens()
        try screens.watchSections(of: "episode/e")
        let other = try types.put(
            "episode", "e",
            #"{"guid": "e", "hosts": [], "guests": [{"person": "b"}, {"person": "c", "role": "other"}, {"person": "d"}, {"person": "f"}]}"#
        )
        try screens.commit([person("c", followers: 0), other, person("c", followers: 9)])
        _ = screens.renew()
        let section = try #require(screens.sections.values.first { $0.key.section == "people" })
        #expect(try Array(section.version.items) == screens.section("people", of: "episode/e").items)
    }

    @Test func `A body of one of Marquee's kinds can take values of the record referred to`() throws {
        let body =
            "{kind: credit, fields: {person: $person, name: $person.name, job: $role, portrait: $person.portrait}}"
        var screens = try screens(programme("{type: episode, id: $id, field: hosts, sort: role}", body: body))
        try screens.commit([
            types.put("person", "7", #"{"id": "7", "name": "Seven", "portrait": "7.jpg"}"#),
            episode(guests: [], hosts: ["7", "a", "007"]),
        ])
        let portrait = ImageReference(name: "7.jpg")
        #expect(
            try screens.section("people", of: "episode/e").presets == [
                .credit(CreditContent(person: 7, name: "Seven", character: nil, job: "host", portrait: portrait)),
                .credit(CreditContent(person: nil, name: "A", character: nil, job: "host", portrait: nil)),
                .credit(CreditContent(person: nil, name: "", character: nil, job: "host", portrait: nil)),
            ], "an id that is no number is left out, and 007 isn't 7")
    }

    @Test(arguments: [
        (
            "{type: episode, id: $id, fields: [hosts, chapters]}",
            "'hosts' and 'chapters' of episode are lists of different"
        ),
        ("{type: episode, id: $id, fields: [hosts, hosts]}", "'fields' names 'hosts' twice"),
        (
            "{type: episode, id: $id, fields: [hosts], sort: role}",
            "with 'fields', 'sort' belongs in one of its entries"
        ),
        ("{type: episode, id: $id, fields: []}", "'fields' is empty"),
        ("{type: episode, id: $id, fields: [{field: hosts, size: 1}]}", "an entry of 'fields' has no key 'size'"),
        ("{type: episode, id: $id, field: hosts, sort: -person.folowers}", "the sort: podcast.v1.Person has no field"),
        ("{type: episode, id: $id, field: hosts, sort: person.followers.x}", "the sort: "),
        (
            "{type: episode, id: $id, fields: [chapters], subject: person}",
            "'person' isn't a declared reference of these messages; declare it with the type episode: 'references: {chapters.person: …}'"
        ),
        ("{type: episode, id: $id, fields: [topics]}", "'topics' of episode is not a repeated message"),
    ])
    func `A mistake is reported with its line`(nested: String, reason: String) {
        do {
            _ = try Programme.parse(text: programme(nested, body: "card"), file: "p.yaml", types: types.set)
            Issue.record("it was taken")
        } catch {
            #expect(error.mistakes.count == 1)
            #expect(error.mistakes.first?.description.hasPrefix("p.yaml:9: \(reason)") == true, "\(error.mistakes)")
        }
    }
}

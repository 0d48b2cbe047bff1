import MarqueeCatalogue
import MarqueeModel
import MarqueeStore
import MarqueeTypes
import Testing

@testable import MarqueeScreens

/// The number of records that refer to a record: `$count(episode by show)`.
@Suite struct ReferenceCountTests {
    private static let counted =
        "{$count(episode by show) | plural: {one: \"one episode\", other: \"$count(episode by show) episodes\"}}"

    private static let programme = """
        locales: [en]
        screens:
          home:
            title: H
            sections:
              - {id: shows, kind: list, source: {records: {type: show}}, body: {card: {title: $id, subtitle: 'COUNT'}}}
              - {id: again, kind: list, source: {records: {type: show, sort: title}}, body: {card: {title: $id, subtitle: 'COUNT'}}}
              - id: rows
                kind: list
                source: {records: {type: show}}
                body: {message: podcast.v1.ShowRow, kind: 2002, fields: {title: $id, followers: $count(episode by show)}}
              - {id: plain, kind: list, source: {records: {type: show}}, body: {card: {title: $id}}}
              - {id: episodes, kind: list, source: {records: {type: episode}}, body: {card: {title: $show.title}}}
        """.replacing("COUNT", with: counted)

    private let types: RecordTypes

    init() throws { types = try Podcasts.types() }

    private func show(_ id: String) throws -> Change { try types.put("show", id, #"{"slug": "\#(id)"}"#) }

    private func episode(_ id: String, of show: String, plays: Int = 0) throws -> Change {
        try types.put("episode", id, #"{"guid": "\#(id)", "show": "\#(show)", "plays": \#(plays)}"#)
    }

    private func screens(_ programme: String = Self.programme) throws -> Screens {
        var screens = try Screens(
            [show("s"), show("t"), episode("e", of: "s")], types: types, programme: programme)
        try screens.watchSections(of: "home")
        return screens
    }

    private func counts(_ screens: inout Screens) throws -> [String?] {
        try screens.section("shows").cards.map(\.subtitle)
    }

    @Test func `Added, removed and moved records change the items that count them, without a scan`() throws {
        var screens = try screens()
        #expect(try counts(&screens) == ["one episode", "0 episodes"])
        let scanned = screens.catalogue.records.scanned
        let counting = ["again", "rows", "shows"]
        func sections(_ change: Change) throws -> [String] { try cost(of: change, in: &screens).sections }

        #expect(try sections(episode("f", of: "s")) == ["again", "episodes", "rows", "shows"])
        #expect(try counts(&screens) == ["2 episodes", "0 episodes"])
        #expect(try sections(episode("f", of: "t")) == counting)
        #expect(try counts(&screens) == ["one episode", "one episode"])
        let played = try cost(of: episode("f", of: "t", plays: 5), in: &screens)
        #expect(played.sections == [] && played.work.items == 1, "only the item of the episode: \(played.work)")
        #expect(try sections(episode("f", of: "gone")) == counting)
        #expect(try counts(&screens) == ["one episode", "0 episodes"])
        #expect(try sections(.remove("episode", "e")) == ["again", "episodes", "rows", "shows"])
        #expect(try counts(&screens) == ["0 episodes", "0 episodes"])
        #expect(try sections(show("gone")) == ["again", "plain", "rows", "shows"])
        #expect(try counts(&screens) == ["one episode", "0 episodes", "0 episodes"])
        let rows = try screens.section("rows").items.map { try types.set.schema.followers(inRow: $0.body) }
        #expect(rows == ["1", "0", "0"])
        #expect(screens.catalogue.records.scanned == scanned)
    }

    @Test func `A programme that counts again includes the records added meanwhile`() throws {
        var screens = try screens()
        let without = Self.programme.replacing(Self.counted, with: "none").replacing(
            "followers: $count(episode by show)", with: "followers: 1")
        try screens.commit([.programme(without)])
        _ = screens.renew()
        try screens.commit([episode("f", of: "s")])
        _ = screens.renew()
        try screens.commit([.programme(Self.programme)])
        _ = screens.renew()
        #expect(try counts(&screens) == ["2 episodes", "0 episodes"])
    }

    @Test(arguments: [
        ("$count(episod by show)", "there is no type 'episod'; did you mean 'episode'?"),
        ("$count(episode by shwo)", "podcast.v1.Episode has no field 'shwo'; did you mean 'show'?"),
        (
            "$count(episode by topics)",
            "'topics' of episode isn't a reference to show; declare it with the type episode: 'references: {topics: show}'"
        ),
        ("$count(episode by show by show)", "records are counted as in '$count(episode by show)'"),
        ("{$count(episode by show) | date}", "'date' formats a google.protobuf.Timestamp"),
    ])
    func `Mistakes are named with their line and cure`(template: String, reason: String) {
        let found = mistakes(Self.programme.replacing(Self.counted, with: template), types)
        #expect(found.first?.hasPrefix("p.yaml:6: ") == true && found.first?.contains(reason) == true, "\(found)")
    }

    @Test func `A count needs an index, as a condition does`() throws {
        let text = try Podcasts.text("types.yaml").replacing("facets: [show, topics]", with: "facets: [topics]")
        #expect(
            mistakes(Self.programme, try Podcasts.types(text)).first
                == "p.yaml:6: 'show' of episode isn't indexed for that; declare it with the type: 'facets: [topics, show]'"
        )
    }

    @Test func `A search, a screen's title and an item without a record can't count`() {
        func first(_ more: String) -> String? { mistakes(Self.programme + "\n" + more, types).first }
        let search = "search: {of: [show], body: {show: {card: {title: $count(episode by show)}}}}"
        #expect(first(search)?.contains("the result of a search can't count other records") == true)
        let title =
            "  show/$id: {title: $count(episode by show), sections: [{id: d, kind: detail, source: {record: {type: show, id: $id}}}]}"
        #expect(first(title)?.contains("a screen's title can show its own record, but no other ones") == true)
        let inline =
            "  x: {title: T, sections: [{id: d, kind: list, source: {items: [{id: a, card: {title: $count(episode by show)}}]}}]}"
        #expect(first(inline)?.contains("counts the records that refer to a record, and there is none here") == true)
    }

    private func mistakes(_ programme: String, _ types: RecordTypes) -> [String] {
        do {
            _ = try Programme.parse(text: programme, file: "p.yaml", types: types.set)
            return []
        } catch {
            return error.mistakes.map(\.description)
        }
    }
}

extension DescriptorSet {
    /// The followers in a row of the podcast app.
    fileprivate func followers(inRow bytes: [UInt8]) throws -> String? {
        let coder = try RecordCoder(set: self, message: "podcast.v1.ShowRow", name: "row")
        return try FieldPath("followers", message: coder.message, set: self).value(in: bytes)?.text
    }
}

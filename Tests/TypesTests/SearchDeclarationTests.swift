import Testing

@testable import MarqueeTypes

/// The search declaration of a type.
struct SearchDeclarationTests {
    private func set(_ show: String, _ episode: String = "") throws -> TypeSet {
        let text = """
            descriptors: podcast.desc
            types:
              show: {message: podcast.v1.Show, id: slug, localized: [title]\(show)}
              episode: {message: podcast.v1.Episode, id: guid\(episode)}
            """
        return try TypeSet(text, file: "types.yaml", descriptors: Fixtures.bytes("podcast.desc"))
    }

    private func show(_ search: String) throws -> TypeDeclaration { try #require(set(search).type("show")) }

    private func reasons(_ episode: String) throws -> [String] {
        let error = #expect(throws: FileMistakes.self) { try set("", ", search: " + episode) }
        return try #require(error).mistakes.map(\.description)
    }

    @Test func `Fields are given as a list, or with a rank`() throws {
        let plain = try show(", search: [title, author]")
        #expect(plain.search.map(\.path.text) == ["title", "author"] && plain.searchRank == nil)
        let ranked = try show(", search: {fields: [title], rank: year}")
        #expect(ranked.search.map(\.path.text) == ["title"] && ranked.searchRank?.text == "year")
        #expect(try show("").isSearched == false)
    }

    @Test func `A rank is a number or a time`() throws {
        for (field, json, rank) in [
            ("plays", #"{"plays": "7"}"#, 7), ("plays", "{}", 0), ("rating", #"{"rating": -2.5}"#, -2.5),
            ("rating", "{}", nil), ("published", #"{"published": "1970-01-01T00:01:00.500Z"}"#, 60.5),
            ("published", "{}", nil), ("audio.bytes", #"{"audio": {"bytes": "9"}}"#, 9), ("audio.bytes", "{}", nil),
        ] as [(String, String, Double?)] {
            let type = try #require(set("", ", search: {fields: [title], rank: \(field)}").type("episode"))
            let record = try type.coder.patch(json: Array(json.utf8)).record
            #expect(type.searchRank(of: record) == rank, "\(field) of \(json)")
        }
    }

    @Test(arguments: [
        (
            "{fields: [title], rank: title}",
            "types.yaml:4: 'title' is declared as string; a search is ordered by a number, a time or a duration that occurs once"
        ),
        ("{fields: [title], rank: topics}", "types.yaml:4: 'topics' is declared as repeated string; a search is"),
        ("{fields: [title], rank: play}", "types.yaml:4: 'rank': podcast.v1.Episode has no field 'play'"),
        ("{rank: plays}", "types.yaml:4: 'search' needs 'fields'"),
        ("{fields: [title], by: plays}", "types.yaml:4: 'search' has no key 'by'"),
        ("title", "types.yaml:4: 'search' must be a list"),
        ("[title, title]", "types.yaml:4: 'search' names 'title' twice"),
    ])
    func `A wrong search is reported at its line`(search: String, reason: String) throws {
        let found = try reasons(search)
        #expect(found.count == 1 && found.first?.hasPrefix(reason) == true, "\(found)")
    }

    @Test func `A signature depends on what is searched, not on how it is written`() throws {
        let signatures = try [
            ", search: [title]", ", search: [author]", ", search: [title, author]", ", search: [author, title]",
            ", search: {fields: [title], rank: year}", ", search: [topics]",
        ].map { try show($0).searchSignature }
        #expect(Set(signatures).count == signatures.count, "\(signatures)")
        #expect(try show(", search: {fields: [title]}, facets: [topics]").searchSignature == signatures[0])
    }

    @Test func `A new rank is named among the changes`() throws {
        let changes = try set(", search: [title]").changes(
            to: set(", search: {fields: [title], rank: year}"), inUse: TypesInUse(records: ["show"]))
        #expect(changes.isCompatible)
        #expect(changes.compatible == ["the type 'show' has a new rank of its search 'year'"])
    }
}

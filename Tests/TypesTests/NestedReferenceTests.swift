import Testing

@testable import MarqueeTypes

/// References in the messages of a list, such as `summary.locale`.
@Suite struct NestedReferenceTests {
    private func set(_ references: String) throws -> TypeSet {
        try TypeSet(
            """
            descriptors: podcast.desc
            types:
              show: {message: podcast.v1.Show, id: slug}
              episode:
                message: podcast.v1.Episode
                id: guid
                references: {\(references)}
            """, file: "types.yaml", descriptors: Fixtures.bytes("podcast.desc"))
    }

    @Test func `A reference may lead through a list`() throws {
        let type = try #require(try set("show: show, chapters.title: show, summary.locale: show").type("episode"))
        #expect(type.references.map(\.path.text) == ["show"])
        #expect(type.nestedReferences.map(\.text) == ["chapters.title", "summary.locale"])
        #expect(type.nestedReferences.map(\.list.text) == ["chapters", "summary"])
        #expect(type.nestedReferences.map(\.reference.path.text) == ["title", "locale"])
    }

    @Test func `New and lost references are named`() throws {
        let (before, after) = (try set("chapters.title: show"), try set("summary.locale: show"))
        #expect(
            before.changes(to: after, inUse: TypesInUse()).compatible == [
                "the type 'episode' has a new reference 'summary.locale'",
                "the type 'episode' loses the reference 'chapters.title'",
            ])
    }

    @Test(arguments: [
        ("chapters.titel: show", "'references': podcast.v1.Chapter has no field 'titel'; did you mean 'title'?"),
        ("chapters.start: show", "'start' is declared as google.protobuf.Duration; a reference is an id"),
        ("chapters.title: shw", "there is no type 'shw'; did you mean 'show'?"),
        ("chapters: show", "'chapters' is declared as repeated podcast.v1.Chapter; a reference is an id"),
    ])
    func `A mistake is reported with its line`(references: String, reason: String) {
        do {
            _ = try set(references)
            Issue.record("it was accepted")
        } catch {
            let mistakes = (error as? FileMistakes)?.mistakes ?? []
            #expect(mistakes.count == 1)
            #expect(mistakes.first?.description.hasPrefix("types.yaml:7: \(reason)") == true, "\(mistakes)")
        }
    }
}

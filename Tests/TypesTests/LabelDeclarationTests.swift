import Testing

@testable import MarqueeTypes

/// Labels of values in the declaration of types.
@Suite struct LabelDeclarationTests {
    private func declaration(_ labels: String) -> String {
        """
        descriptors: podcast.desc
        types:
          episode:
            message: podcast.v1.Episode
            id: guid
            labels: \(labels)
        """
    }

    private func mistakes(_ labels: String) throws -> [String] {
        do {
            _ = try TypeSetTests.types(declaration(labels))
            return []
        } catch let error as FileMistakes {
            return error.mistakes.map(\.description)
        }
    }

    @Test func `A label is for all locales, or in the first preferred one that it has, else in its first`() throws {
        let text = declaration("{kind: {KIND_FULL: Whole, KIND_TRAILER: {ko: 예고편, en: Teaser}}, topics: {food: Food}}")
        let labels = try #require(try TypeSetTests.types(text).type("episode")?.labels)
        #expect(labels.map(\.path.text) == ["kind", "topics"])
        let kind = labels[0]
        #expect(kind.text(of: "KIND_FULL", locales: ["pl", "en"]) == "Whole")
        #expect(kind.text(of: "KIND_TRAILER", locales: ["pl", "en"]) == "Teaser")
        #expect(kind.text(of: "KIND_TRAILER", locales: ["pl"]) == "예고편")
        #expect(kind.text(of: "KIND_UNSPECIFIED", locales: ["en"]) == nil)
        #expect(labels[1].text(of: "food", locales: []) == "Food")
    }

    @Test(arguments: [
        ("{kind: {KIND_FUL: a}}", "podcast.v1.Kind has no value 'KIND_FUL'; did you mean 'KIND_FULL'?"),
        ("{kid: {KIND_FULL: a}}", "'labels': podcast.v1.Episode has no field 'kid'; did you mean 'kind'?"),
        ("{plays: {\"1\": a}}", "'plays' is declared as uint64; labels are for the values of an enum or a text"),
        ("{kind: {KIND_FULL: {}}}", "the label of 'KIND_FULL' is empty"),
        ("{kind: {KIND_FULL: \"\"}}", "the label of 'KIND_FULL' is empty"),
        ("{kind: {KIND_FULL: {en: [a]}}}", "the label of 'KIND_FULL' (en) must be text"),
        ("{kind: Full}", "the labels of 'kind' must be a mapping"),
        ("[kind]", "'labels' must be a mapping"),
    ])
    func `A wrong label is reported at its line`(labels: String, reason: String) throws {
        #expect(try mistakes(labels) == ["types.yaml:6: \(reason)"])
    }

    @Test func `Labels are bounded`() throws {
        func labels(_ count: Int) -> String { "{topics: {\((0..<count).map { "t\($0): a" }.joined(separator: ", "))}}" }
        #expect(try mistakes(labels(TypeLimits.labels)) == [])
        #expect(
            try mistakes(labels(TypeLimits.labels + 1)) == [
                "types.yaml:6: the labels of 'topics' has 257 entries; at most 256 are allowed"
            ])
        let long = String(repeating: "a", count: TypeLimits.labelBytes + 1)
        #expect(try mistakes("{topics: {a: \(long)}}") == ["types.yaml:6: the label of 'a' is longer than 256 bytes"])
    }

    @Test func `Other labels are a compatible change`() throws {
        func types(_ labels: String) throws -> TypeSet { try TypeSetTests.types(declaration(labels)) }
        let changes = try types("{kind: {KIND_FULL: Whole}}").changes(
            to: types("{kind: {KIND_FULL: All}, topics: {a: A}}"), inUse: TypesInUse(records: ["episode"]))
        #expect(
            changes.compatible == [
                "the type 'episode' has a new set of labels of 'topics'",
                "the type 'episode' has other labels of 'kind'",
            ])
        #expect(changes.isCompatible)
    }
}

import Foundation
import Testing

@testable import MarqueeTypes

/// Checks that the reference of types in `Docs/your-data.md` is true.
struct DocumentationTests {
    private let page: String

    init() throws { page = try String(contentsOf: Fixtures.root.appending(path: "Docs/your-data.md"), encoding: .utf8) }

    /// The page's code blocks in a language.
    private func blocks(_ language: String) -> [String] {
        page.components(separatedBy: "```\(language)\n").dropFirst().map { $0.components(separatedBy: "```\n")[0] }
    }

    private func types() throws -> TypeSet {
        try TypeSet(try #require(blocks("yaml").first), file: "types.yaml", descriptors: Fixtures.bytes("docs.desc"))
    }

    @Test func `The page's schema is the one that tests use`() throws {
        #expect(blocks("proto schema") == [String(decoding: try Fixtures.bytes("docs.proto"), as: UTF8.self)])
    }

    @Test func `The declaration is read`() throws {
        let set = try types()
        #expect(set.types.map(\.alias) == ["show", "episode"])
        #expect(set.collections.map(\.name) == ["favorites", "progress"])
        for type in set.types { #expect(!type.search.isEmpty && !type.sorts.isEmpty && !type.localized.isEmpty) }
    }

    @Test func `The record in the page is valid`() throws {
        let episode = try #require(types().type("episode"))
        let record = try episode.coder.record(try #require(blocks("json").first))
        #expect(try episode.id(of: record) == "ep-1")
        #expect(record.count < 150)
        #expect(page.contains(episode.coder.refusal(#"{"audio": {"second": 1}}"#)))
    }

    @Test func `The page's mistake is reported`() throws {
        let text = try #require(blocks("yaml").first).replacing("sorts: [title]", with: "sorts: [titel]")
        let error = #expect(throws: FileMistakes.self) {
            try TypeSet(text, file: "types.yaml", descriptors: Fixtures.bytes("docs.desc"))
        }
        #expect(page.contains(try #require(error).description))
    }

    @Test func `Every key is explained`() {
        let keys = [
            "descriptors", "package", "types", "collections", "message", "fields", "id", "kind", "search", "sorts",
            "facets", "references", "localized", "labels", "of", "value",
        ]
        for key in keys {
            #expect(page.split(separator: "\n").contains { $0.hasPrefix("| `\(key)` |") }, "\(key)")
        }
    }

    @Test func `The page's limits are the actual ones`() {
        for words in [
            "at most \(TypeLimits.types)", "at most \(TypeLimits.collections)", "at most \(TypeLimits.indexes) sorts",
            "at least \(TypeLimits.firstKind)", "at most \(TypeLimits.valueBytes) bytes",
            "at most \(TypeLimits.labels) of a field", "at most \(TypeLimits.aliasBytes) bytes",
            "at most \(RecordLimits.bytes >> 10) KiB",
            "messages \(RecordLimits.depth) deep", "at most \(DescriptorLimits.setBytes >> 20) MiB",
        ] {
            #expect(page.contains(words), "\(words)")
        }
    }
}

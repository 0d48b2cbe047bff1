import Foundation
import Testing

@Suite("The README")
struct ReadmeTests {
    @Test func `The README quotes the embedding sample exactly`() throws {
        let root = Harness.samples.deletingLastPathComponent().deletingLastPathComponent()
        let readme = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
        let sample = try String(
            contentsOf: root.appending(path: "Samples/Embedding/Sources/Embedding/main.swift"), encoding: .utf8)
        #expect(readme.contains(sample.trimmingCharacters(in: .whitespacesAndNewlines)))
    }
}

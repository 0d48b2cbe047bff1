import Foundation
import Testing

@Suite("The README")
struct ReadmeTests {
    @Test func `The README's code is that of the embedding sample`() throws {
        let root = Harness.samples.deletingLastPathComponent().deletingLastPathComponent()
        let readme = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
        let sample = try String(
            contentsOf: root.appending(path: "Samples/Embedding/Sources/Embedding/main.swift"), encoding: .utf8)
        let blocks = readme.components(separatedBy: "```swift\n").dropFirst().map {
            $0.components(separatedBy: "\n```")[0]
        }
        #expect(!blocks.isEmpty)
        // A line of a manifest is none of the sample's code.
        for block in blocks where !block.hasPrefix(".package") { #expect(sample.contains(block)) }
    }
}

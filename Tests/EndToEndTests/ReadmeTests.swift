import Foundation
import Testing

@Suite("The README")
struct ReadmeTests {
    @Test func `The README's app is a sample, to the letter`() throws {
        let root = Harness.samples.deletingLastPathComponent().deletingLastPathComponent()
        let readme = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
        let sample = try String(contentsOf: root.appending(path: "Samples/FilmsApp/FilmsApp.swift"), encoding: .utf8)
        let blocks = readme.components(separatedBy: "```swift\n").dropFirst().map {
            $0.components(separatedBy: "```")[0]
        }
        #expect(blocks.first == sample)
        // All others are lines of a manifest.
        #expect(blocks.dropFirst().allSatisfy { $0.hasPrefix(".package") })
    }
}

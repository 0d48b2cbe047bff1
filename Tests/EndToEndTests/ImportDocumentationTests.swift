import Foundation
import Testing

/// `Docs/your-data.md`: its commands print what it says, and write the files that it quotes.
@Suite("The page about imports of records", .timeLimit(.minutes(5)))
struct ImportDocumentationTests {
    private struct Block {
        var language: String
        /// The word after the language.
        var name: String
        var text: String
    }

    private static let sample = Harness.samples.deletingLastPathComponent().appending(path: "dives")
    private static let page = Harness.samples.deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Docs/your-data.md")

    private let folder = FileManager.default.temporaryDirectory.appending(path: "marquee-import-\(UUID().uuidString)")

    private func blocks() throws -> [Block] {
        var blocks: [Block] = []
        for (index, part) in try String(contentsOf: Self.page, encoding: .utf8).components(separatedBy: "```")
            .enumerated()
        where index % 2 == 1 {
            let end = part.firstIndex(of: "\n") ?? part.endIndex
            let words = part[..<end].split(separator: " ").map(String.init)
            blocks.append(
                Block(
                    language: words.first ?? "", name: words.dropFirst().first ?? "",
                    text: String(part[end...].dropFirst())))
        }
        return blocks
    }

    @Test func `The table is quoted exactly`() throws {
        let table = try String(contentsOf: Self.sample.appending(path: "dives.csv"), encoding: .utf8)
        #expect(try blocks().contains { $0.language == "csv" && $0.text == table })
    }

    @Test func `Every command prints what the page says`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.copyItem(at: Self.sample, to: folder)
        var server: RunningProcess?
        var address = ""
        var expected: (command: String, output: String)?
        var (commands, files) = (0, 0)
        for block in try blocks() {
            switch (block.language, block.name) {
            case ("csv", let name) where !name.isEmpty:
                try block.text.write(to: folder.appending(path: name), atomically: true, encoding: .utf8)
            case ("sh", "serve"):
                let words = words(block.text)
                let process = try RunningProcess(
                    words[0], Array(words.dropFirst()) + ["--listen", "127.0.0.1:0"], in: folder)
                server = process
                let ready = try await process.line(with: " ready on ")
                address = try #require(ready.firstMatch(of: #/127\.0\.0\.1:\d+/#)).output.description
                expected = (block.text, ready.replacing(address, with: "127.0.0.1:7420") + "\n")
            case ("sh", _):
                var words = words(block.text).map { $0.replacing("127.0.0.1:7420", with: address) }
                if words[0] == "marquee" { words += ["--server", address] }
                let process = try RunningProcess(words[0], Array(words.dropFirst()), in: folder)
                _ = try await process.ended()
                commands += 1
                expected = (block.text, process.errors + process.output)
            case ("yaml", "types"), ("yaml", "source"):
                let written = folder.appending(path: "made/\(block.name).yaml")
                #expect(try String(contentsOf: written, encoding: .utf8) == block.text)
                files += 1
            case ("text", _):
                let run = try #require(expected)
                #expect(run.output == block.text, "\(run.command)")
                expected = nil
            default: break
            }
        }
        #expect(commands == 7 && files == 2)
        #expect(try await server?.stop(SIGTERM) == 0)
    }

    private func words(_ line: String) -> [String] { line.split(whereSeparator: \.isWhitespace).map(String.init) }
}

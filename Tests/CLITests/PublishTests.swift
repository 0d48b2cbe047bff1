import Foundation
import MarqueeClient
import MarqueeModel
import Testing

@testable import marquee

struct PublishTests {
    private func documents(_ text: String) throws -> [Document] {
        let path = NSTemporaryDirectory() + "marquee-\(UUID().uuidString).ndjson"
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        var feed = try FeedReader(path: path, inBlocks: false, updatesOnly: false)
        defer { feed.close() }
        var documents: [Document] = []
        while let part = try feed.next() {
            switch part {
            case .change(let document): documents.append(document)
            case .blank: continue
            case .flaw(let failure): throw failure
            }
        }
        return documents
    }

    @Test func `Lines are numbered and blank ones skipped`() throws {
        #expect(
            try documents("{\"a\":1}\n\n  \r\n{\"b\":\"기\"}\r\n{\"c\":3}") == [
                Document(line: 1, text: "{\"a\":1}"), Document(line: 4, text: "{\"b\":\"기\"}\r"),
                Document(line: 5, text: "{\"c\":3}"),
            ])
        #expect(try documents("").isEmpty)
    }

    @Test func `A blank line ends a block`() throws {
        let path = NSTemporaryDirectory() + "marquee-\(UUID().uuidString).ndjson"
        try Data("{\"a\":1}\n{\"b\":2}\n \n{\"c\":3}\n\n".utf8).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        var reader = try DocumentReader(path: path)
        defer { reader.close() }
        var lines: [DocumentReader.Line] = []
        while let line = try reader.nextLine() { lines.append(line) }
        #expect(
            lines == [
                .document(Document(line: 1, text: "{\"a\":1}")), .document(Document(line: 2, text: "{\"b\":2}")),
                .blank,
                .document(Document(line: 4, text: "{\"c\":3}")), .blank,
            ])
    }

    @Test(arguments: [
        ("{\"a\":1}\n[1]\n", ":2: a change is a JSON object"), ("7", ":1: a change is a JSON object"),
        ("{\"a\":\n", ":1: this is not JSON"),
        (
            "{\"a\":\"\(String(repeating: "x", count: DocumentReader.maximumBytes))\"}",
            ":1: the line is longer than 60,000 bytes"
        ),
    ])
    func `A mistake is reported with file and line`(_ text: String, _ message: String) {
        #expect { try documents(text) } throws: {
            guard let failure = $0 as? Failure else { return false }
            return failure.status == .dataError && failure.message.contains(message)
        }
    }

    @Test func `A feed goes on after a bad line, however long that is`() throws {
        let long = String(repeating: "x", count: 3 * DocumentReader.maximumBytes)
        let path = NSTemporaryDirectory() + "marquee-\(UUID().uuidString).ndjson"
        let text = "{\"a\":1}\n{\"b\":\n\n{\"c\":\"\(long)\"}\n7\n{\"d\":4}\n{\"e\":\"\(long)\"}"
        try (Data(text.utf8) + Data([0x0A, 0xFF, 0x0A])).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        var reader = try DocumentReader(path: path)
        defer { reader.close() }
        var lines: [String] = []
        while let line = try reader.nextLine() {
            switch line {
            case .blank: lines.append("")
            case .document(let document): lines.append("\(document.line) \(document.text)")
            case .flawed(let line, let reason): lines.append("\(line) \(reason.prefix(11))")
            }
        }
        #expect(
            lines == [
                "1 {\"a\":1}", "2 this is not", "", "4 the line is", "5 a change is", "6 {\"d\":4}", "7 the line is",
                "8 the line is",
            ])
    }

    @Test func `Bad lines are allowed up to a limit`() throws {
        let failure = Failure(.dataError, "f:1: bad")
        var none = BadLines(limit: 0)
        #expect { try none.add(failure) } throws: { ($0 as? Failure)?.message == "f:1: bad" }
        var two = BadLines(limit: 2)
        try two.add(failure)
        try two.add(failure)
        #expect { try two.add(failure) } throws: {
            ($0 as? Failure)?.message == "f:1: bad; that is more than the 2 that --max-bad allows"
        }
        #expect(two.count == 2)
        for wrong in [["--max-bad", "1"], ["--each", "--max-bad", "-1"]] {
            #expect(throws: (any Error).self) { try PublishCommand.parse(["-"] + wrong) }
        }
        #expect(try PublishCommand.parse(["-", "--each", "--max-bad", "7"]).maxBad == 7)
    }

    @Test(arguments: [
        (#"{"merge": {"type": "a", "n": 1.50}}"#, #"{"merge": {"create":false,"type": "a", "n": 1.50}}"#),
        (#" { "merge" :{}}"#, #" { "merge" :{"create":false}}"#),
        (#"{"merge": {"create": false}}"#, #"{"merge": {"create": false}}"#), (#"{"remove": {}}"#, #"{"remove": {}}"#),
        (#"{"merge": {"create": true}}"#, nil), (#"{"put": {"type": "a"}}"#, nil),
        (#"{"m\u0065rge": {"type": "a"}}"#, nil),
    ])
    func `A feed that only updates creates no record`(text: String, sent: String?) {
        let line = DocumentReader.Line.document(Document(line: 3, text: text)).updatingOnly
        if let sent {
            #expect(line == .document(Document(line: 3, text: sent)))
        } else if case .flawed(let number, _) = line {
            #expect(number == 3)
        } else {
            Issue.record("\(line)")
        }
    }

    @Test func `A missing file has its own exit code`() {
        #expect { try DocumentReader(path: "/nonexistent/x") } throws: { ($0 as? Failure)?.status == .noInput }
    }

    @Test func `The server's count becomes a line of the file`() {
        var batch = PublishBatch()
        batch.add(Document(line: 3, text: "{}"))
        batch.add(Document(line: 9, text: "{}"))
        let refusal = Status(.invalidArgument, reason: "CHANGE_INVALID", remedy: .fatal, message: "change 2: no title")
        let failure = batch.failure(ClientError(refusal), of: "f.ndjson")
        #expect(failure.message == "f.ndjson:9: no title")
        #expect(failure.status == .dataError)
    }

    @Test func `A batch has a limit`() {
        var batch = PublishBatch()
        batch.add(Document(line: 1, text: "{}"))
        #expect(batch.hasRoom(for: Document(line: 2, text: "{}"), limit: 2))
        #expect(!batch.hasRoom(for: Document(line: 2, text: "{}"), limit: 1))
    }
}

import Foundation
import MarqueeClient
import MarqueeModel
import MarqueeScreenJSON
import MarqueeTypes
import Testing

@testable import marquee

/// Records that items carry, read by a schema from a file.
@Suite("Records in output")
struct RecordOutputTests {
    private static let sample = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Samples/dives")

    /// A dive's depth and guide, and two fields that its schema doesn't have.
    private static let bytes: [UInt8] =
        [0x0A, 1, 0x61, 0x21] + withUnsafeBytes(of: (12.5).bitPattern.littleEndian) { Array($0) }
        + [0x42, 6, 0x0A, 2, 0x42, 0x6F, 0x48, 7, 0xE8, 0x07, 1]

    private func reader(_ file: String) throws -> RecordReader {
        try RecordReader(path: Self.sample.appending(path: file).path)
    }

    private func card(_ message: String, _ bytes: [UInt8]) -> ScreenItem {
        Cards.item("a", "Blue cave") { $0.record = CardContent.Record(message: message, bytes: bytes) }
    }

    @Test func `a card's record is printed field by field, and unknown fields are named`() throws {
        let line = try ContentJSON.item(card("reef.v1.Dive", Self.bytes), reader("dive.desc")).line()
        let item = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? NSDictionary)
        let record = (item["content"] as? NSDictionary)?["record"] as? NSDictionary
        #expect(
            record == [
                "message": "reef.v1.Dive", "bytes": Data(Self.bytes).base64EncodedString(),
                "fields": ["code": "a", "depth": 12.5, "guide": ["name": "Bo"]], "unknownFields": ["125", "guide.9"],
            ])
    }

    @Test func `an item that is a record needs the declaration of types`() throws {
        let types = try TypeSet(
            String(contentsOf: Self.sample.appending(path: "types.yaml"), encoding: .utf8), file: "types.yaml",
            descriptors: [UInt8](Data(contentsOf: Self.sample.appending(path: "dive.desc"))))
        let kind = try #require(types.type("dive")).kind
        let item = Screens.item("a", kind, .encoded(kind: kind, bytes: [0x0A, 1, 0x61]))
        #expect(item.record?.message == nil)
        #expect(item.record?.bytes == [0x0A, 1, 0x61])
        let line = try ContentJSON.item(item, reader("types.yaml")).line()
        #expect(line.contains(#""fields":{"code":"a"}"#))
        let unknown = try ContentJSON.item(item, reader("dive.desc")).line()
        #expect(unknown.contains("give --descriptors the declaration of types"))
        #expect(!ContentJSON.item(item).line().contains("fields"))
    }

    @Test func `lines for people have the record below the item`() throws {
        let printer = ScreenPrinter(columns: 40, rows: 10, style: .plain, records: try reader("dive.desc"))
        let lines = printer.rows(of: [card("reef.v1.Dive", Self.bytes), Cards.item("b", "No record")])
        #expect(lines.count == 3)
        #expect(
            lines[1] == #"      {"code":"a","depth":12.5,"guide":{"name":"Bo"}}  (and the unknown fields 125, guide.9)"#
        )
    }

    @Test(arguments: [
        ("reef.v1.Diver", [0x0A, 1, 0x61], "there is no message 'reef.v1.Diver'; did you mean 'reef.v1.Dive'?"),
        ("reef.v1.Dive", [0x0A, 9], "these bytes are not protobuf"),
    ])
    func `what can't be read says why`(message: String, bytes: [UInt8], words: String) throws {
        let line = try ContentJSON.item(card(message, bytes), reader("dive.desc")).line()
        #expect(line.contains(#""fieldsError":""#) && line.contains(words), "\(line)")
    }

    @Test(arguments: ["nothing.desc", "dives.csv", "mapping.yaml"])
    func `a file that isn't a schema is refused`(file: String) {
        #expect(throws: Failure.self) { try reader(file) }
    }
}

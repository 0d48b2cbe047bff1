import MarqueeDiff
import SeededRandom
import Testing

@testable import MarqueeTypes

/// Publishers' protobuf, turned into canonical bytes.
struct CanonicalRecordTests {
    private let kitchen: RecordCoder

    init() throws { kitchen = try Fixtures.coder("kitchen.v1.Kitchen", name: "k") }

    private func field(_ number: UInt32, _ bits: UInt64) -> [UInt8] {
        var writer = WireWriter()
        writer.tag(number, .varint)
        writer.varint(bits)
        return writer.bytes
    }

    private func field(_ number: UInt32, _ content: [UInt8]) -> [UInt8] {
        var writer = WireWriter()
        writer.tag(number, .lengthPrefixed)
        writer.lengthPrefixed(content)
        return writer.bytes
    }

    @Test func `Fields ascend, and the last value counts`() throws {
        let bytes = field(11, 1) + field(5, 7) + field(5, 8) + field(9, Array("x".utf8))
        #expect(try kitchen.record(bytes: bytes) == field(5, 8) + field(9, Array("x".utf8)) + field(11, 1))
    }

    @Test func `Bytes are taken as they are only if none could be spared`() throws {
        #expect(kitchen.isPlainlyCanonical(field(5, 7) + field(9, Array("x".utf8)) + field(41, 0)))
        let others: [[UInt8]] = [
            field(9, [0xFF]), field(9, [0]), field(5, 7) + field(5, 8), field(9, [0x78]) + field(5, 7), field(5, 0),
            [5 << 3, 0x87, 0], [0x80 | 5 << 3, 0, 7], [9 << 3 | 2, 0x81, 0, 0x78], field(200, 1),
            field(5, 7) + [9 << 3],
            field(22, [1, 2]), field(17, field(1, 2)), field(51, Array("a".utf8)),
            [5 << 3 | 1] + [1, 0, 0, 0, 0, 0, 0, 0],
        ]
        for bytes in others { #expect(!kitchen.isPlainlyCanonical(bytes), "\(bytes)") }
    }

    @Test func `Defaults without presence are left out`() throws {
        #expect(try kitchen.record(bytes: field(5, 0) + field(9, [UInt8]()) + field(41, 0)) == field(41, 0))
    }

    @Test func `A message that occurs twice is merged`() throws {
        let bytes = field(17, field(1, 2)) + field(17, field(2, 4))
        #expect(try kitchen.record(bytes: bytes) == field(17, field(1, 2) + field(2, 4)))
    }

    @Test func `In a oneof the last member counts`() throws {
        #expect(try kitchen.record(bytes: field(51, Array("a".utf8)) + field(52, 5)) == field(52, 5))
    }

    @Test func `Numbers are packed as the schema says`() throws {
        #expect(try kitchen.record(bytes: field(22, 1) + field(22, 2)) == field(22, [1, 2]))
        #expect(try kitchen.record(bytes: field(23, [2, 4])) == field(23, 2) + field(23, 4))
    }

    @Test func `Map entries ascend, and the last of a key counts`() throws {
        func entry(_ key: String, _ value: String) -> [UInt8] {
            field(31, field(1, Array(key.utf8)) + field(2, Array(value.utf8)))
        }
        let bytes = entry("ko", "1") + entry("en", "2") + entry("ko", "3") + field(31, [UInt8]())
        #expect(try kitchen.record(bytes: bytes) == entry("", "") + entry("en", "2") + entry("ko", "3"))
    }

    @Test func `Unknown fields stay by number in their order`() throws {
        let bytes = field(200, 1) + field(19, [1, 2]) + field(5, 7) + field(19, 3) + field(11, 1)
        let record = try kitchen.record(bytes: bytes)
        #expect(record == field(5, 7) + field(11, 1) + field(19, [1, 2]) + field(19, 3) + field(200, 1))
        #expect(CanonicalBody.isCanonical(record))
        #expect(try kitchen.json(of: record) == #"{"anInt32":7,"aUint32":1}"#)
        #expect(try kitchen.record(bytes: record) == record)
    }

    @Test func `Every encoding of a number becomes the same bytes`() throws {
        // -1 as an int32 in 5 bytes, a bool of 2, a tag and a length longer than they need to be.
        #expect(try kitchen.record(bytes: [0x28, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F]) == field(5, UInt64.max))
        #expect(try kitchen.record(bytes: field(8, 2)) == field(8, 1))
        #expect(try kitchen.record(bytes: [0xCA, 0x00, 0x81, 0x00, 0x61]) == field(9, [0x61]))
    }

    @Test(
        arguments: [
            ([0x08, 0x01], "k.aDouble: the encoding should be 8 bytes, not a varint"),
            ([0x4A, 0x01, 0xFF], "k.aString: text is expected: valid UTF-8 without NUL"),
            ([0x4A, 0x01, 0x00], "k.aString: text is expected: valid UTF-8 without NUL"),
            ([0x4A, 0x05, 0x61], "k: these bytes are not protobuf: field 9 is longer than its message"),
            ([0x28], "k: these bytes are not protobuf: a number ends early"),
            ([0x2B], "k: these bytes are not protobuf: field 5 has the wire type 3; groups are not supported"),
            ([0x00], "k: these bytes are not protobuf: a tag of 0 names no field"),
            ([0xEA, 0x03, 0x02, 0x10, 0x05], ""),
            (
                [0xEA, 0x03, 0x0B, 0x10, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01],
                "k.at: a time from 0001-01-01 to 9999-12-31 is expected, not 0 s and -1 ns"
            ),
        ] as [([UInt8], String)])
    func `A value that doesn't fit is named`(bytes: [UInt8], message: String) {
        #expect(kitchen.refusal(bytes: bytes) == message)
    }

    @Test func `Depth and size are bounded`() throws {
        let tree = try Fixtures.coder("kitchen.v1.Tree", name: "tree")
        func nested(_ depth: Int) -> [UInt8] { (1..<depth).reduce([]) { inner, _ in field(2, inner) } }
        #expect(tree.refusal(bytes: nested(RecordLimits.depth)) == "")
        #expect(
            tree.refusal(bytes: nested(RecordLimits.depth + 1)).contains("messages are nested more than 8 deep"))
        #expect(tree.refusal(bytes: nested(5_000)).contains("messages are nested more than 8 deep"))
        #expect(tree.refusal(bytes: [UInt8](repeating: 0, count: RecordLimits.bytes + 1)).contains("65537 bytes"))
    }

    /// Bytes in which each repeated field could cost as much as all before it.
    @Test func `Repetition costs no more than its bytes`() throws {
        let point = field(17, field(99, 1))
        let many = [[UInt8]](repeating: point, count: RecordLimits.bytes / point.count).flatMap { $0 }
        let record = try kitchen.record(bytes: many)
        #expect(record.count > many.count / 2 && record.count <= many.count)
        let descending = (0..<10_000).reversed().flatMap { field(1_000 + UInt32($0), 1) }
        #expect(try kitchen.record(bytes: descending).count == descending.count)
    }

    @Test func `Stored values that a type no longer takes are kept`() throws {
        // Field 5 used to be text, and 17.1 a message.
        let stored = field(5, Array("abc".utf8)) + field(11, 1) + field(17, field(1, [1, 2]) + field(2, 4))
        #expect(try kitchen.json(of: stored) == #"{"aUint32":1,"point":{"y":2}}"#)
        let patch = try kitchen.patch(json: Array(#"{"aUint32": 2}"#.utf8))
        #expect(try kitchen.merge(patch, into: stored) == field(5, Array("abc".utf8)) + field(11, 2) + stored.suffix(9))
    }

    @Test func `An unreadable oneof member doesn't clear the others`() throws {
        let stored = field(51, Array("a".utf8)) + field(52, Array("was a text".utf8))
        #expect(try kitchen.json(of: stored) == #"{"asText":"a"}"#)
        #expect(try kitchen.merge(RecordPatch(record: []), into: stored) == stored)
    }

    @Test func `Any bytes are read or refused`() throws {
        var random = SeededGenerator(seed: 3)
        let vectors = try Fixtures.vectors().filter { $0.message == "kitchen.v1.Kitchen" }
        for vector in vectors {
            let bytes = [UInt8](vector.bytes)
            for _ in 0..<40 where !bytes.isEmpty {
                var wrong = bytes
                wrong[Int.random(in: wrong.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
                if let record = try? kitchen.record(bytes: wrong) {
                    #expect(try kitchen.record(bytes: record) == record)
                }
                _ = try? kitchen.json(of: wrong)
                _ = try? kitchen.record(bytes: Array(bytes[..<Int.random(in: bytes.indices, using: &random)]))
            }
        }
    }
}

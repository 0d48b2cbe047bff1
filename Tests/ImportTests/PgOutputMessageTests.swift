import MarqueeModel
import SeededRandom
import Testing

@testable import MarqueeImport

/// Messages as PostgreSQL 15 has sent them, for `public.product (sku text primary key, title text, price numeric)`.
enum Recorded {
    static func bytes(_ hexadecimal: String) -> [UInt8] {
        let digits = hexadecimal.filter { !$0.isWhitespace }
        return stride(from: 0, to: digits.count, by: 2).compactMap { place in
            let start = digits.index(digits.startIndex, offsetBy: place)
            return UInt8(digits[start..<digits.index(start, offsetBy: 2)], radix: 16)
        }
    }

    static let begin = bytes("42 00000000015289B8 0003046D175B5925 000002D5")
    static let relation = bytes(
        """
        52 00004000 7075626C696300 70726F6475637400 64 0003
        01 736B7500 00000019 FFFFFFFF 00 7469746C6500 00000019 FFFFFFFF 00 707269636500 000006A4 FFFFFFFF
        """)
    static let insert = bytes("49 00004000 4E 0003 74 00000002 7031 74 00000004 4C616D70 74 00000003 342E35")
    static let update = bytes("55 00004000 4E 0003 74 00000002 7031 75 6E")
    static let rename = bytes("55 00004000 4B 0003 74 00000002 7031 6E 6E 4E 0003 74 00000002 7032 74 00000001 4C 6E")
    static let delete = bytes("44 00004000 4B 0003 74 00000002 7032 6E 6E")
    static let truncate = bytes("54 00000001 00 00004000")
    static let commit = bytes("43 00 00000000015289B8 00000000015289E8 0003046D175B5925")
    static let all = [begin, relation, insert, update, rename, delete, truncate, commit]
}

@Suite struct PgOutputMessageTests {
    @Test func `Each kind of message is read`() throws {
        typealias Column = PgOutputMessage.Relation.Column
        let time: Int64 = 0x0003_046D_175B_5925
        let expected: [PgOutputMessage] = [
            .begin(PgOutputMessage.Transaction(end: LogLocation(0x0152_89B8), time: time), id: 0x02D5),
            .relation(
                PgOutputMessage.Relation(
                    id: 0x4000, schema: "public", name: "product",
                    columns: [
                        Column(name: "sku", type: 25, isKey: true), Column(name: "title", type: 25, isKey: false),
                        Column(name: "price", type: 1_700, isKey: false),
                    ])),
            .insert(relation: 0x4000, new: [.text("p1"), .text("Lamp"), .text("4.5")]),
            .update(relation: 0x4000, old: nil, new: [.text("p1"), .unchanged, .null]),
            .update(
                relation: 0x4000, old: .key([.text("p1"), .null, .null]), new: [.text("p2"), .text("L"), .null]),
            .delete(relation: 0x4000, old: .key([.text("p2"), .null, .null])),
            .truncate(relations: [0x4000]),
            .commit(PgOutputMessage.Transaction(end: LogLocation(0x0152_89E8), time: time)),
        ]
        #expect(try Recorded.all.map { try PgOutputMessage($0) } == expected)
        #expect(try PgOutputMessage(Recorded.bytes("59 00004010 7075626C696300 7374617465 00")) == .type)
        #expect(try PgOutputMessage(Recorded.bytes("4D 01 00000000015289B8 6100 00000002 6869")) == .message)
        #expect(try PgOutputMessage(Recorded.bytes("4F 00000000015289B8 6100")) == .origin)
    }

    @Test func `A message that ends anywhere else is refused, and so is one with more`() {
        for message in Recorded.all {
            for count in 0..<message.count {
                #expect(throws: PgOutputError.self) { try PgOutputMessage(Array(message.prefix(count))) }
            }
            #expect(throws: PgOutputError.self) { try PgOutputMessage(message + [0]) }
        }
    }

    @Test func `Whatever bytes come, nothing breaks`() {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<20_000 {
            var message = Recorded.all[Int.random(in: 0..<Recorded.all.count, using: &random)]
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                message[Int.random(in: 0..<message.count, using: &random)] = .random(in: .min ... .max, using: &random)
            }
            _ = try? PgOutputMessage(message)
            _ = try? StreamFrame(message)
        }
    }

    @Test func `A refusal says where`() {
        #expect(throws: PgOutputError(offset: 0, reason: "no kind of message is 122")) { try PgOutputMessage([122]) }
        #expect(throws: PgOutputError(offset: 8, reason: "no kind of value is 98")) {
            try PgOutputMessage(Recorded.bytes("49 00004000 4E 0001 62 00000000"))
        }
    }

    @Test func `Data, questions and answers of a stream have their forms`() throws {
        #expect(
            try StreamFrame(Recorded.bytes("77 0000000000000001 0000000000000002 0000000000000003") + [66])
                == .data([66]))
        #expect(
            try StreamFrame(Recorded.bytes("6B 00000001000000FF 0000000000000003 01"))
                == .keepalive(end: LogLocation(0x1_0000_00FF), wantsReply: true))
        #expect(throws: PgOutputError.self) { try StreamFrame([]) }
        let status = StreamFrame.status(LogLocation(0x0102), time: -1)
        #expect(
            status == Recorded.bytes("72 0000000000000102 0000000000000102 0000000000000102 FFFFFFFFFFFFFFFF 00"))
    }

    @Test func `Positions are read as they are written`() throws {
        var position = FollowedPosition(system: "734", timeline: 2, shape: "ab", end: LogLocation(0x16_0000_00FF))
        #expect(position.description == "pg1 734 2 ab 16/FF")
        #expect(FollowedPosition(position.description) == position)
        position.until = LogLocation(0x17_0000_0000)
        position.rows = 12
        position.isIncomplete = true
        #expect(position.description == "pg1 734 2 ab 16/FF until=17/0 rows=12 incomplete")
        #expect(FollowedPosition(position.description) == position)
        for text in ["", "pg2 734 2 ab 16/FF", "pg1 734 2 ab 16", "pg1 734 2 ab 16/FF rows=3", "pg1 734 2 ab 16/FF x"] {
            #expect(FollowedPosition(text) == nil, "\(text)")
        }
    }
}

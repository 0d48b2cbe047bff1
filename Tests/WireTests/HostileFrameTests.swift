import NIOCore
import Testing

@testable import MarqueeDiff
@testable import MarqueeModel
@testable import MarqueeWire

/// Frames that a broken or hostile peer may send, and the error code that closes its connection.
@Suite struct HostileFrameTests {
    @Test func `Random bodies either decode or throw a WireError`() {
        var generator = SeededGenerator(seed: 1)
        let kinds = SampleMessages.all.map(\.kind)
        var refused = 0
        for _ in 0..<10_000 {
            let body = (0..<Int.random(in: 0...200, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            let kind = kinds.randomElement(using: &generator) ?? .ping
            if failure(kind, RawMessage(bytes: body)) != nil { refused += 1 }
        }
        #expect(refused > 9_000)
    }

    @Test func `Samples with flipped, missing and doubled bytes don't crash`() {
        var generator = SeededGenerator(seed: 2)
        var accepted = 0
        for round in 0..<10_000 {
            let message = SampleMessages.all[round % SampleMessages.all.count]
            var body = Array(MessageCodec.encode(message).readableBytesView.dropFirst(Frame.headerBytes))
            guard let index = body.indices.randomElement(using: &generator) else { continue }
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: body[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            case 1: body.removeSubrange(index...)
            case 2: body.insert(contentsOf: body[index...], at: index)
            default: body[index] = UInt8.random(in: 0...255, using: &generator)
            }
            if failure(message.kind, RawMessage(bytes: body)) == nil { accepted += 1 }
        }
        // Not all damage is detectable, and not all is fatal.
        #expect((1..<10_000).contains(accepted))
    }

    @Test func `A sample without its last byte is truncated`() {
        for message in SampleMessages.all {
            let body = Array(MessageCodec.encode(message).readableBytesView.dropFirst(Frame.headerBytes))
            guard !body.isEmpty else { continue }
            #expect(failure(message.kind, RawMessage(bytes: body.dropLast())) == .truncated)
        }
    }

    @Test(arguments: [
        RawMessage().raw([0x08]), RawMessage().raw([0x0A, 5, 1]), RawMessage().raw([0x09, 1, 2]),
        RawMessage().raw([0x0D, 1]), RawMessage().raw([0x80]),
        RawMessage().raw([0x0A, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F]),
    ])
    func `A record that ends early is truncated`(_ message: RawMessage) {
        #expect(failure(.ping, message) == .truncated)
    }

    @Test(arguments: [
        // Field number 0; a tag of six bytes; a tag above 32 bits; a number of eleven bytes; a length of six bytes.
        RawMessage().raw([0x00, 0x01]), RawMessage().raw([0x80, 0x80, 0x80, 0x80, 0x80, 0x01]),
        RawMessage().raw([0xFF, 0xFF, 0xFF, 0xFF, 0x7F]),
        RawMessage().raw([0x08] + Array(repeating: 0x80, count: 10) + [0x01]),
        RawMessage().raw([0x7A, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00]),
    ])
    func `Bytes that aren't protobuf are malformed`(_ message: RawMessage) {
        #expect(failure(.ping, message) == .malformed)
    }

    @Test(arguments: [3, 4, 6, 7] as [UInt64])
    func `Groups and reserved wire types are refused`(_ wireType: UInt64) {
        #expect(failure(.ping, RawMessage().tag(1, wireType)) == .wrongWireType)
        #expect(failure(.ping, RawMessage().tag(100, wireType)) == .wrongWireType)
    }

    @Test(arguments: [
        (FrameKind.ping, RawMessage().field(1, [1])), (.ping, RawMessage().fixed(1, 1)),
        (.subscribe, RawMessage().number(3, 1)), (.close, RawMessage().number(1, 1)),
        (.data, RawMessage().number(2, 1)), (.data, RawMessage().number(5, 1)), (.data, RawMessage().number(4, 1)),
    ])
    func `A wire type that doesn't match the field is refused`(_ kind: FrameKind, _ message: RawMessage) {
        #expect(failure(kind, message) == .wrongWireType)
    }

    @Test func `Packed and unpacked numbers are both understood`() throws {
        let single = part(clearing: RawMessage().number(2, 5).number(2, 6))
        let packed = part(clearing: RawMessage().field(2, RawMessage.varint(5) + RawMessage.varint(6)))
        let expected = Message.data(
            Part(handle: 1, base: nil, target: 1, updates: [FieldChange(cleared: [5, 6])], count: 0))
        #expect(try decode(.data, single) == expected)
        #expect(try decode(.data, packed) == expected)
    }

    /// A part with one update containing these records.
    private func part(clearing update: RawMessage) -> RawMessage {
        RawMessage().number(1, 1).fixed(3, 1).number(8, 0).field(6, update)
    }

    @Test func `A singular submessage may not occur twice`() {
        #expect(failure(.close, RawMessage().field(1, RawMessage()).times(2)) == .repeatedSubmessage)
    }

    @Test func `Half a megabyte of repeated submessages is refused at the second`() throws {
        // protobuf-c would merge them in quadratic time: 3.8 s for these 577 KB.
        let message = RawMessage().field(1, RawMessage().number(1, 14)).times(577_000 / 4)
        #expect(message.bytes.count == 577_000)
        #expect(failure(.close, message) == .repeatedSubmessage)
    }

    @Test(
        arguments: [
            [0xFF], [0xC3], [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80],
            [0xF0, 0x80, 0x80, 0x80],
            [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0x80], [0xE2, 0x82], [0xE2, 0x28, 0xA1],
            Array("plain text, then ".utf8) + [0xFE],
        ] as [[UInt8]])
    func `Text that isn't UTF-8 is refused`(_ text: [UInt8]) {
        #expect(failure(.subscribe, RawMessage().number(1, 1).field(3, text)) == .invalidUTF8)
    }

    @Test(arguments: ["héllo", "괴물", "\u{10FFFF}\u{1F3AC}", "\u{7F}\u{80}\u{7FF}\u{800}\u{D7FF}\u{E000}\u{FFFF}"])
    func `Text with scalars of every length is accepted`(_ text: String) throws {
        let expected = Message.subscribe(Subscribe(subscription: 1, screen: text))
        #expect(try decode(.subscribe, RawMessage().number(1, 1).field(3, text)) == expected)
    }

    @Test(arguments: 0..<20)
    func `NUL in a text is refused at every position`(_ place: Int) {
        var text = Array("twenty bytes of text".utf8)
        text[place] = 0
        #expect(failure(.subscribe, RawMessage().number(1, 1).field(3, text)) == .nulInText)
    }

    @Test func `Unknown fields are limited per message`() throws {
        let known = RawMessage().number(1, 7)
        let few = known.raw(RawMessage().number(100, 1).times(32).bytes)
        #expect(try decode(.ping, few) == .ping(nonce: 7))
        let many = known.raw(RawMessage().number(100, 1).times(33).bytes)
        #expect(failure(.ping, many) == .tooManyUnknownFields)
        let tenThousand = RawMessage().field(99, "x").times(10_000)
        #expect(failure(.ping, tenThousand) == .tooManyUnknownFields)
    }

    @Test func `A packed bomb is refused before it is unpacked`() {
        // One record of a megabyte: a million numbers.
        let bomb = part(clearing: RawMessage().field(2, Array(repeating: 1, count: 1 << 20)))
        #expect(failure(.data, bomb) == .tooManyElements)
    }

    @Test func `A megabyte of tiny messages is refused`() {
        let bomb = RawMessage().field(5, RawMessage()).times(1 << 19)
        #expect(bomb.bytes.count == 1 << 20)
        #expect(failure(.data, bomb) == .tooManyElements)
    }

    @Test func `A megabyte of the same number is refused`() {
        let bomb = RawMessage().number(1, 1).times(1 << 19)
        #expect(failure(.ping, bomb, limits: .server) == .tooManyRecords)
    }

    @Test func `Exactly as many elements as the limit allows are accepted`() throws {
        var limits = WireLimits.client
        limits.elementsPerFrame = 100
        let number = RawMessage().number(2, 9)
        // The update is one element, and so is each number.
        guard case .data(let taken)? = try decode(.data, part(clearing: number.times(99)), limits: limits) else {
            Issue.record("no data")
            return
        }
        #expect(taken.updates.first?.cleared.count == 99)
        #expect(failure(.data, part(clearing: number.times(100)), limits: limits) == .tooManyElements)
    }

    @Test func `The elements of all messages in a frame count together`() {
        var limits = WireLimits.client
        limits.elementsPerFrame = 10
        // Two updates, each with five numbers: twelve elements.
        let update = RawMessage().field(2, [1, 2, 3, 4, 5])
        let part = RawMessage().number(1, 1).fixed(3, 1).number(8, 0).field(6, update).field(6, update)
        #expect(failure(.data, part, limits: limits) == .tooManyElements)
    }

    @Test func `The largest frame of items fits the arena`() throws {
        let item = RawMessage().field(1, "a").number(2, 1)
        let part = RawMessage().number(1, 1).fixed(3, 1).number(8, 1).raw(
            RawMessage().field(5, item).times(65_536).bytes)
        guard case .data(let decoded)? = try decode(.data, part) else {
            Issue.record("no data")
            return
        }
        #expect(decoded.adds.count == 65_536)
    }

    @Test func `Every error has a status for the close frame`() throws {
        for code in WireError.Code.allCases {
            let status = WireError(code, "why").status
            #expect(status.reason == code.rawValue)
            // Only errors that damage in transit can explain are worth retrying.
            let isDamage = [.frameDamaged, .frameTooShort, .frameTooLong].contains(code)
            #expect(status.remedy == (isDamage ? .retrySame : .fatal))
            #expect(status.code != .ok)
        }
    }
}

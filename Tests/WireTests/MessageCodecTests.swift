import NIOCore
import Testing

@testable import MarqueeDiff
@testable import MarqueeModel
@testable import MarqueeWire

@Suite struct MessageCodecTests {
    /// Decodes the bytes of one whole frame.
    private func message(in bytes: ByteBuffer) throws -> Message? {
        var decoder = FrameDecoder(maximumLength: Frame.maximumLength)
        decoder.append(bytes)
        let frame = try #require(try decoder.next())
        return try MessageCodec.decode(frame, limits: .client)
    }

    @Test(arguments: SampleMessages.all)
    func `Every message survives encoding and decoding`(_ original: Message) throws {
        #expect(try message(in: MessageCodec.encode(original)) == original)
    }

    @Test func `The samples cover every kind of frame`() {
        let kinds = Set(SampleMessages.all.map(\.kind.rawValue))
        #expect(kinds == Set(1...8).union(16...23).union([32, 33, 48, 49, 50]).union(64...67))
    }

    @Test(arguments: SampleMessages.all)
    func `Encoding is deterministic`(_ message: Message) {
        #expect(MessageCodec.encode(message, flags: [.last]) == MessageCodec.encode(message, flags: [.last]))
    }

    @Test func `A frame begins with length, kind, flags and checksum`() {
        let frame = MessageCodec.encode(.ping(nonce: 1), flags: [.first, .critical])
        #expect(Array(frame.readableBytesView) == [0, 0, 0, 10, 0, 3, 0, 3, 0x1D, 2, 0x2A, 0x63, 8, 1])
    }

    @Test(arguments: SampleMessages.all)
    func `Unknown fields are ignored`(_ original: Message) throws {
        var frame = try #require(try frames(of: original).first)
        frame.body.writeBytes(RawMessage().number(5_000, 1).fixed(5_001, 2).field(5_002, "more").bytes)
        #expect(try MessageCodec.decode(frame, limits: .client) == original)
    }

    @Test func `An unknown kind is skipped unless it is critical`() throws {
        let kind = FrameKind(rawValue: 999)
        #expect(try MessageCodec.decode(RawMessage().frame(kind, flags: [.first]), limits: .client) == nil)
        #expect {
            try MessageCodec.decode(RawMessage().frame(kind, flags: .critical), limits: .client)
        } throws: { error in
            let error = error as? WireError
            return error?.code == .unknownCriticalKind && error?.status.code == .unimplemented
                && error?.status.reason == "UNKNOWN_CRITICAL_KIND"
        }
    }

    @Test func `Unknown flags are ignored`() throws {
        let frame = RawMessage().number(1, 4).frame(.ping, flags: FrameFlags(rawValue: 0xFFF0))
        #expect(try MessageCodec.decode(frame, limits: .client) == .ping(nonce: 4))
    }

    @Test func `NUL in a text is replaced, and the text isn't truncated`() throws {
        let sent = Message.unsubscribe(1)
        #expect(try message(in: MessageCodec.encode(sent)) == sent)
        let text = MessageCodec.encode(.close(Status(.aborted, reason: "A\0B", remedy: .fatal, message: "\0")))
        guard case .close(let status)? = try message(in: text) else {
            Issue.record("no close")
            return
        }
        #expect(status.reason == "A\u{FFFD}B")
        #expect(status.message == "\u{FFFD}")
    }

    @Test func `An absent or unknown status code is read as unknown and fatal`() throws {
        let empty = try decode(.close, RawMessage().field(1, RawMessage()))
        let odd = try decode(.close, RawMessage().field(1, RawMessage().number(1, 999).number(3, 77)))
        let expected = Message.close(Status(.unknown, reason: "", remedy: .fatal, message: ""))
        #expect(empty == expected)
        #expect(odd == expected)
    }

    @Test func `An OK status of an answer is read as none`() throws {
        let answer = try decode(.answer, RawMessage().number(1, 3).field(2, RawMessage().number(1, 0)))
        #expect(answer == .answer(Answer(call: 3)))
    }

    @Test(arguments: [
        (FrameKind.hello, RawMessage()), (.hello, RawMessage().number(1, 1).number(2, 1)),
        (.welcome, RawMessage()), (.progress, RawMessage()), (.ack, RawMessage()), (.goAway, RawMessage()),
        (.close, RawMessage()), (.subscribe, RawMessage().field(3, "home")), (.subscribe, RawMessage().number(1, 1)),
        (.subscribe, RawMessage().number(1, 1).field(3, "")),
        (.subscribe, RawMessage().number(1, 1).field(3, "home").field(5, RawMessage())),
        (.unsubscribe, RawMessage()), (.subscriptionError, RawMessage().number(1, 1)), (.join, RawMessage()),
        (.nack, RawMessage().number(1, 1)), (.repair, RawMessage()), (.manifest, RawMessage()),
        (.data, RawMessage().number(1, 1).number(8, 0)), (.data, RawMessage().fixed(3, 1).number(8, 0)),
        (.data, RawMessage().number(1, 1).fixed(3, 1)),
        (.stage, RawMessage().number(1, 1).fixed(3, 1).number(8, 0).field(5, RawMessage().number(2, 1))),
        (.request, RawMessage().number(1, 1)), (.request, RawMessage().number(2, 1)), (.answer, RawMessage()),
        (.cancel, RawMessage()),
    ])
    func `A message without a required field is refused`(_ kind: FrameKind, _ body: RawMessage) {
        #expect(failure(kind, body) == .missingField)
    }

    @Test(arguments: [
        (FrameKind.hello, RawMessage().number(1, 1).number(2, 1).field(8, [1, 2, 3])),
        (.hello, RawMessage().number(1, 2).number(2, 1).field(8, Array(1...16))),
        (.hello, RawMessage().number(1, 1).number(2, 1).field(5, RawMessage().number(2, 10)).field(8, Array(1...16))),
        (.goAway, RawMessage().field(1, RawMessage()).number(2, 9).number(3, 8)),
        (.subscribe, RawMessage().number(1, 1).field(3, String(repeating: "s", count: 257))),
        (.manifest, RawMessage().number(1, 1).fixed(2, 1).fixed(3, 1).field(4, [1])),
        (.data, RawMessage().number(1, 1).fixed(3, 1).number(8, 65_537)),
    ])
    func `A value outside its range is refused`(_ kind: FrameKind, _ body: RawMessage) {
        #expect(failure(kind, body) == .outOfRange)
    }

    private func frames(of message: Message) throws -> [Frame] {
        var decoder = FrameDecoder(maximumLength: Frame.maximumLength)
        decoder.append(MessageCodec.encode(message))
        return [try #require(try decoder.next())]
    }
}

import NIOCore
import NIOWebSocket
import Testing

@testable import MarqueeWeb

@Suite("What a client sends over a WebSocket")
struct WebSocketReaderTests {
    /// Reads bytes, all at once or one by one.
    private func read(
        _ bytes: [UInt8], limit: UInt64 = 1_000, oneByOne: Bool = false
    ) -> (payload: [UInt8], events: [WebSocketReader.Event], refusal: WebSocketRefusal?) {
        var reader = WebSocketReader(messageBytes: limit, emptyFrames: 1_000)
        var (payload, events): ([UInt8], [WebSocketReader.Event]) = ([], [])
        do throws(WebSocketRefusal) {
            for piece in oneByOne ? bytes.map({ [$0] }) : [bytes] {
                reader.append(ByteBuffer(bytes: piece))
                while let event = try reader.next() {
                    if case .bytes(let bytes) = event {
                        payload += bytes.readableBytesView
                    } else {
                        events.append(event)
                    }
                }
            }
            return (payload, events, nil)
        } catch {
            return (payload, events, error)
        }
    }

    private func frame(_ first: UInt8, _ payload: [UInt8] = [], mask: [UInt8]? = [9, 8, 7, 6], length: [UInt8]? = nil)
        -> [UInt8]
    {
        WebSocketBytes.frame(first, payload, mask: mask, length: length)
    }

    @Test(arguments: [false, true])
    func `Messages, fragments and their pieces are one stream of bytes`(oneByOne: Bool) {
        let long = (0..<300).map { UInt8($0 & 0xFF) }
        let bytes =
            frame(0x82, [1, 2, 3]) + frame(0x02, [4]) + frame(0x89, [7]) + frame(0x00, []) + frame(0x80, [5, 6])
            + frame(0x82, long) + frame(0x82)
        let (payload, events, refusal) = read(bytes, oneByOne: oneByOne)
        #expect(payload == [1, 2, 3, 4, 5, 6] + long)
        #expect(events == [.ping(ByteBuffer(bytes: [7]))])
        #expect(refusal == nil)
    }

    @Test func `A pong says nothing, and after a close frame nothing counts`() {
        let (payload, events, refusal) = read(
            frame(0x8A, [1]) + frame(0x88, [0x03, 0xE9]) + frame(0x82, [1]))
        #expect(payload == [])
        #expect(events == [.close(.goingAway)])
        #expect(refusal == nil)
    }

    @Test func `Frames that RFC 6455 doesn't allow are refused`() {
        #expect(read(frame(0x81, [0x41])).refusal == .text)
        #expect(read(frame(0x82, [1], mask: nil)).refusal == .unmasked)
        #expect(read(frame(0xC2, [1])).refusal == .reservedBits)
        #expect(read(frame(0x83, [1])).refusal == .opcode)
        #expect(read(frame(0x8B)).refusal == .opcode)
        #expect(read(frame(0x80, [1])).refusal == .fragments)
        #expect(read(frame(0x02, [1]) + frame(0x82, [1])).refusal == .fragments)
        #expect(read(frame(0x09)).refusal == .controlFrame)
        #expect(read(frame(0x89, [UInt8](repeating: 0, count: 126))).refusal == .controlFrame)
    }

    /// A close frame's body.
    private func body(_ code: UInt16, _ reason: [UInt8] = []) -> [UInt8] {
        [UInt8(code >> 8), UInt8(code & 0xFF)] + reason
    }

    @Test(arguments: [1000...1003, 1007...1014, 3000...3001, 4998...4999] as [ClosedRange<UInt16>])
    func `A close frame may have a code that RFC 6455 lets be sent, and a reason`(codes: ClosedRange<UInt16>) {
        for code in codes {
            let (_, events, refusal) = read(frame(0x88, body(code, Array("끝".utf8))))
            #expect(events == [.close(WebSocketErrorCode(codeNumber: Int(code)))])
            #expect(refusal == nil)
        }
        #expect(read(frame(0x88)).events == [.close(.normalClosure)])
    }

    @Test(
        arguments: [0...2, 998...999, 1004...1006, 1015...1017, 2998...2999, 5000...5001, 65_534...65_535]
            as [ClosedRange<UInt16>])
    func `A close frame with any other code breaks the protocol`(codes: ClosedRange<UInt16>) {
        for code in codes { #expect(read(frame(0x88, body(code))).refusal == .closeCode, "\(code)") }
        #expect(read(frame(0x88, [3])).refusal == .closeCode)
        #expect(WebSocketRefusal.closeCode.code == .protocolError)
    }

    @Test(arguments: [[0xFF], [0xC3, 0x28], [0x41, 0xE2, 0x82], [0xED, 0xA0, 0x80], [0xC0, 0x80]] as [[UInt8]])
    func `A close frame's reason is UTF-8`(reason: [UInt8]) {
        #expect(read(frame(0x88, body(1000, reason))).refusal == .closeReason)
        #expect(WebSocketRefusal.closeReason.code == .dataInconsistentWithMessage)
    }

    @Test func `A length is written as short as possible, and has 63 bits`() {
        #expect(read(frame(0x82, [], length: [126, 0, 5])).refusal == .length)
        #expect(read(frame(0x82, [], length: [127, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF])).refusal == .length)
        #expect(read(frame(0x82, [], length: [127] + [UInt8](repeating: 0xFF, count: 8))).refusal == .length)
    }

    @Test func `A message that is too large is refused by its header`() {
        #expect(read(frame(0x82, [], length: [126, 0x03, 0xE9])).refusal == .tooLarge(1_000))
        #expect(
            read(frame(0x82, [], length: [127, 0x7F] + [UInt8](repeating: 0xFF, count: 7))).refusal == .tooLarge(1_000))
        let part = [UInt8](repeating: 1, count: 501)
        #expect(read(frame(0x02, part) + frame(0x80, part)).refusal == .tooLarge(1_000))
        #expect(read(frame(0x02, part) + frame(0x80, Array(part.dropLast(2)))).refusal == nil)
    }
}

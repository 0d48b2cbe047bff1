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

    @Test func `What RFC 6455 doesn't allow is refused`() {
        #expect(read(frame(0x81, [0x41])).refusal == .text)
        #expect(read(frame(0x82, [1], mask: nil)).refusal == .unmasked)
        #expect(read(frame(0xC2, [1])).refusal == .reservedBits)
        #expect(read(frame(0x83, [1])).refusal == .opcode)
        #expect(read(frame(0x8B)).refusal == .opcode)
        #expect(read(frame(0x80, [1])).refusal == .fragments)
        #expect(read(frame(0x02, [1]) + frame(0x82, [1])).refusal == .fragments)
        #expect(read(frame(0x09)).refusal == .controlFrame)
        #expect(read(frame(0x88, [3])).refusal == .controlFrame)
        #expect(read(frame(0x89, [UInt8](repeating: 0, count: 126))).refusal == .controlFrame)
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

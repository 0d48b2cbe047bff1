import MarqueeModel
import MarqueeWire
import NIOCore
import Testing

@testable import MarqueeClient

@Suite("Hostile and broken frames over a real socket", .timeLimit(.minutes(10)))
struct HostileTests {
    /// The bytes that a client sends, whether after hello, and the reason for which it is closed.
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var greeted = true
        var bytes: [UInt8]
        var reason: String
        var testDescription: String { name }
    }

    private static func frame(_ kind: FrameKind, _ body: [UInt8], flags: UInt16 = 0) -> [UInt8] {
        var buffer = ByteBuffer()
        buffer.writeFrame(Frame(kind: kind, flags: FrameFlags(rawValue: flags), body: ByteBuffer(bytes: body)))
        return Array(buffer.readableBytesView)
    }

    private static func message(_ message: Message) -> [UInt8] {
        Array(MessageCodec.encode(message, flags: []).readableBytesView)
    }

    static let cases: [Case] = [
        Case(name: "length 0", bytes: [0, 0, 0, 0], reason: "FRAME_TOO_SHORT"),
        Case(name: "over the limit", bytes: [0x7F, 0xFF, 0xFF, 0xFF], reason: "FRAME_TOO_LONG"),
        Case(
            name: "over the limit before hello", greeted: false,
            bytes: ByteBuffer(integer: WireLimits.unauthenticatedFrameBytes + 1).readableBytesView.map { $0 },
            reason: "FRAME_TOO_LONG"),
        Case(
            name: "a frame that does not match its check", bytes: Array(message(.ping(nonce: 7)).dropLast()) + [9],
            reason: "FRAME_DAMAGED"),
        Case(
            name: "a damaged hello", greeted: false,
            bytes: Array(message(.hello(Hello())).dropLast()) + [0xFF], reason: "FRAME_DAMAGED"),
        Case(name: "a group", bytes: frame(.subscribe, [0x0B, 0x0C]), reason: "WRONG_WIRE_TYPE"),
        Case(name: "truncated field", bytes: frame(.subscribe, [0x1A, 0x50, 0x41]), reason: "TRUNCATED"),
        Case(
            name: "a submessage twice", bytes: frame(.ack, [0x12, 0x00, 0x12, 0x00]), reason: "REPEATED_SUBMESSAGE"),
        Case(name: "bad UTF-8", bytes: frame(.subscribe, [0x1A, 0x02, 0xC3, 0x28]), reason: "INVALID_UTF8"),
        Case(name: "NUL in text", bytes: frame(.subscribe, [0x1A, 0x02, 0x41, 0x00]), reason: "NUL_IN_TEXT"),
        Case(
            name: "10,000 unknown fields",
            bytes: frame(.ping, (0..<10_000).flatMap { _ in [0xF8, 0x07, 0x01] as [UInt8] }),
            reason: "TOO_MANY_UNKNOWN_FIELDS"),
        Case(
            name: "an unknown critical kind", bytes: frame(FrameKind(rawValue: 900), [], flags: 1),
            reason: "UNKNOWN_CRITICAL_KIND"),
        Case(
            name: "subscribe before hello", greeted: false,
            bytes: message(.subscribe(Subscribe(subscription: 1, screen: "home"))), reason: "HELLO_EXPECTED"),
        Case(
            name: "hello twice",
            bytes: message(
                .hello(
                    {
                        var h = Hello(); h.clientID = .init(repeating: 1, count: 16); return h
                    }())), reason: "HELLO_REPEATED"),
        Case(name: "a server's message", bytes: message(.progress(CutChange(Cut()))), reason: "WRONG_DIRECTION"),
        Case(
            name: "an ack of what was not sent", bytes: message(.ack(bytes: 1 << 40, cut: nil)), reason: "ACK_INVALID"),
        Case(
            name: "an uninvited manifest",
            bytes: message(.manifest(Manifest(handle: 1, sum: 1, headHash: 1, pairs: [], more: false))),
            reason: "MANIFEST_UNEXPECTED"),
    ]

    @Test(arguments: cases)
    func `A hostile connection is closed with the right reason; nobody else is harmed`(_ hostile: Case) async throws {
        let harness = try await Harness()
        let client = try harness.client()
        var updates = client.screen(.home).makeAsyncIterator()
        _ = try await updates.first { $0.origin == .live }

        let connection = try await RawConnection.open(port: harness.server.summary.port)
        if hostile.greeted { _ = try #require(try await connection.greet()) }
        try await connection.send(hostile.bytes)
        let status = await connection.closingStatus()
        #expect(status?.reason == hostile.reason)

        try await harness.showChart("2024-05-02")
        let update = try await updates.first { !$0.changes.isEmpty }
        #expect(update.origin == .live)
        await client.close()
        await harness.stop()
    }

    @Test func `An unknown kind that is not critical is skipped`() async throws {
        let harness = try await Harness()
        let connection = try await RawConnection.open(port: harness.server.summary.port)
        _ = try #require(try await connection.greet())
        try await connection.send(Self.frame(FrameKind(rawValue: 900), [1, 2, 3]))
        try await connection.send(.ping(nonce: 7))
        // The server may report its progress at any time.
        let answer = await connection.messages.first { if case .progress = $0 { false } else { true } }
        #expect(answer == .pong(nonce: 7))
        await connection.close()
        await harness.stop()
    }
}

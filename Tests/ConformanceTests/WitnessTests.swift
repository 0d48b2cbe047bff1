import MarqueeModel
import MarqueeWire
import NIOCore
import Testing

@testable import MarqueeConformance

@Suite struct WitnessTests {
    private static let cut = Cut(catalogueEpoch: 9, catalogueRevision: 10)

    // Servers

    private static func server(credit: UInt64 = 1 << 20) throws -> ServerWitness {
        var limits = WireLimits.client
        limits.creditBytes = credit
        var witness = ServerWitness(limits: limits)
        var welcome = Welcome()
        welcome.cut = cut
        _ = try witness.received(frame(.welcome(welcome)), .welcome(welcome))
        return witness
    }

    private static func frame(_ message: Message, _ flags: FrameFlags = []) -> Frame {
        var body = MessageCodec.encode(message)
        body.moveReaderIndex(forwardBy: Frame.headerBytes)
        return Frame(kind: message.kind, flags: flags, body: body)
    }

    private static func join(epoch: UInt64? = nil) -> Message {
        .join(
            Join(
                subscription: 1, generation: 0, viewHandle: 1, viewSum: 1, sections: [],
                cut: CutChange(catalogueEpoch: epoch), screen: "home", locale: "en"))
    }

    private static let data = Message.data(Part(handle: 2, base: 1, target: 2))

    /// A server's wrong messages after welcome, and words of what it should have sent instead.
    static let wrong: [([(Message, FrameFlags)], String)] = [
        ([(join(), [])], "the flag first"),
        ([(join(), .first), (join(), .first)], "before the next one begins"),
        ([(data, .first), (join(), [])], "repair, then joins, then data"),
        ([(.repair(number: 1), .first), (.repair(number: 1), [])], "repair, then joins, then data"),
        ([(join(), .first), (.progress(CutChange(cut)), [])], "no progress"),
        ([(join(epoch: 5), [.first, .last])], "epochs of welcome"),
        ([(.welcome(Welcome()), [])], "welcome once"),
        ([(.answer(Answer(call: 1)), [])], "exactly one answer"),
        ([(.ack(bytes: 1, cut: nil), [])], "kinds that a server sends"),
        ([(join(), [.first, .critical])], "no critical flag"),
        ([(.stage(Part(handle: 1 << 53, base: nil, target: 2)), .first)], "below 2^53"),
        ([(.data(Part(handle: 2, base: 1, target: 2, cut: CutChange(userRevision: 1 << 53))), .first)], "below 2^53"),
        (
            [(.close(Status(.unavailable, reason: "FRAME_DAMAGED", remedy: .retrySame, message: "")), [])],
            "FRAME_DAMAGED with code 15"
        ),
    ]

    @Test(arguments: wrong.indices)
    func `A server's frames in the wrong order or with wrong contents are found`(_ index: Int) throws {
        let (frames, words) = Self.wrong[index]
        var witness = try Self.server()
        let deviation = #expect(throws: Deviation.self) {
            for (message, flags) in frames { _ = try witness.received(Self.frame(message, flags), message) }
        }
        #expect(deviation?.expected.contains(words) == true, "\(deviation?.expected ?? "")")
    }

    @Test func `A cut is given as a whole with its last frame`() throws {
        var witness = try Self.server()
        #expect(try witness.received(Self.frame(Self.join(), .first), Self.join()) == nil)
        #expect(try witness.received(Self.frame(Self.data, .last), Self.data) == [Self.join(), Self.data])
        #expect(witness.cut == nil)
    }

    @Test func `A cut beyond what the client takes is found`() throws {
        var limits = WireLimits.client
        limits.cutBytes = 2 * UInt64(Self.frame(Self.data).wireBytes)
        var witness = ServerWitness(limits: limits)
        _ = try witness.received(Self.frame(.welcome(Welcome())), .welcome(Welcome()))
        for _ in 1...2 {
            _ = try witness.received(Self.frame(Self.data, .first), Self.data)
            _ = try witness.received(Self.frame(Self.data, .last), Self.data)
        }
        _ = try witness.received(Self.frame(Self.data, .first), Self.data)
        _ = try witness.received(Self.frame(Self.data), Self.data)
        #expect(throws: Deviation.self) { try witness.received(Self.frame(Self.data, .last), Self.data) }
    }

    @Test func `What begins beyond the credit is found, what goes on is not`() throws {
        var witness = try Self.server(credit: 1)
        _ = try witness.received(Self.frame(Self.data, .first), Self.data)
        _ = try witness.received(Self.frame(Self.data, .last), Self.data)
        #expect(throws: Deviation.self) { try witness.received(Self.frame(Self.data, .first), Self.data) }
        var patient = try Self.server(credit: 1)
        _ = try patient.received(Self.frame(Self.data, [.first, .last]), Self.data)
        patient.acknowledged = patient.dataBytes
        _ = try patient.received(Self.frame(Self.data, [.first, .last]), Self.data)
    }

    @Test func `Each call is answered once`() throws {
        var witness = try Self.server()
        witness.asked(1)
        let parts = [Message.answer(Answer(call: 1, more: true)), .answer(Answer(call: 1))]
        for part in parts { _ = try witness.received(Self.frame(part), part) }
        #expect(throws: Deviation.self) { try witness.received(Self.frame(parts[1]), parts[1]) }
    }

    // Clients

    private static func client() throws -> ClientWitness {
        var witness = ClientWitness()
        try witness.received(frame(.hello(Hello())), .hello(Hello()))
        witness.welcome = Welcome()
        witness.sentBytes = 100
        witness.asked(for: [5, 6])
        return witness
    }

    private static func nack(_ number: UInt32, refused: Bool = true) -> Message {
        .nack(
            Nack(
                number: number, good: cut, held: [HeldVersion(handle: 1, sum: 2, refused: refused)],
                status: Status(.dataLoss, reason: "CUT_REFUSED", remedy: .resync, message: "")))
    }

    private static func manifest(_ handle: UInt64, pairs: Int = 1, more: Bool = false, sum: UInt64 = 1) -> Message {
        .manifest(
            Manifest(handle: handle, sum: sum, headHash: 1, pairs: [UInt8](repeating: 0, count: 16 * pairs), more: more)
        )
    }

    /// A client's wrong messages, and words of what it should have sent instead.
    static let wrongOfClients: [([Message], String)] = [
        ([.ack(bytes: 101, cut: nil)], "at most the 100 bytes"),
        ([.ack(bytes: 50, cut: nil), .ack(bytes: 49, cut: nil)], "at least the 50"),
        ([nack(2)], "nack {1}"), ([nack(1), nack(1)], "nack {2}"), ([nack(1, refused: false)], "at least one refused"),
        ([manifest(6)], "handle 5"), ([manifest(5), manifest(6), manifest(6)], "wasn't asked for"),
        ([manifest(5, more: true), manifest(5, sum: 2)], "that agree"),
        ([manifest(5, more: true), manifest(5, pairs: 0)], "none of them empty"),
        ([.subscribe(Subscribe(subscription: 0, screen: "a"))], "above 0"),
        (
            [.subscribe(Subscribe(subscription: 1, screen: "a")), .subscribe(Subscribe(subscription: 1, screen: "a"))],
            "a new id"
        ),
        ([.unsubscribe(3)], "an open subscription"), ([.request(Request(call: 0, method: .health))], "above 0"),
        ([.hello(Hello())], "one hello"), ([.progress(CutChange(cut))], "kinds that a client sends"),
    ]

    @Test(arguments: wrongOfClients.indices)
    func `A client's frames in the wrong order or with wrong contents are found`(_ index: Int) throws {
        let (messages, words) = Self.wrongOfClients[index]
        var witness = try Self.client()
        let deviation = #expect(throws: Deviation.self) {
            for message in messages { try witness.received(Self.frame(message), message) }
        }
        #expect(deviation?.expected.contains(words) == true, "\(deviation?.expected ?? "")")
    }

    @Test func `A client that says something before welcome is found`() throws {
        var witness = ClientWitness()
        #expect(throws: Deviation.self) { try witness.received(Self.frame(.ping(nonce: 1)), .ping(nonce: 1)) }
        try witness.received(Self.frame(.hello(Hello())), .hello(Hello()))
        #expect(throws: Deviation.self) { try witness.received(Self.frame(.ping(nonce: 1)), .ping(nonce: 1)) }
    }

    @Test func `What a client may send passes`() throws {
        var witness = try Self.client()
        let messages: [Message] = [
            .subscribe(Subscribe(subscription: 3, screen: "a")),
            .subscribe(Subscribe(subscription: 3, generation: 2, screen: "a")), .ack(bytes: 100, cut: nil),
            .ack(bytes: 100, cut: nil), Self.nack(1), Self.nack(2), Self.manifest(5, more: true), Self.manifest(5),
            Self.manifest(6, pairs: 0), .request(Request(call: 1, method: .health)), .unsubscribe(3), .ping(nonce: 1),
        ]
        for message in messages { try witness.received(Self.frame(message), message) }
    }
}

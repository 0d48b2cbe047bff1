import CMarqueeProto
import NIOCore
import Testing

@testable import MarqueeModel
@testable import MarqueePresets
@testable import MarqueeWire

/// Tests `frames.json`: whole frames, item bodies and heads, each with its fields, and invalid inputs with the reason.
@Suite struct FrameVectorTests {
    private static var messages: [(FrameKind, UnsafePointer<ProtobufCMessageDescriptor>)] {
        [
            (.hello, Proto.Hello.descriptor), (.welcome, Proto.Welcome.descriptor), (.ping, Proto.Ping.descriptor),
            (.pong, Proto.Pong.descriptor), (.progress, Proto.Progress.descriptor), (.ack, Proto.Ack.descriptor),
            (.goAway, Proto.GoAway.descriptor), (.close, Proto.Close.descriptor),
            (.subscribe, Proto.Subscribe.descriptor), (.unsubscribe, Proto.Unsubscribe.descriptor),
            (.subscriptionError, Proto.SubscriptionError.descriptor), (.join, Proto.Join.descriptor),
            (.nack, Proto.Nack.descriptor), (.repair, Proto.Repair.descriptor), (.rebase, Proto.Rebase.descriptor),
            (.manifest, Proto.Manifest.descriptor), (.data, Proto.Part.descriptor), (.stage, Proto.Part.descriptor),
            (.request, Proto.Request.descriptor), (.answer, Proto.Answer.descriptor),
            (.cancel, Proto.Cancel.descriptor), (.dismiss, Proto.Dismiss.descriptor),
            (.guestEnded, Proto.GuestEnded.descriptor), (.userProgress, Proto.UserProgress.descriptor),
            (.replan, Proto.Replan.descriptor),
        ]
    }

    private static var bodies: [(ItemKind, UnsafePointer<ProtobufCMessageDescriptor>)] {
        [(.member, Proto.MemberBody.descriptor), (.card, Proto.CardBody.descriptor)]
    }

    private static var presetBodies: [(ItemKind, UnsafePointer<ProtobufCMessageDescriptor>)] {
        [
            (.movie, PresetProto.MovieBody.descriptor), (.genre, PresetProto.GenreBody.descriptor),
            (.credit, PresetProto.CreditBody.descriptor), (.banner, PresetProto.BannerBody.descriptor),
            (.text, PresetProto.TextBody.descriptor), (.course, PresetProto.CourseBody.descriptor),
            (.categories, PresetProto.CategoriesBody.descriptor), (.detail, PresetProto.DetailBody.descriptor),
            (.chartEntry, PresetProto.ChartEntryBody.descriptor), (.place, PresetProto.PlaceBody.descriptor),
        ]
    }

    /// Frames in forms that no encoder of this repository produces, and that every decoder reads.
    private static let odd: [(String, FrameKind, FrameFlags, RawMessage)] = [
        ("a bool of 2", .answer, [], RawMessage().number(1, 1).number(4, 2)),
        ("a bool of 2^32", .answer, [], RawMessage().number(1, 1).number(4, 1 << 32)),
        ("a bool of 0 in two bytes", .answer, [], RawMessage().number(1, 1).raw([0x20, 0x80, 0])),
        ("a number in more bytes than it needs", .ping, [], RawMessage().raw([8, 0x81, 0x80, 0])),
        ("a number with more bits than its field", .unsubscribe, [], RawMessage().number(1, 1 << 32 + 1)),
        ("a number twice", .unsubscribe, [], RawMessage().number(1, 1).number(1, 2)),
        ("a text twice", .subscribe, [], RawMessage().number(1, 1).field(3, "home").field(3, "basic")),
        ("fields in another order", .subscribe, [], RawMessage().field(3, "home").number(1, 1)),
        ("a text that begins with U+FEFF", .subscribe, [], RawMessage().number(1, 1).field(3, "\u{FEFF}home")),
        (
            "32 unknown fields of each type", .ping, [],
            RawMessage().number(100, 1).fixed(101, 1).field(102, "a").tag(103, 5).raw([1, 2, 3, 4]).times(8)
                .number(1, 7)
        ),
        (
            "numbers that aren't packed", .data, [.first, .last],
            RawMessage().number(1, 1).fixed(3, 1).field(7, RawMessage().number(2, 3).number(2, 70_000)).number(8, 0)
        ),
        (
            "numbers packed in two fields", .data, [.first, .last],
            RawMessage().number(1, 1).fixed(3, 1).field(7, RawMessage().field(2, [3]).field(2, [5, 7])).number(8, 0)
        ),
        ("a known kind with the critical flag", .ping, .critical, RawMessage().number(1, 7)),
        ("flags that mean nothing", .ping, FrameFlags(rawValue: 0xFFFE), RawMessage().number(1, 7)),
    ]

    /// Frames that must be refused, with the reason, under a client's limits.
    private static let refused: [(String, FrameKind, RawMessage)] = [
        ("a number ends early", .ping, RawMessage().raw([0x08])),
        ("a text ends behind its message", .subscribe, RawMessage().number(1, 1).raw([0x1A, 9, 0x68])),
        ("field number 0", .ping, RawMessage().raw([0, 1])),
        ("a number of eleven bytes", .ping, RawMessage().raw([8] + Array(repeating: 0x80, count: 10) + [1])),
        ("a group", .ping, RawMessage().tag(9, 3).tag(9, 4)),
        ("a number where a text belongs", .subscribe, RawMessage().number(1, 1).number(3, 1)),
        ("a submessage twice", .close, RawMessage().field(1, RawMessage().number(1, 2)).times(2)),
        ("33 unknown fields", .ping, RawMessage().number(100, 1).times(33)),
        ("no UTF-8", .subscribe, RawMessage().number(1, 1).field(3, [0xC3, 0x28])),
        ("a surrogate", .subscribe, RawMessage().number(1, 1).field(3, [0xED, 0xA0, 0x80])),
        ("an overlong form", .subscribe, RawMessage().number(1, 1).field(3, [0xC1, 0x81])),
        ("NUL in a text", .subscribe, RawMessage().number(1, 1).field(3, [0x68, 0, 0x6F])),
        ("a needed text that is empty", .subscribe, RawMessage().number(1, 1).field(3, "")),
        ("no target_sum", .data, RawMessage().number(1, 1).number(8, 0)),
        (
            "an item without id", .data,
            RawMessage().number(1, 1).fixed(3, 1).number(8, 1).field(5, RawMessage().number(2, 1))
        ),
        ("a client id of seven bytes", .hello, RawMessage().number(1, 1).number(2, 1).field(8, [1, 2, 3, 4, 5, 6, 7])),
        (
            "half a pair", .manifest,
            RawMessage().number(1, 1).fixed(2, 1).fixed(3, 1).field(4, [1, 2, 3, 4, 5, 6, 7, 8])
        ),
        (
            "a protocol_min above protocol_max", .hello,
            RawMessage().number(1, 2).number(2, 1).field(8, Array(repeating: 0, count: 16))
        ),
        (
            "frame_bytes below 4 KiB", .hello,
            RawMessage().number(1, 1).number(2, 1).field(5, RawMessage().number(1, 4_095))
                .field(8, Array(repeating: 0, count: 16))
        ),
        (
            "cut_bytes of 0", .welcome,
            RawMessage().number(1, 1).field(3, "c").field(6, RawMessage().number(12, 0)).field(7, "")
        ),
        (
            "a reconnect_min_ms above reconnect_max_ms", .goAway,
            RawMessage().field(1, "").number(2, 2).number(3, 1)
        ),
        (
            "a screen's name of 257 bytes", .subscribe,
            RawMessage().number(1, 1).field(3, String(repeating: "a", count: 257))
        ),
        ("a count above 65,536", .data, RawMessage().number(1, 1).fixed(3, 1).number(8, 65_537)),
    ]

    /// Whole frames whose header is wrong, under a limit of 4 KiB.
    private static let refusedHeaders: [(String, [UInt8])] = [
        ("a length of 0", [0, 0, 0, 0]), ("a length of 7", [0, 0, 0, 7, 0, 3, 0]),
        ("a length above the limit", [0, 0, 16, 1]),
        ("another kind than the check's", damaged(byte: 5)), ("another flag than the check's", damaged(byte: 7)),
        ("another check", damaged(byte: 8)), ("another body than the check's", damaged(byte: 13)),
        ("another length than the check's", damaged(byte: 3)),
    ]

    /// A ping with one flipped bit.
    private static func damaged(byte: Int) -> [UInt8] {
        var bytes = Array(MessageCodec.encode(.ping(nonce: 1)).readableBytesView)
        bytes[byte] ^= 1
        // The length becomes 11 instead of 10, so one more byte is taken as part of the body.
        return byte == 3 ? bytes + [0] : bytes
    }

    /// Inputs and their checksums.
    private func checks() -> JSONValue {
        .list(
            [[], Array("123456789".utf8), [UInt8](repeating: 0, count: 32), Array(0..<32)].map { bytes in
                var crc = CRC32C()
                crc.update(ByteBuffer(bytes: bytes))
                let hex = String(crc.value, radix: 16)
                return [
                    "bytes": .hex(bytes), "crc32c": .text(String(repeating: "0", count: 8 - hex.count) + hex),
                ]
            })
    }

    private func name(_ descriptor: UnsafePointer<ProtobufCMessageDescriptor>) -> JSONValue {
        .text(String(cString: descriptor.pointee.short_name))
    }

    private func frame(_ bytes: [UInt8], _ kind: FrameKind, _ flags: FrameFlags) throws -> [String: JSONValue] {
        let (_, descriptor) = try #require(Self.messages.first { $0.0 == kind })
        return [
            "frame": .hex(bytes), "kind": .number(Double(kind.rawValue)), "flags": .number(Double(flags.rawValue)),
            "message": name(descriptor),
            "fields": try FieldDump.fields(Array(bytes.dropFirst(Frame.headerBytes)), of: descriptor),
        ]
    }

    private func frames(_ messages: [Message]) throws -> JSONValue {
        .list(
            try messages.map { message in
                let flags: FrameFlags =
                    switch message.kind {
                    case .data: [.first, .last]
                    case .stage: .first
                    default: []
                    }
                let bytes = Array(MessageCodec.encode(message, flags: flags).readableBytesView)
                return .object(try frame(bytes, message.kind, flags))
            })
    }

    private func whole(_ kind: FrameKind, _ flags: FrameFlags, _ message: RawMessage) -> [UInt8] {
        var buffer = ByteBuffer()
        buffer.writeFrame(message.frame(kind, flags: flags))
        return Array(buffer.readableBytesView)
    }

    private func oddFrames() throws -> JSONValue {
        let minimal = NeededFields.ofFrames.map { kind, needed in
            ("\(needed.name): only what it needs", kind, FrameFlags(), needed.message())
        }
        return .list(
            try (Self.odd + minimal).map { name, kind, flags, message in
                _ = try #require(try MessageCodec.decode(message.frame(kind, flags: flags), limits: .client))
                return .object(
                    try frame(whole(kind, flags, message), kind, flags).merging(["name": .text(name)]) { $1 })
            })
    }

    /// Frames that lack one needed field.
    private func incomplete(_ all: [(FrameKind, NeededFields)]) throws -> [JSONValue] {
        try all.flatMap { kind, needed in
            try needed.fields.indices.map { index in
                let (name, message) = (needed.without(index), needed.message(without: index))
                let code = try #require(failure(kind, message), "'\(name)' is accepted")
                return [
                    "name": .text(name), "frame": .hex(whole(kind, [], message)), "reason": .text(code.rawValue),
                ]
            }
        }
    }

    private func callBodies() throws -> JSONValue {
        .list(
            try NeededFields.ofCalls.map { needed, decode in
                let body = needed.message().bytes
                try decode(body)
                return [
                    "name": .text("\(needed.name): only what it needs"), "message": name(needed.descriptor),
                    "body": .hex(body), "fields": try FieldDump.fields(body, of: needed.descriptor),
                ]
            })
    }

    /// Bodies that only clients which preview need.
    private func draftBodies() throws -> JSONValue {
        var request = GetScreenRequest(screen: "home")
        (request.reader, request.at, request.draft) = (["plan=free"], Moment(milliseconds: 1), "spring")
        var answer = GetScreenAnswer(
            screen: "home", locale: "en", cut: SampleMessages.cut,
            view: ScreenContent(id: "", head: [], items: [], sum: 3), sections: [])
        (answer.isPreview, answer.draft) = (true, "spring")
        let documents = DraftsAnswer(documents: [Array(#"{"draft":"spring"}"#.utf8)])
        return .list(
            try [
                (Proto.GetScreenRequest.descriptor, CallBodyCodec.encode(request)),
                (Proto.GetScreenAnswer.descriptor, CallBodyCodec.encode(answer)),
                (Proto.DraftsRequest.descriptor, CallBodyCodec.encode(DraftsRequest(draft: "spring"))),
                (Proto.DraftsAnswer.descriptor, CallBodyCodec.encode(documents)),
            ].map { descriptor, body in
                [
                    "message": name(descriptor), "body": .hex(body),
                    "fields": try FieldDump.fields(body, of: descriptor),
                ]
            })
    }

    private func refusedCallBodies() throws -> JSONValue {
        .list(
            try NeededFields.ofCalls.flatMap { needed, decode in
                try needed.fields.indices.map { index in
                    let body = needed.message(without: index).bytes
                    let error = #expect(throws: WireError.self, "'\(needed.without(index))' is accepted") {
                        try decode(body)
                    }
                    return [
                        "name": .text(needed.without(index)), "message": name(needed.descriptor), "body": .hex(body),
                        "reason": .text(try #require(error).code.rawValue),
                    ]
                }
            })
    }

    private func presetBodies() throws -> JSONValue { .list(try items(Self.presetBodies)) }

    private func items(_ bodies: [(ItemKind, UnsafePointer<ProtobufCMessageDescriptor>)]) throws -> [JSONValue] {
        var list: [JSONValue] = []
        for content in SampleContents.all {
            guard let (kind, descriptor) = bodies.first(where: { $0.0 == content.kind }) else { continue }
            let bytes = BodyCodec.encode(content)
            list.append([
                "kind": .number(Double(kind.rawValue)), "message": name(descriptor), "body": .hex(bytes),
                "fields": try FieldDump.fields(bytes, of: descriptor),
            ])
        }
        return list
    }

    private func bodies() throws -> JSONValue {
        var list = try items(Self.bodies)
        let head = BodyCodec.encode(SampleContents.head)
        let descriptor = Proto.SectionHead.descriptor
        list.append([
            "message": name(descriptor), "body": .hex(head), "fields": try FieldDump.fields(head, of: descriptor),
        ])
        return .list(list)
    }

    private func refused() throws -> JSONValue {
        var list: [JSONValue] = []
        for (why, kind, message) in Self.refused {
            let code = try #require(failure(kind, message), "'\(why)' is accepted")
            list.append([
                "name": .text(why), "frame": .hex(whole(kind, [], message)), "reason": .text(code.rawValue),
            ])
        }
        list += try incomplete(NeededFields.ofFrames)
        for (why, bytes) in Self.refusedHeaders {
            var decoder = FrameDecoder(maximumLength: 4_096)
            decoder.append(ByteBuffer(bytes: bytes))
            do throws(WireError) {
                _ = try decoder.next()
                Issue.record("'\(why)' is accepted")
            } catch {
                list.append([
                    "name": .text(why), "frame": .hex(bytes), "limit": 4_096, "reason": .text(error.code.rawValue),
                ])
            }
        }
        return .list(list)
    }

    @Test func `The committed frames match the code`() throws {
        try VectorFile.check(
            "frames.json",
            [
                "checks": checks(), "frames": try frames(SampleMessages.ofClients), "odd_frames": try oddFrames(),
                "relay_frames": try frames(SampleMessages.ofRelays), "bodies": try bodies(),
                "preset_bodies": try presetBodies(), "call_bodies": try callBodies(),
                "draft_bodies": try draftBodies(), "refused": try refused(),
                "refused_relay_frames": .list(try incomplete(NeededFields.ofRelayFrames)),
                "refused_call_bodies": try refusedCallBodies(),
            ])
    }

    private func decode(hex: JSONValue?, limit: UInt32) throws -> Message? {
        var decoder = FrameDecoder(maximumLength: limit)
        decoder.append(ByteBuffer(bytes: try #require(hex?.bytes)))
        let frame = try #require(try decoder.next())
        return try MessageCodec.decode(frame, limits: .client)
    }

    @Test func `Every committed frame decodes to the message it was made from`() throws {
        let file = try VectorFile.read("frames.json")
        let frames = try ["frames", "relay_frames"].flatMap { try #require(file[$0]).list }
        #expect(frames.count == SampleMessages.all.count)
        for (frame, message) in zip(frames, SampleMessages.all) {
            #expect(try decode(hex: frame["frame"], limit: Frame.maximumLength) == message)
        }
    }

    @Test func `Every committed odd frame can be read`() throws {
        let frames = try #require(try VectorFile.read("frames.json")["odd_frames"]).list
        #expect(frames.count == Self.odd.count + NeededFields.ofFrames.count)
        for frame in frames {
            let message = try #require(try decode(hex: frame["frame"], limit: Frame.maximumLength))
            #expect(frame["kind"] == .number(Double(message.kind.rawValue)))
        }
    }

    @Test func `Every relay's message can be read with nothing but what it needs`() throws {
        for (kind, needed) in NeededFields.ofRelayFrames { #expect(failure(kind, needed.message()) == nil) }
    }

    @Test func `Every committed invalid frame is refused`() throws {
        let file = try VectorFile.read("frames.json")
        let frames = try ["refused", "refused_relay_frames"].flatMap { try #require(file[$0]).list }
        #expect(!frames.isEmpty)
        for frame in frames {
            let reason = try #require(frame["reason"]?.text)
            #expect {
                _ = try decode(hex: frame["frame"], limit: 4_096)
            } throws: {
                ($0 as? WireError)?.code.rawValue == reason
            }
        }
    }

    /// Frames written out in Proto/PROTOCOL.md.
    @Test(arguments: [
        ("0000000a000300000e52d9970801", Message.ping(nonce: 1)),
        (
            "00000021000500007da3469b0a1709887766554433221110ac021900000000000000002000",
            .progress(CutChange(Cut(catalogueEpoch: 0x1122_3344_5566_7788, catalogueRevision: 300)))
        ),
        ("0000000b00060000d57ed3cf08d40c", .ack(bytes: 1_620, cut: nil)),
        ("00000010001000000b1ce63108011a04686f6d65", .subscribe(Subscribe(subscription: 1, screen: "home"))),
    ])
    func `The frames in the specification encode and decode`(_ hex: String, _ message: Message) throws {
        let bytes = try #require(JSONValue.text(hex).bytes)
        #expect(Array(MessageCodec.encode(message).readableBytesView) == bytes)
        var decoder = FrameDecoder()
        decoder.append(ByteBuffer(bytes: bytes))
        let frame = try #require(try decoder.next())
        #expect(try MessageCodec.decode(frame, limits: .server) == message)
    }

    @Test func `The hello in the specification can be decoded`() throws {
        let hex =
            "0000002e00010000cc9897c90801100132" + "03616e614210000102030405060708090a0b0c0d0e0f4a096578616d706c652f31"
        var decoder = FrameDecoder()
        decoder.append(ByteBuffer(bytes: try #require(JSONValue.text(hex).bytes)))
        let frame = try #require(try decoder.next())
        var hello = Hello()
        hello.user = "ana"
        hello.clientID = Array(0..<16)
        hello.agent = "example/1"
        #expect(try MessageCodec.decode(frame, limits: .server) == .hello(hello))
    }
}

import NIOCore
import SwiftProtobuf

@testable import MarqueeDiff
@testable import MarqueeModel
@testable import MarqueeWire

/// Something to measure. What it computes is used, so that none of it is left out.
struct CodecCase {
    var name: String
    /// Bytes of the message, without a frame's header.
    var bytes: Int
    var body: () throws -> Int

    static func all() throws -> [CodecCase] {
        let snapshot = CodecSamples.snapshot(bytes: 23_000)
        let parts = try cases("a part of a snapshot", snapshot) + cases("a patch", CodecSamples.patch)
        return try parts + [check(snapshot)] + HostileCases.all + StoredHome().cases
    }

    /// Both ways of both codecs.
    private static func cases(_ name: String, _ part: Part) throws -> [CodecCase] {
        let message = Message.data(part)
        let whole = MessageCodec.encode(message)
        let body =
            whole.getSlice(at: Frame.headerBytes, length: whole.readableBytes - Frame.headerBytes) ?? ByteBuffer()
        let frame = Frame(kind: message.kind, body: body)
        let bytes = Array(body.readableBytesView)
        let peer = try Marquee_V1_Part(serializedBytes: bytes)
        try checkAgreement(peer, part, bytes)
        return [
            CodecCase(name: "decode \(name), Marquee", bytes: bytes.count) {
                guard case .data(let part)? = try MessageCodec.decode(frame, limits: .client) else { return 0 }
                return part.adds.count + part.updates.count
            },
            CodecCase(name: "decode \(name), SwiftProtobuf", bytes: bytes.count) {
                let part = try Marquee_V1_Part(serializedBytes: bytes)
                return part.adds.count + part.updates.count
            },
            CodecCase(name: "encode \(name), Marquee: a whole frame", bytes: bytes.count) {
                MessageCodec.encode(message).readableBytes
            },
            CodecCase(name: "encode \(name), SwiftProtobuf: without a frame", bytes: bytes.count) {
                let encoded: [UInt8] = try peer.serializedBytes()
                return encoded.count
            },
        ]
    }

    /// Finding the frame in what was received, with its checksum.
    private static func check(_ part: Part) -> CodecCase {
        let whole = MessageCodec.encode(.data(part))
        return CodecCase(name: "take a frame off what was received", bytes: whole.readableBytes) {
            var decoder = FrameDecoder(maximumLength: WireLimits.client.frameBytes)
            decoder.append(whole)
            return try decoder.next()?.wireBytes ?? 0
        }
    }

    struct Disagreement: Error {}

    /// Both must read the same from the bytes, and write the same bytes.
    private static func checkAgreement(_ peer: Marquee_V1_Part, _ part: Part, _ bytes: [UInt8]) throws {
        let items = peer.adds.map {
            Item(id: $0.id, kind: ItemKind(rawValue: $0.kind), subject: $0.subject, body: [UInt8]($0.body))
        }
        let changes = peer.updates.map {
            FieldChange(records: [UInt8]($0.records), cleared: $0.cleared, replace: $0.replace)
        }
        let written: [UInt8] = try peer.serializedBytes()
        guard items == part.adds, changes == part.updates, written == bytes, peer.unknownFields.data.isEmpty else {
            throw Disagreement()
        }
    }
}

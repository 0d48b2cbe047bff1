import NIOCore

@testable import MarqueeWire

/// Protobuf records written by hand, valid or not.
struct RawMessage {
    var bytes: [UInt8] = []

    static func varint(_ value: UInt64) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }

    func tag(_ number: UInt64, _ wireType: UInt64) -> RawMessage {
        RawMessage(bytes: bytes + Self.varint(number << 3 | wireType))
    }

    func raw(_ more: [UInt8]) -> RawMessage { RawMessage(bytes: bytes + more) }

    func number(_ number: UInt64, _ value: UInt64) -> RawMessage { tag(number, 0).raw(Self.varint(value)) }

    func fixed(_ number: UInt64, _ value: UInt64) -> RawMessage {
        tag(number, 1).raw((0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) })
    }

    func field(_ number: UInt64, _ contents: [UInt8]) -> RawMessage {
        tag(number, 2).raw(Self.varint(UInt64(contents.count)) + contents)
    }

    func field(_ number: UInt64, _ text: String) -> RawMessage { field(number, Array(text.utf8)) }

    func field(_ number: UInt64, _ message: RawMessage) -> RawMessage { field(number, message.bytes) }

    /// The same records, repeated.
    func times(_ count: Int) -> RawMessage {
        var all: [UInt8] = []
        all.reserveCapacity(bytes.count * count)
        for _ in 0..<count { all += bytes }
        return RawMessage(bytes: all)
    }

    func frame(_ kind: FrameKind, flags: FrameFlags = []) -> Frame {
        Frame(kind: kind, flags: flags, body: ByteBuffer(bytes: bytes))
    }
}

/// Decodes a frame under the limits of a client.
func decode(_ kind: FrameKind, _ message: RawMessage, limits: WireLimits = .client) throws(WireError) -> Message? {
    try MessageCodec.decode(message.frame(kind), limits: limits)
}

/// The error that decoding ends with.
func failure(_ kind: FrameKind, _ message: RawMessage, limits: WireLimits = .client) -> WireError.Code? {
    do throws(WireError) {
        _ = try decode(kind, message, limits: limits)
        return nil
    } catch {
        return error.code
    }
}

/// Reproducible random numbers (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

package import NIOCore

/// What a frame carries. An open set: a number that this build does not know is skipped, or closes the connection when
/// it is critical.
package struct FrameKind: RawRepresentable, Hashable, Sendable {
    package var rawValue: UInt16
    package init(rawValue: UInt16) { self.rawValue = rawValue }

    package static let hello = FrameKind(rawValue: 1)
    package static let welcome = FrameKind(rawValue: 2)
    package static let ping = FrameKind(rawValue: 3)
    package static let pong = FrameKind(rawValue: 4)
    package static let progress = FrameKind(rawValue: 5)
    package static let ack = FrameKind(rawValue: 6)
    package static let goAway = FrameKind(rawValue: 7)
    package static let close = FrameKind(rawValue: 8)
    package static let subscribe = FrameKind(rawValue: 16)
    package static let unsubscribe = FrameKind(rawValue: 17)
    package static let subscriptionError = FrameKind(rawValue: 18)
    package static let join = FrameKind(rawValue: 19)
    package static let nack = FrameKind(rawValue: 20)
    package static let repair = FrameKind(rawValue: 21)
    package static let rebase = FrameKind(rawValue: 22)
    package static let manifest = FrameKind(rawValue: 23)
    package static let data = FrameKind(rawValue: 32)
    package static let stage = FrameKind(rawValue: 33)
    package static let request = FrameKind(rawValue: 48)
    package static let answer = FrameKind(rawValue: 49)
    package static let cancel = FrameKind(rawValue: 50)
}

/// Flags of a frame. Bits without a name are ignored.
package struct FrameFlags: OptionSet, Hashable, Sendable {
    package var rawValue: UInt16
    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// A receiver that does not know the kind must close.
    package static let critical = FrameFlags(rawValue: 1)
    /// The first frame of a cut.
    package static let first = FrameFlags(rawValue: 2)
    /// The last frame of a cut.
    package static let last = FrameFlags(rawValue: 4)
}

/// One frame: a u32 length of all that follows, a u16 kind, u16 flags, all big endian, and a body.
package struct Frame: Hashable, Sendable {
    /// Bytes of the length field.
    package static let lengthBytes = 4
    /// Bytes of kind and flags, which the length counts.
    package static let envelopeBytes = 4
    /// Bytes before the body.
    package static let headerBytes = lengthBytes + envelopeBytes
    /// What the length field of any frame may say, at most.
    package static let maximumLength: UInt32 = 1 << 20

    package var kind: FrameKind
    package var flags: FrameFlags
    package var body: ByteBuffer

    package init(kind: FrameKind, flags: FrameFlags = [], body: ByteBuffer) {
        self.kind = kind
        self.flags = flags
        self.body = body
    }

    /// Bytes of the whole frame on the wire, length field included: what credit and acks count.
    package var wireBytes: Int { Frame.headerBytes + body.readableBytes }
}

extension ByteBuffer {
    /// Writes the eight bytes before a body of `bodyBytes`, which must not exceed what a u32 length can say.
    package mutating func writeFrameHeader(kind: FrameKind, flags: FrameFlags, bodyBytes: Int) {
        writeInteger(UInt32(bodyBytes + Frame.envelopeBytes))
        writeInteger(kind.rawValue)
        writeInteger(flags.rawValue)
    }

    /// Writes a whole frame.
    package mutating func writeFrame(_ frame: Frame) {
        writeFrameHeader(kind: frame.kind, flags: frame.flags, bodyBytes: frame.body.readableBytes)
        writeImmutableBuffer(frame.body)
    }
}

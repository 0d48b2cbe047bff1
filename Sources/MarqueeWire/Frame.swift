package import NIOCore

/// The kind of message that a frame carries. An open set: a frame of unknown kind is skipped, or closes the connection
/// if it is flagged `critical`.
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
    package static let dismiss = FrameKind(rawValue: 64)
    package static let guestEnded = FrameKind(rawValue: 65)
    package static let userProgress = FrameKind(rawValue: 66)
    package static let replan = FrameKind(rawValue: 67)
}

/// Flags of a frame. Unknown bits are ignored.
package struct FrameFlags: OptionSet, Hashable, Sendable {
    package var rawValue: UInt16
    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// A receiver that doesn't know the kind must close.
    package static let critical = FrameFlags(rawValue: 1)
    /// The first frame of a cut.
    package static let first = FrameFlags(rawValue: 2)
    /// The last frame of a cut.
    package static let last = FrameFlags(rawValue: 4)
}

/// One frame: a u32 length of everything that follows, a u16 kind, u16 flags and a u32 checksum, all big endian, then a
/// body.
package struct Frame: Hashable, Sendable {
    /// Bytes of the length field.
    package static let lengthBytes = 4
    /// Bytes of kind, flags and checksum, which the length includes.
    package static let envelopeBytes = 8
    /// Bytes before the body.
    package static let headerBytes = lengthBytes + envelopeBytes
    /// Maximum value of any frame's length field.
    package static let maximumLength: UInt32 = 1 << 20

    package var kind: FrameKind
    package var flags: FrameFlags
    package var body: ByteBuffer

    package init(kind: FrameKind, flags: FrameFlags = [], body: ByteBuffer) {
        self.kind = kind
        self.flags = flags
        self.body = body
    }

    /// Bytes of the whole frame on the wire, including the length field. Credit and acks count these.
    package var wireBytes: Int { Frame.headerBytes + body.readableBytes }
}

/// The bytes before a frame's body.
package struct FrameHeader: Hashable, Sendable {
    /// Bytes of everything that follows the length field.
    package var length: UInt32
    package var kind: FrameKind
    package var flags: FrameFlags
    /// CRC-32C of the body, then of length, kind and flags. The body comes first so that a body shared by many frames
    /// is read once.
    package var check: UInt32

    /// The header for a body.
    ///
    /// - Parameters:
    ///   - bodyBytes: must fit a u32 length.
    ///   - bodyCheck: covers only the body.
    package init(kind: FrameKind, flags: FrameFlags, bodyBytes: Int, bodyCheck: CRC32C) {
        length = UInt32(bodyBytes + Frame.envelopeBytes)
        self.kind = kind
        self.flags = flags
        check = 0
        check = expectedCheck(bodyCheck)
    }

    /// Reads a header and advances past it; `nil` if the buffer holds too few bytes.
    init?(from buffer: inout ByteBuffer) {
        guard
            let (length, kind, flags, check) = buffer.readMultipleIntegers(
                as: (UInt32, UInt16, UInt16, UInt32).self)
        else { return nil }
        self.length = length
        self.kind = FrameKind(rawValue: kind)
        self.flags = FrameFlags(rawValue: flags)
        self.check = check
    }

    /// The expected `check` for a body covered by `bodyCheck`.
    func expectedCheck(_ bodyCheck: CRC32C) -> UInt32 {
        var crc = bodyCheck
        crc.update(UInt64(length) << 32 | UInt64(kind.rawValue) << 16 | UInt64(flags.rawValue))
        return crc.value
    }
}

extension ByteBuffer {
    /// Writes a whole frame.
    package mutating func writeFrame(_ frame: Frame) {
        var crc = CRC32C()
        crc.update(frame.body)
        let header = FrameHeader(
            kind: frame.kind, flags: frame.flags, bodyBytes: frame.body.readableBytes, bodyCheck: crc)
        writeMultipleIntegers(header.length, header.kind.rawValue, header.flags.rawValue, header.check)
        writeImmutableBuffer(frame.body)
    }
}

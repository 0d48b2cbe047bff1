import NIOCore
import Synchronization

/// A whole frame whose body is sent on many connections, with flags that may differ. Each variant is made once, when it
/// is first requested, and then shared. Safe to use from any thread.
final class SharedFrame: Sendable {
    /// The frame as first encoded.
    let bytes: ByteBuffer
    private let kind: FrameKind
    private let flags: FrameFlags
    /// The checksum state after the body; each header's checksum continues from it.
    private let bodyCheck: CRC32C

    /// Copies for the other positions in a cut: in the middle, first, last, and alone.
    private let middle = AtomicLazyReference<Form>()
    private let first = AtomicLazyReference<Form>()
    private let last = AtomicLazyReference<Form>()
    private let alone = AtomicLazyReference<Form>()

    private final class Form: Sendable {
        let bytes: ByteBuffer
        init(_ bytes: ByteBuffer) { self.bytes = bytes }
    }

    /// - Parameter buffer: the body after `Frame.headerBytes` bytes, which the header replaces.
    init(kind: FrameKind, flags: FrameFlags, headerAndBody buffer: ByteBuffer) {
        self.kind = kind
        self.flags = flags
        bodyCheck = buffer.frameBodyCheck
        bytes = Self.frame(buffer, kind, flags, bodyCheck)
    }

    /// The frame with another header. Its bytes are copied at most once for each position in a cut, and the body is
    /// never read again. Another kind, or any other combination of flags, costs a copy on each call.
    func bytes(kind: FrameKind, flags: FrameFlags) -> ByteBuffer {
        guard kind == self.kind else { return Self.frame(bytes, kind, flags, bodyCheck) }
        return switch flags {
        case self.flags: bytes
        case []: form(middle, flags)
        case .first: form(first, flags)
        case .last: form(last, flags)
        case [.first, .last]: form(alone, flags)
        default: Self.frame(bytes, kind, flags, bodyCheck)
        }
    }

    private func form(_ made: borrowing AtomicLazyReference<Form>, _ flags: FrameFlags) -> ByteBuffer {
        if let form = made.load() { return form.bytes }
        // If two threads make it at once, the first one stored is used by both.
        return made.storeIfNil(Form(Self.frame(bytes, kind, flags, bodyCheck))).bytes
    }

    private static func frame(
        _ buffer: ByteBuffer, _ kind: FrameKind, _ flags: FrameFlags, _ bodyCheck: CRC32C
    ) -> ByteBuffer {
        var buffer = buffer
        buffer.setFrameHeader(kind: kind, flags: flags, bodyCheck: bodyCheck)
        return buffer
    }
}

extension SharedFrame: Hashable {
    static func == (a: SharedFrame, b: SharedFrame) -> Bool { a.bytes == b.bytes }

    func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}

extension ByteBuffer {
    /// The checksum state after the body, for a frame whose header has yet to be written.
    var frameBodyCheck: CRC32C {
        var crc = CRC32C()
        withUnsafeReadableBytes { crc.update(UnsafeRawBufferPointer(rebasing: $0.dropFirst(Frame.headerBytes))) }
        return crc
    }

    /// Overwrites the first bytes of this frame with its header.
    mutating func setFrameHeader(kind: FrameKind, flags: FrameFlags, bodyCheck: CRC32C) {
        let header = FrameHeader(
            kind: kind, flags: flags, bodyBytes: readableBytes - Frame.headerBytes, bodyCheck: bodyCheck)
        setMultipleIntegers(
            header.length, header.kind.rawValue, header.flags.rawValue, header.check, at: readerIndex)
    }
}

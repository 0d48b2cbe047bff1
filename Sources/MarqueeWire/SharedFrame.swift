import MarqueeLocks
import NIOCore

/// A whole frame whose body is sent on many connections, with flags that may differ. Each variant is made once, when it
/// is first requested, and then shared. Safe to use from any thread.
final class SharedFrame: Sendable {
    /// The frame as first encoded.
    let bytes: ByteBuffer
    private let kind: FrameKind
    private let flags: FrameFlags
    /// The checksum state after the body; each header's checksum continues from it.
    private let bodyCheck: CRC32C

    /// The copy with other flags that was requested first.
    private let other = LazyReference<Form>()

    private final class Form: Sendable {
        let flags: FrameFlags
        let bytes: ByteBuffer

        init(flags: FrameFlags, _ bytes: ByteBuffer) {
            self.flags = flags
            self.bytes = bytes
        }
    }

    /// - Parameter buffer: the body after `Frame.headerBytes` bytes, which the header replaces.
    init(kind: FrameKind, flags: FrameFlags, headerAndBody buffer: ByteBuffer) {
        self.kind = kind
        self.flags = flags
        bodyCheck = buffer.frameBodyCheck
        bytes = Self.frame(buffer, kind, flags, bodyCheck)
    }

    /// The most that this holds: the frame, and one copy with other flags.
    var mostBytes: Int { 2 * bytes.readableBytes }

    /// The frame with another header. The body is never read again. Copies with one other combination of flags are made
    /// once, because nearly all cuts have the frame at one of two positions; any other, and another kind, costs a copy
    /// on each call.
    func bytes(kind: FrameKind, flags: FrameFlags) -> ByteBuffer {
        if kind == self.kind {
            if flags == self.flags { return bytes }
            // If two threads make it at once, the first one stored is used by both.
            let form = other.load() ?? other.storeIfNil(Form(flags: flags, Self.frame(bytes, kind, flags, bodyCheck)))
            if form.flags == flags { return form.bytes }
        }
        return Self.frame(bytes, kind, flags, bodyCheck)
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

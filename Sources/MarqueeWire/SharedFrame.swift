import NIOCore

/// A whole frame whose body is sent on many connections, some with a different kind or flags.
struct SharedFrame: Hashable, Sendable {
    /// The frame as first encoded.
    let bytes: ByteBuffer
    /// Covers only the body: the starting point for any header's checksum.
    private let bodyCheck: CRC32C

    /// - Parameter buffer: the body after `Frame.headerBytes` bytes, which the header replaces.
    init(kind: FrameKind, flags: FrameFlags, headerAndBody buffer: ByteBuffer) {
        var crc = CRC32C()
        buffer.withUnsafeReadableBytes { crc.update(UnsafeRawBufferPointer(rebasing: $0.dropFirst(Frame.headerBytes))) }
        bodyCheck = crc
        bytes = Self.frame(buffer, kind, flags, crc)
    }

    /// The frame with another header: a copy of the bytes, made without reading the body again.
    func bytes(kind: FrameKind, flags: FrameFlags) -> ByteBuffer { Self.frame(bytes, kind, flags, bodyCheck) }

    private static func frame(
        _ buffer: ByteBuffer, _ kind: FrameKind, _ flags: FrameFlags, _ bodyCheck: CRC32C
    ) -> ByteBuffer {
        var buffer = buffer
        let header = FrameHeader(
            kind: kind, flags: flags, bodyBytes: buffer.readableBytes - Frame.headerBytes, bodyCheck: bodyCheck)
        buffer.setFrameHeader(header, at: buffer.readerIndex)
        return buffer
    }
}

package import NIOCore

/// Splits a byte stream into frames and verifies their checksums.
///
/// A plain value, owned by a handler or a simulation. The length is checked before memory is reserved for the frame.
/// After an error every call throws that error again, because the start of the next frame is unknown.
package struct FrameDecoder: Sendable {
    /// Maximum value of the length field. The owner raises it once the peer has identified itself.
    package var maximumLength: UInt32

    /// Bytes received but not yet returned as frames. Holds no memory when empty.
    private var buffer = ByteBuffer()
    private var failure: WireError?

    /// - Parameter maximumLength: the limit for the length field.
    package init(maximumLength: UInt32 = WireLimits.unauthenticatedFrameBytes) {
        self.maximumLength = maximumLength
    }

    /// Bytes received but not yet returned as frames.
    package var pendingBytes: Int { buffer.readableBytes }

    /// Adds bytes as they arrived.
    package mutating func append(_ bytes: ByteBuffer) {
        guard failure == nil else { return }
        if buffer.readableBytes == 0 {
            buffer = bytes
        } else {
            buffer.discardReadBytes()
            buffer.writeImmutableBuffer(bytes)
        }
    }

    /// The next complete frame, or `nil` if more bytes are needed.
    ///
    /// - Throws: `frameTooShort`, `frameTooLong` or `frameDamaged`, and the same error on every later call.
    package mutating func next() throws(WireError) -> Frame? {
        if let failure { throw failure }
        do {
            return try readFrame()
        } catch {
            failure = error
            throw error
        }
    }

    private mutating func readFrame() throws(WireError) -> Frame? {
        guard let length = buffer.getInteger(at: buffer.readerIndex, as: UInt32.self) else { return nil }
        guard length >= Frame.envelopeBytes else {
            throw WireError(.frameTooShort, "a frame of length \(length) has no envelope")
        }
        guard length <= maximumLength else {
            let message =
                Self.isTLS(length)
                ? "the other side speaks TLS, and this side doesn't"
                : "a frame of length \(length) exceeds the limit of \(maximumLength)"
            throw WireError(.frameTooLong, message)
        }
        let whole = Frame.lengthBytes + Int(length)
        guard buffer.readableBytes >= whole else {
            buffer.reserveCapacity(minimumWritableBytes: whole - buffer.readableBytes)
            return nil
        }
        guard let header = FrameHeader(from: &buffer),
            let body = buffer.readSlice(length: Int(length) - Frame.envelopeBytes)
        else { preconditionFailure("bytes already counted can't be read") }
        var crc = CRC32C()
        crc.update(body)
        // Otherwise an idle connection would keep its last receive buffer alive.
        if buffer.readableBytes == 0 { buffer = ByteBuffer() }
        guard header.check == header.expectedCheck(crc) else {
            throw WireError(.frameDamaged, "a frame of length \(length) does not match its check")
        }
        return Frame(kind: header.kind, flags: header.flags, body: body)
    }

    /// Whether a length is the beginning of a TLS alert or handshake: the record's type, and a version that has begun
    /// with 3 since SSL (RFC 8446, section 5.1).
    private static func isTLS(_ length: UInt32) -> Bool { [0x1503, 0x1603].contains(length >> 16) }
}

package import NIOCore

/// Cuts a stream of bytes into frames and verifies the check of each one.
///
/// A plain value that a handler or a simulation owns. The length is judged before memory is reserved for the frame.
/// After an error the decoder gives only that error: where the next frame begins is no longer known.
package struct FrameDecoder: Sendable {
    /// What the length field may say, at most. Raise it when the peer has said who it is.
    package var maximumLength: UInt32

    private var buffer = ByteBuffer()
    private var failure: WireError?

    /// - Parameter maximumLength: of the length field.
    package init(maximumLength: UInt32 = WireLimits.unauthenticatedFrameBytes) {
        self.maximumLength = maximumLength
    }

    /// Bytes taken in and not yet given out as frames.
    package var pendingBytes: Int { buffer.readableBytes }

    /// Takes in bytes as they arrived.
    package mutating func append(_ bytes: ByteBuffer) {
        guard failure == nil else { return }
        if buffer.readableBytes == 0 {
            buffer = bytes
        } else {
            buffer.discardReadBytes()
            buffer.writeImmutableBuffer(bytes)
        }
    }

    /// The next whole frame, or `nil` when more bytes are needed.
    ///
    /// - Throws: `frameTooShort`, `frameTooLong` or `frameDamaged`, again at each later call.
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
            throw WireError(.frameTooLong, "a frame of length \(length) exceeds the limit of \(maximumLength)")
        }
        let whole = Frame.lengthBytes + Int(length)
        guard buffer.readableBytes >= whole else {
            buffer.reserveCapacity(minimumWritableBytes: whole - buffer.readableBytes)
            return nil
        }
        guard let header = FrameHeader(from: &buffer),
            let body = buffer.readSlice(length: Int(length) - Frame.envelopeBytes)
        else { preconditionFailure("bytes that were counted can't be read") }
        var crc = CRC32C()
        crc.update(body)
        guard header.check == header.expectedCheck(crc) else {
            throw WireError(.frameDamaged, "a frame of length \(length) does not match its check")
        }
        return Frame(kind: header.kind, flags: header.flags, body: body)
    }
}

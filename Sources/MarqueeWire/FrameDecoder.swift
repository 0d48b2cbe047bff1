package import NIOCore

/// Cuts a stream of bytes into frames.
///
/// A plain value with two faces: `append` and `next` for a handler or a simulation that owns it, and
/// `ByteToMessageDecoder` for NIO's `ByteToMessageHandler`. The length is judged before memory is reserved for the
/// frame. After an error the decoder gives only that error: where the next frame begins is no longer known.
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
    /// - Throws: `frameTooShort` or `frameTooLong`, again at each later call.
    package mutating func next() throws(WireError) -> Frame? {
        if let failure { throw failure }
        do {
            return try Self.read(from: &buffer, maximumLength: maximumLength)
        } catch {
            failure = error
            throw error
        }
    }

    /// Says that no more bytes come.
    ///
    /// - Throws: `truncated` when the stream ended inside a frame, or the error met before.
    package func finish() throws(WireError) {
        if let failure { throw failure }
        try Self.finish(buffer)
    }

    private static func read(from buffer: inout ByteBuffer, maximumLength: UInt32) throws(WireError) -> Frame? {
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
        buffer.moveReaderIndex(forwardBy: Frame.lengthBytes)
        guard let kind = buffer.readInteger(as: UInt16.self), let flags = buffer.readInteger(as: UInt16.self),
            let body = buffer.readSlice(length: Int(length) - Frame.envelopeBytes)
        else { preconditionFailure("bytes that were counted can't be read") }
        return Frame(kind: FrameKind(rawValue: kind), flags: FrameFlags(rawValue: flags), body: body)
    }

    private static func finish(_ rest: ByteBuffer) throws(WireError) {
        guard rest.readableBytes == 0 else {
            throw WireError(.truncated, "the stream ended inside a frame, after \(rest.readableBytes) bytes")
        }
    }
}

extension FrameDecoder: ByteToMessageDecoder {
    package typealias InboundOut = Frame

    package mutating func decode(context: ChannelHandlerContext, buffer: inout ByteBuffer) throws -> DecodingState {
        guard let frame = try Self.read(from: &buffer, maximumLength: maximumLength) else { return .needMoreData }
        context.fireChannelRead(Self.wrapInboundOut(frame))
        return .continue
    }

    package mutating func decodeLast(
        context: ChannelHandlerContext, buffer: inout ByteBuffer, seenEOF: Bool
    ) throws -> DecodingState {
        while case .continue = try decode(context: context, buffer: &buffer) {}
        if seenEOF { try Self.finish(buffer) }
        return .needMoreData
    }
}

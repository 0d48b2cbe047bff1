package import NIOCore

/// A patch as frames, encoded once for all subscribers: nothing in it belongs to a connection or a user.
///
/// A value whose buffers are shared; safe to hand to any thread.
package struct EncodedPatch: Hashable, Sendable {
    /// Whole frames, with the kind and flags that are asked for most often.
    private let frames: [ByteBuffer]
    private let preparedKind: FrameKind
    private let preparedFlags: FrameFlags
    /// Bytes of all frames, headers included.
    package let bytes: Int

    /// - Parameters:
    ///   - parts: in order, at least one.
    ///   - isWhole: whether it is sent as `stage` rather than as data, most of the time.
    init(_ parts: [Part], isWhole: Bool) {
        preparedKind = isWhole ? .stage : .data
        preparedFlags = !isWhole && parts.count == 1 ? [.first, .last] : []
        let (kind, flags) = (preparedKind, preparedFlags)
        frames = parts.map { MessageCodec.encode(kind == .stage ? .stage($0) : .data($0), flags: flags) }
        bytes = frames.reduce(0) { $0 + $1.readableBytes }
    }

    package var frameCount: Int { frames.count }

    /// The frame of one part.
    ///
    /// The flavour that is wanted most, data with first and last flags (of a whole section: `stage` without flags),
    /// shares one buffer between all callers. Any other costs a copy, in which only the four bytes of the envelope
    /// differ; it never costs an encoding.
    package func frame(_ index: Int, kind: FrameKind = .data, flags: FrameFlags = []) -> ByteBuffer {
        var frame = frames[index]
        guard kind != preparedKind || flags != preparedFlags else { return frame }
        let envelope = frame.readerIndex + Frame.lengthBytes
        frame.setInteger(kind.rawValue, at: envelope)
        frame.setInteger(flags.rawValue, at: envelope + MemoryLayout<UInt16>.size)
        return frame
    }
}

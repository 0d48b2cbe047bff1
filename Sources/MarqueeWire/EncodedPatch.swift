package import NIOCore

/// A patch as frames, encoded once for all subscribers. Nothing in it is specific to a connection or a user.
///
/// A value whose buffers are shared; safe to pass to any thread.
package struct EncodedPatch: Hashable, Sendable {
    /// Whole frames, with the kind and flags that are requested most often.
    private let frames: [SharedFrame]
    /// Total bytes of all frames, headers included.
    package let bytes: Int
    /// The most bytes that it holds: the frames, and copies of them for another position in a cut.
    package var mostBytes: Int { frames.reduce(0) { $0 + $1.mostBytes } }

    /// - Parameters:
    ///   - parts: in order, at least one.
    ///   - isWhole: whether it is mostly sent as `stage` rather than `data` frames.
    init(_ parts: [Part], isWhole: Bool) {
        let kind: FrameKind = isWhole ? .stage : .data
        frames = parts.enumerated().map { index, part in
            MessageCodec.encodeShared(
                isWhole ? .stage(part) : .data(part), flags: Self.preparedFlags(index, of: parts.count, kind))
        }
        bytes = frames.reduce(0) { $0 + $1.bytes.readableBytes }
    }

    /// A patch whose frames were encoded elsewhere. Their bodies are sent as they are.
    /// - Parameters:
    ///   - bodies: those of the frames, in order, at least one.
    ///   - isWhole: whether it is mostly sent as `stage` rather than `data` frames.
    package init(bodies: [ByteBuffer], isWhole: Bool) {
        let kind: FrameKind = isWhole ? .stage : .data
        frames = bodies.enumerated().map { index, body in
            var frame = ByteBuffer()
            frame.reserveCapacity(Frame.headerBytes + body.readableBytes)
            frame.writeRepeatingByte(0, count: Frame.headerBytes)
            frame.writeImmutableBuffer(body)
            return SharedFrame(
                kind: kind, flags: Self.preparedFlags(index, of: bodies.count, kind), headerAndBody: frame)
        }
        bytes = frames.reduce(0) { $0 + $1.bytes.readableBytes }
    }

    package var frameCount: Int { frames.count }

    /// The flags in a cut that consists of this patch, or of the patch when it is staged.
    private static func preparedFlags(_ index: Int, of count: Int, _ kind: FrameKind) -> FrameFlags {
        var flags: FrameFlags = []
        if index == 0 { flags.insert(.first) }
        if index == count - 1, kind != .stage { flags.insert(.last) }
        return flags
    }

    /// The `stage` frame of one part; the first part's frame is flagged `first`.
    package func stagedFrame(_ index: Int) -> ByteBuffer {
        frame(index, kind: .stage, flags: Self.preparedFlags(index, of: frames.count, .stage))
    }

    /// The frame of one part.
    ///
    /// Callers share its buffer. Frames are encoded with the flags they have in a cut that consists of this patch (as
    /// `stage` if the patch is whole). For one other position in a cut, a frame is copied once with a different
    /// header, and that copy is shared; a third position, or the other kind, copies it for each caller. No frame is
    /// encoded again, or its body read again for the checksum.
    package func frame(_ index: Int, kind: FrameKind = .data, flags: FrameFlags = []) -> ByteBuffer {
        frames[index].bytes(kind: kind, flags: flags)
    }
}

package import NIOCore

/// A patch as frames, encoded once for all subscribers: nothing in it is specific to a connection or a user.
///
/// A value whose buffers are shared; safe to pass to any thread.
package struct EncodedPatch: Hashable, Sendable {
    /// Whole frames, with the kind and flags requested most.
    private let frames: [SharedFrame]
    /// Total bytes of all frames in one form, including headers.
    package let bytes: Int

    /// - Parameters:
    ///   - parts: in order, at least one.
    ///   - isWhole: whether it is mostly sent as `stage` rather than as data.
    init(_ parts: [Part], isWhole: Bool) {
        let kind: FrameKind = isWhole ? .stage : .data
        frames = parts.enumerated().map { index, part in
            MessageCodec.encodeShared(
                isWhole ? .stage(part) : .data(part), flags: Self.preparedFlags(index, of: parts.count, kind))
        }
        bytes = frames.reduce(0) { $0 + $1.bytes.readableBytes }
    }

    package var frameCount: Int { frames.count }

    /// Those of a cut that is this patch alone, or of the patch when it is staged.
    private static func preparedFlags(_ index: Int, of count: Int, _ kind: FrameKind) -> FrameFlags {
        var flags: FrameFlags = []
        if index == 0 { flags.insert(.first) }
        if index == count - 1, kind != .stage { flags.insert(.last) }
        return flags
    }

    /// The frame of one part of a staged patch; the first part is flagged.
    package func stagedFrame(_ index: Int) -> ByteBuffer {
        frame(index, kind: .stage, flags: Self.preparedFlags(index, of: frames.count, .stage))
    }

    /// The frame of one part.
    ///
    /// Callers share its buffer. The frames are encoded as a cut of this patch alone has them (as `stage` if it is
    /// whole); at other places in a cut, a frame is copied once for all, with another header. Only the other kind costs
    /// each caller a copy. No form costs another encoding or another pass over the body for the checksum.
    package func frame(_ index: Int, kind: FrameKind = .data, flags: FrameFlags = []) -> ByteBuffer {
        frames[index].bytes(kind: kind, flags: flags)
    }
}

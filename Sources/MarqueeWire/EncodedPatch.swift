package import NIOCore

/// A patch as frames, encoded once for all subscribers: nothing in it is specific to a connection or a user.
///
/// A value whose buffers are shared; safe to pass to any thread.
package struct EncodedPatch: Hashable, Sendable {
    /// Whole frames, with the most frequently requested kind and flags.
    private let frames: [SharedFrame]
    private let preparedKind: FrameKind
    /// Total bytes of all frames, including headers.
    package let bytes: Int

    /// - Parameters:
    ///   - parts: in order, at least one.
    ///   - isWhole: whether it is mostly sent as `stage` rather than as data.
    init(_ parts: [Part], isWhole: Bool) {
        let kind: FrameKind = isWhole ? .stage : .data
        preparedKind = kind
        frames = parts.enumerated().map { index, part in
            MessageCodec.encodeShared(
                isWhole ? .stage(part) : .data(part), flags: Self.preparedFlags(index, of: parts.count, kind))
        }
        bytes = frames.reduce(0) { $0 + $1.bytes.readableBytes }
    }

    package var frameCount: Int { frames.count }

    private static func preparedFlags(_ index: Int, of count: Int, _ kind: FrameKind) -> FrameFlags {
        switch kind {
        case .stage: index == 0 ? .first : []
        default: count == 1 ? [.first, .last] : []
        }
    }

    /// The frame of one part of a staged patch; the first part is flagged.
    package func stagedFrame(_ index: Int) -> ByteBuffer {
        frame(index, kind: .stage, flags: Self.preparedFlags(index, of: frames.count, .stage))
    }

    /// The frame of one part.
    ///
    /// The most common form, data flagged first and last (for a whole section: `stage`, the first one flagged), shares
    /// one buffer between all callers. Any other form costs a copy that differs only in its header, but never another
    /// encoding or another pass over the body for the checksum.
    package func frame(_ index: Int, kind: FrameKind = .data, flags: FrameFlags = []) -> ByteBuffer {
        let frame = frames[index]
        guard kind != preparedKind || flags != Self.preparedFlags(index, of: frames.count, preparedKind) else {
            return frame.bytes
        }
        return frame.bytes(kind: kind, flags: flags)
    }
}

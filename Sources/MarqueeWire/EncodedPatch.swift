package import NIOCore

/// A patch as frames, encoded once for all subscribers: nothing in it belongs to a connection or a user.
///
/// A value whose buffers are shared; safe to hand to any thread.
package struct EncodedPatch: Hashable, Sendable {
    /// Whole frames, with the kind and flags that are asked for most often.
    private let frames: [SharedFrame]
    private let preparedKind: FrameKind
    /// Bytes of all frames, headers included.
    package let bytes: Int

    /// - Parameters:
    ///   - parts: in order, at least one.
    ///   - isWhole: whether it is sent as `stage` rather than as data, most of the time.
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

    /// The frame of one part of a staged patch, which says where the patch begins.
    package func stagedFrame(_ index: Int) -> ByteBuffer {
        frame(index, kind: .stage, flags: Self.preparedFlags(index, of: frames.count, .stage))
    }

    /// The frame of one part.
    ///
    /// The form that is wanted most, data flagged first and last (of a whole section: `stage`, the first one flagged),
    /// shares one buffer between all callers. Any other form costs a copy in which only the header differs; it never
    /// costs an encoding, nor reading the body again for the check.
    package func frame(_ index: Int, kind: FrameKind = .data, flags: FrameFlags = []) -> ByteBuffer {
        let frame = frames[index]
        guard kind != preparedKind || flags != Self.preparedFlags(index, of: frames.count, preparedKind) else {
            return frame.bytes
        }
        return frame.bytes(kind: kind, flags: flags)
    }
}

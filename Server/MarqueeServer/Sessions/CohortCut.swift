import MarqueeModel
import MarqueeWire
package import NIOCore

/// The frames that take every member of a cohort to the newest position, laid out once, as one or more whole cuts.
package struct CohortCut: Sendable {
    /// Bytes above which a cohort's members get their frames one by one, as credit and buffers allow (G8).
    static let maximumBytes = 16 << 10

    /// All frames.
    package private(set) var bytes: ByteBuffer
    /// The number of data frames, and their bytes, which count against the client's credit.
    private(set) var dataFrames = 0
    private(set) var dataBytes = 0
    /// Bytes of data before the last cut.
    private(set) var dataBytesBeforeLast = 0
    /// The position that the frames carry.
    private(set) var names = CutChange()
    /// The variants that change.
    private(set) var handles: [UInt64] = []

    /// The cut of one publication.
    /// - Parameters:
    ///   - patches: from the held versions to the published ones, in the order of their handles; at least one.
    ///   - revision: the catalogue revision at which all versions that members show are the newest.
    init(_ patches: [(handle: UInt64, patch: VersionLibrary.Shared)], at revision: UInt64) {
        let last = patches.reduce(0) { $0 + $1.patch.encoded.frameCount } - 1
        var frames: [ByteBuffer] = []
        for (handle, patch) in patches {
            handles.append(handle)
            names = names.advanced(by: patch.since)
            for part in 0..<patch.encoded.frameCount {
                var flags: FrameFlags = []
                if frames.isEmpty { flags.insert(.first) }
                if frames.count == last { flags.insert(.last) }
                frames.append(patch.encoded.frame(part, kind: .data, flags: flags))
            }
        }
        dataFrames = frames.count
        dataBytes = frames.reduce(0) { $0 + $1.readableBytes }
        // Frames carry the position since which their content is current; progress carries the newer one (G9).
        if names.catalogueRevision ?? 0 < revision {
            let change = CutChange(catalogueRevision: revision)
            frames.append(MessageCodec.encode(.progress(change), flags: []))
            names = names.advanced(by: change)
        }
        // A single frame's buffer is shared with all other sessions that are sent it.
        bytes = frames.removeFirst()
        for frame in frames { bytes.writeImmutableBuffer(frame) }
    }

    /// Appends the next cut.
    mutating func append(_ next: CohortCut) {
        bytes.writeImmutableBuffer(next.bytes)
        dataFrames += next.dataFrames
        dataBytesBeforeLast = dataBytes + next.dataBytesBeforeLast
        dataBytes += next.dataBytes
        names = names.advanced(by: next.names)
        handles += next.handles
    }
}

package import MarqueeDiff
import MarqueeModel

/// Versions that no join has named yet. They are invisible until one does.
package struct StagedVersions: Sendable {
    private struct Staged: Sendable {
        var version: Version
        /// Bytes of its frames.
        var bytes: Int
        /// The order in which it was staged.
        var serial: UInt64
    }

    /// A patch whose parts are still arriving.
    private struct Unfinished {
        var assembler = PatchAssembler()
        var bytes = 0
    }

    /// By handle.
    private var versions: [UInt64: Staged] = [:]
    private var unfinished: Unfinished?
    /// The number of versions staged so far.
    private var serial: UInt64 = 0
    /// Bytes of all frames held, including those of the unfinished patch.
    package private(set) var bytes = 0

    package init() {}

    package var isEmpty: Bool { versions.isEmpty && unfinished == nil }

    /// The versions to name in a nack, by handle.
    package var held: [HeldVersion] {
        versions.sorted { $0.key < $1.key }.map { HeldVersion(handle: $0.key, sum: $0.value.version.sum) }
    }

    package func version(of handle: UInt64) -> Version? { versions[handle]?.version }

    /// Adds a part of a patch.
    /// - Parameter isFirst: whether a new patch begins; an unfinished one is dropped.
    /// - Returns: the patch that this part completes, and the bytes of its frames; it is not kept here.
    package mutating func append(_ part: Part, isFirst: Bool, bytes: Int) throws(WireError) -> (
        patch: Patch, bytes: Int
    )? {
        if isFirst {
            dropUnfinished()
            unfinished = Unfinished()
        }
        // This belongs to a patch that was refused here.
        guard var patch = unfinished else { return nil }
        dropUnfinished()
        patch.bytes += bytes
        if let complete = try patch.assembler.append(part) { return (complete, patch.bytes) }
        self.bytes += patch.bytes
        unfinished = patch
        return nil
    }

    /// Keeps a version, replacing the previous one of its handle.
    package mutating func keep(_ version: Version, of handle: UInt64, bytes: Int) {
        drop(handle)
        serial += 1
        versions[handle] = Staged(version: version, bytes: bytes, serial: serial)
        self.bytes += bytes
    }

    package mutating func drop(_ handle: UInt64) {
        if let staged = versions.removeValue(forKey: handle) { bytes -= staged.bytes }
    }

    /// Drops a patch that is incomplete.
    package mutating func dropUnfinished() {
        bytes -= unfinished?.bytes ?? 0
        unfinished = nil
    }

    /// Drops the oldest versions if there are too many bytes: a version that no join has named for long was most likely
    /// abandoned by the server. If a join does name it, that is repaired.
    /// - Returns: whether the rest is within the limit.
    package mutating func fit(into limit: Int) -> Bool {
        while bytes > limit, let oldest = versions.min(by: { $0.value.serial < $1.value.serial })?.key { drop(oldest) }
        return bytes <= limit
    }
}

/// The staged versions that a client keeps because no join has carried them yet, in the order in which they were
/// staged.
///
/// A client drops the versions staged first when it would exceed its own limit. The session does the same here, so it
/// knows which are gone.
struct StagedLedger {
    private var entries: [UInt64: (serial: UInt64, bytes: Int)] = [:]
    private var serial: UInt64 = 0
    private(set) var bytes = 0

    /// The bytes of the frames of a handle's version; 0 if none is kept.
    func bytes(of handle: UInt64) -> Int { entries[handle]?.bytes ?? 0 }

    /// Adds a version that was staged completely. It replaces the previous one of its handle.
    mutating func append(_ handle: UInt64, bytes: Int) {
        remove(handle)
        serial += 1
        entries[handle] = (serial, bytes)
        self.bytes += bytes
    }

    mutating func remove(_ handle: UInt64) {
        if let entry = entries.removeValue(forKey: handle) { bytes -= entry.bytes }
    }

    /// Drops the version staged first.
    mutating func popFirst() -> UInt64? {
        guard let first = entries.min(by: { $0.value.serial < $1.value.serial })?.key else { return nil }
        remove(first)
        return first
    }

    /// Keeps only the versions that the client says it keeps.
    mutating func keep(_ handles: Set<UInt64>) {
        for handle in entries.keys where !handles.contains(handle) { remove(handle) }
    }
}

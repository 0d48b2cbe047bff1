import MarqueeDiff

/// Results of comparing versions. Each pair is compared once, instead of once per subscriber or once per variant;
/// thousands of variants may share a content.
///
/// Versions are identified by their sums alone. A remembered patch has been verified to lead from one to the other.
struct DiffMemo {
    enum Verdict {
        case patch(Patch)
        /// There is a patch, but it isn't worth sending.
        case notWorthIt
    }

    struct Key: Hashable {
        /// The sum of the base; that of the empty version for content that is sent whole.
        var base: UInt64
        var target: UInt64
    }

    /// The most verdicts.
    static let maximumVerdicts = 4_096
    /// The most bytes of their patches, as on the wire; in memory, patches share items with versions.
    static let maximumBytes = 8 << 20

    private var verdicts: [Key: Verdict] = [:]
    private var order = AgeQueue<Key>()

    subscript(key: Key) -> Verdict? { verdicts[key] }

    /// - Parameter now: milliseconds of a monotonic clock.
    mutating func add(_ verdict: Verdict, for key: Key, now: UInt64) {
        verdicts[key] = verdict
        let bytes = if case .patch(let patch) = verdict { patch.encodedSize } else { 0 }
        order.append(key, bytes: bytes, at: now)
        while order.count > Self.maximumVerdicts || order.bytes > Self.maximumBytes, let oldest = order.popFirst() {
            verdicts[oldest] = nil
        }
    }

    /// Forgets verdicts at least `age` milliseconds old.
    mutating func forget(ageing age: UInt64, at now: UInt64) {
        while let oldest = order.popFirst(ageing: age, at: now) { verdicts[oldest] = nil }
    }
}

import MarqueeDiff

/// What was found when versions were compared, so that it is done once: not for each subscriber, nor for each of the
/// thousands of variants that share a content.
///
/// Versions are named by their sums alone. A patch that is kept has led from the one to the other.
struct DiffMemo {
    enum Verdict {
        case patch(Patch)
        /// There is one, which is not worth sending.
        case notWorthIt
    }

    struct Key: Hashable {
        /// That of the empty version for what is sent whole.
        var base: UInt64
        var target: UInt64
    }

    /// Verdicts, at most.
    static let maximumVerdicts = 4_096
    /// Bytes of their patches on the wire. They share their items with versions.
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

    /// Forgets what is as old as `age` or older, in milliseconds.
    mutating func forget(ageing age: UInt64, at now: UInt64) {
        while let oldest = order.popFirst(ageing: age, at: now) { verdicts[oldest] = nil }
    }
}

/// Consecutive items of a new list that were consecutive in the old one.
struct MatchRun: BitwiseCopyable {
    var old: UInt32
    var new: UInt32
    var count: UInt32
    /// Items that precede the run in an increasing subsequence; `moved` if the run isn't part of the longest one.
    var rank: UInt32 = 0

    static let moved = UInt32.max

    @inline(__always)
    init(old: Int, new: Int, count: Int) {
        self.old = UInt32(truncatingIfNeeded: old)
        self.new = UInt32(truncatingIfNeeded: new)
        self.count = UInt32(truncatingIfNeeded: count)
    }

    var isMoved: Bool { rank == Self.moved }
    var oldStart: Int { Int(old) }
    var oldEnd: Int { Int(old) + Int(count) }
    var newStart: Int { Int(new) }
    var newEnd: Int { Int(new) + Int(count) }
}

extension ScratchArray<MatchRun> {
    /// Appends a run, or extends the last run if this one continues it.
    @inline(__always)
    mutating func appendOrExtend(_ run: MatchRun) {
        if count > 0 {
            let last = base + (count - 1)
            if last.pointee.oldEnd == run.oldStart, last.pointee.newEnd == run.newStart {
                last.pointee.count += run.count
                return
            }
        }
        append(run)
    }
}

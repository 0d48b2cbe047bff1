import DequeModule

/// When the catalogue's newest revisions were published. They tell the age of the oldest change that a session lacks.
///
/// Times are milliseconds of a monotonic clock.
struct RevisionTimes {
    /// The most publications remembered. A session that lacks an older one counts as at least this far behind.
    static let maximum = 4_096

    private var marks: Deque<(revision: UInt64, at: UInt64)> = []

    /// Records that a revision is published.
    mutating func note(_ revision: UInt64, at now: UInt64) {
        guard revision > marks.last?.revision ?? 0 else { return }
        if marks.count == Self.maximum { marks.removeFirst() }
        marks.append((revision, now))
    }

    /// Forgets all revisions, because another log begins.
    mutating func startOver() { marks = [] }

    /// How long ago the first revision after `revision` was published; 0 if there is none.
    func age(after revision: UInt64, now: UInt64) -> UInt64 {
        var range = marks.startIndex..<marks.endIndex
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if marks[middle].revision <= revision {
                range = middle + 1..<range.upperBound
            } else {
                range = range.lowerBound..<middle
            }
        }
        guard range.lowerBound < marks.endIndex else { return 0 }
        return now - min(now, marks[range.lowerBound].at)
    }
}

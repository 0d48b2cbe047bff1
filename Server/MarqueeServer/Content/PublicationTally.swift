/// Which publications have a line each in the log, and which are counted in one line for a second.
///
/// The first few of a publisher in a second have a line each. Those that come faster are counted, so that nothing is
/// lost unsaid and no publisher fills the log.
struct PublicationTally {
    /// The most lines of a publisher in a second, before its publications are counted.
    static let linesPerSecond = 5
    /// The most publishers of a second with lines of their own; further ones are counted together.
    static let maximumPublishers = 64
    /// Milliseconds that are counted in one line.
    static let period: UInt64 = 1_000

    /// A publisher, as far as lines are counted for it.
    struct Publisher: Hashable, Sendable {
        var user: String?
        /// The name of what it has shown.
        var by: String?
        /// Its address without the port, which is another for each connection.
        var host: String?
    }

    /// The end of a publication.
    enum Outcome: Hashable, Sendable {
        case committed(changes: Int, revision: UInt64)
        case refused(reason: String)
    }

    /// Publications of one publisher that have no lines of their own.
    struct Summary: Hashable, Sendable {
        /// `nil` for those of many publishers.
        var publisher: Publisher?
        var committed = 0
        var refused = 0
        var changes = 0
        /// The first and the last revision, if any was committed.
        var revisions: ClosedRange<UInt64>?
        /// Why the last one was refused.
        var lastReason: String?

        fileprivate mutating func add(_ outcome: Outcome) {
            switch outcome {
            case .committed(let count, let revision):
                committed += 1
                changes = changes.addingReportingOverflow(count).partialValue
                let (first, last) = (revisions?.lowerBound ?? revision, revisions?.upperBound ?? revision)
                revisions = min(first, revision)...max(last, revision)
            case .refused(let reason):
                refused += 1
                lastReason = reason
            }
        }
    }

    private struct Bucket {
        var lines = 0
        var summary: Summary?
    }

    private var began: UInt64 = 0
    private var buckets: [Publisher: Bucket] = [:]
    private var crowd: Summary?

    /// - Parameter now: milliseconds of a clock that doesn't go back.
    /// - Returns: whether the publication has a line of its own, and what is to be said before it.
    mutating func add(
        _ outcome: Outcome, by publisher: Publisher, now: UInt64
    ) -> (hasLine: Bool, due: [Summary]) {
        let due = due(now: now)
        guard buckets[publisher] != nil || buckets.count < Self.maximumPublishers else {
            crowd = crowd ?? Summary()
            crowd?.add(outcome)
            return (false, due)
        }
        var bucket = buckets[publisher] ?? Bucket()
        defer { buckets[publisher] = bucket }
        if bucket.lines < Self.linesPerSecond {
            bucket.lines += 1
            return (true, due)
        }
        var summary = bucket.summary ?? Summary(publisher: publisher)
        summary.add(outcome)
        bucket.summary = summary
        return (false, due)
    }

    /// The summaries that are due: none before a second is over.
    mutating func due(now: UInt64) -> [Summary] {
        guard now >= began, now - began >= Self.period else { return [] }
        began = now
        return end()
    }

    /// All summaries that have not been said.
    mutating func end() -> [Summary] {
        let due = buckets.values.compactMap(\.summary)
            .sorted { ($0.revisions?.lowerBound ?? 0) < ($1.revisions?.lowerBound ?? 0) }
        defer {
            buckets = [:]
            crowd = nil
        }
        return due + (crowd.map { [$0] } ?? [])
    }
}

/// Decides which publications get a line of their own in the log, and counts the others in one line per second.
///
/// The first few publications of a publisher in a second get a line each. Faster ones are counted, so that none goes
/// unmentioned and no publisher fills the log.
struct PublicationTally {
    /// The most lines for a publisher's publications in a second; further ones are counted.
    static let linesPerSecond = 5
    /// The most publishers with lines of their own in a second; publications of further ones are counted together.
    static let maximumPublishers = 64
    /// The milliseconds covered by one line of counts.
    static let period: UInt64 = 1_000

    /// A publisher, as distinguished for counting lines.
    struct Publisher: Hashable, Sendable {
        var user: String?
        /// The name of the token or certificate it has presented.
        var by: String?
        /// Its address without the port, which differs for each connection.
        var host: String?
    }

    /// The outcome of a publication.
    enum Outcome: Hashable, Sendable {
        case committed(changes: Int, revision: UInt64)
        case refused(reason: String)
    }

    /// Publications of one publisher that get no lines of their own.
    struct Summary: Hashable, Sendable {
        /// `nil` if they are of many publishers.
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
    /// - Returns: whether the publication gets a line of its own, and the summaries to log before it.
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

    /// The summaries that are due: none until a second is over.
    mutating func due(now: UInt64) -> [Summary] {
        guard now >= began, now - began >= Self.period else { return [] }
        began = now
        return end()
    }

    /// All summaries not logged yet.
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

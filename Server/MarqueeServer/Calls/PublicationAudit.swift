package import Logging
import MarqueeModel
import MarqueeStore
import Synchronization

/// Log lines that say who changed something. The log's limit on repeated lines doesn't apply to them, as they are few
/// anyway.
package enum AuditLine {
    /// The metadata field of such lines; its value is the subject.
    package static let field = "audit"
    /// Their level, which a server logs by default.
    package static let level = Logger.Level.notice
}

/// Logs which publications were committed or refused, and remembers the newest commits. Thread safe.
final class PublicationAudit: Sendable {
    /// The newest commits, from the log, with their publishers.
    let history = CommitHistory()
    private let logger: Logger
    private let clock: @Sendable () -> UInt64
    private let tally = Mutex(PublicationTally())

    /// - Parameter clock: a monotonic clock, in milliseconds.
    init(_ logger: Logger, clock: @escaping @Sendable () -> UInt64) {
        var logger = logger
        logger[metadataKey: AuditLine.field] = "publication"
        self.logger = logger
        self.clock = clock
    }

    func committed(
        _ record: PublicationRecord, by caller: CallRunner.Caller, key: String?, revision: UInt64, changed: Bool
    ) {
        if changed { history.add(PublicationRecord.publisher(caller.who), of: revision) }
        let outcome = PublicationTally.Outcome.committed(changes: record.changes, revision: revision)
        guard hasLine(outcome, caller) else { return }
        logger.log(
            level: AuditLine.level, "a publication was committed",
            metadata: record.metadata(
                by: caller.who, connection: caller.connection, key: key, revision: revision, changed: changed))
    }

    /// A draft was changed, or will be published.
    func edited(_ edit: DraftEdit, _ record: PublicationRecord, by caller: CallRunner.Caller, key: String?) {
        var metadata = PublicationRecord.metadata(of: caller.who, connection: caller.connection, key: key)
        metadata["draft"] = "\(edit.name)"
        let what: String
        switch edit.action {
        case .add(let changes, _):
            what = "a publication was put into a draft"
            metadata["changes"] = .stringConvertible(changes.count)
        case .schedule(_, let moment, _):
            what = "a draft is to be published"
            metadata["at"] = "\(moment.text)"
        case .hold: what = "a draft is held"
        case .drop: what = "a draft was dropped"
        case .publish, .publishDue, .fail: what = "a draft was published"
        }
        logger.log(level: AuditLine.level, "\(what)", metadata: metadata)
    }

    func refused(_ status: Status, by caller: CallRunner.Caller, key: String?) {
        guard hasLine(.refused(reason: status.reason), caller) else { return }
        var metadata = PublicationRecord.metadata(of: caller.who, connection: caller.connection, key: key)
        metadata["reason"] = "\(status.reason)"
        metadata["why"] = "\(status.message)"
        logger.log(level: AuditLine.level, "a publication was refused", metadata: metadata)
    }

    /// Logs what was counted, once its second is over.
    func tick() { say(tally.withLock { $0.due(now: clock()) }) }

    /// Logs what was counted and not logged yet.
    func end() { say(tally.withLock { $0.end() }) }

    private func hasLine(_ outcome: PublicationTally.Outcome, _ caller: CallRunner.Caller) -> Bool {
        let publisher = PublicationTally.Publisher(caller.who)
        let (hasLine, due) = tally.withLock { $0.add(outcome, by: publisher, now: clock()) }
        say(due)
        return hasLine
    }

    private func say(_ summaries: [PublicationTally.Summary]) {
        for summary in summaries {
            logger.log(
                level: AuditLine.level, "more publications in the same second", metadata: summary.metadata)
        }
    }
}

extension PublicationTally.Publisher {
    fileprivate init(_ caller: ContentCaller) {
        // The port comes after the last colon.
        let host = caller.place.map { place in
            place.address.lastIndex(of: ":").map { String(place.address[..<$0]) } ?? place.address
        }
        self.init(user: caller.user, by: caller.identity.grant.source.words, host: host)
    }
}

extension PublicationTally.Summary {
    fileprivate var metadata: Logger.Metadata {
        var metadata: Logger.Metadata = [
            "committed": .stringConvertible(committed), "refused": .stringConvertible(refused),
            "changes": .stringConvertible(changes),
        ]
        if let publisher {
            metadata["user"] = publisher.user.map { "\($0)" }
            metadata["by"] = publisher.by.map { "\($0)" }
            metadata["host"] = publisher.host.map { "\($0)" }
        } else {
            metadata["by"] = "many publishers"
        }
        metadata["first-revision"] = revisions.map { .stringConvertible($0.lowerBound) }
        metadata["last-revision"] = revisions.map { .stringConvertible($0.upperBound) }
        metadata["last-reason"] = lastReason.map { "\($0)" }
        return metadata
    }
}

import MarqueeModel

/// The bounds of a mirror.
package enum MirrorLimit {
    /// Mutations waiting in the outbox. Nobody makes that many offline; only a runaway loop does.
    package static let outboxEntries = 10_000
    /// Changes of companions that wait for the mirror's owner.
    package static let inboxEntries = 1_000
    /// Observations that no server has confirmed. Beyond that, the oldest are dropped.
    package static let observations = 10_000
    /// UTF-8 bytes of a member's subject.
    package static let subjectBytes = Subject.maximumLength
    /// Refused mutations remembered; the newest are kept.
    package static let rejections = 64
    /// Incidents remembered; the newest are kept.
    package static let incidents = 64
    /// Bytes of sections after which a step of the scrub stops. A larger section is read as a whole.
    package static let scrubBytes = 1 << 20
    /// UTF-8 bytes kept of a refusal's reason or an incident's message.
    package static let reasonBytes = 256
    /// Stored views. The least recently saved are dropped, but never a live one.
    package static let views = 1_024
    /// Bytes of a client id.
    package static let clientIDBytes = 16
    /// Lines about damage to the database file, besides those about views.
    package static let structuralReports = 16
    /// Corrupt files kept beside the mirror; beyond that, the last one is replaced.
    package static let setAsideFiles = 8
    /// The highest mutation number: the largest integer that SQLite can store.
    package static let mutationNumber = UInt64(Int64.max)
    /// Consecutive calls that may meet damage before the next recovery is attempted. The number starts at one and
    /// doubles with each recovery up to this limit, so that a disk that damages everything isn't copied again and
    /// again.
    package static let failuresBetweenRecoveries = 1_024
    /// Seconds to wait for another process that is writing or replacing the file. SQLite waits that long too.
    package static let busySeconds = 2.0
}

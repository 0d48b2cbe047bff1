import MarqueeModel

/// The bounds of a mirror.
package enum MirrorLimit {
    /// Mutations that wait in the outbox. A person does not make so many offline; a loop gone wrong does.
    package static let outboxEntries = 10_000
    /// UTF-8 bytes of a favorite's subject.
    package static let subjectBytes = Subject.maximumLength
    /// Refused mutations that are remembered, newest first to stay.
    package static let rejections = 64
    /// What went wrong lately, newest to stay.
    package static let incidents = 64
    /// Bytes of sections that one step of the scrub reads, at least one section.
    package static let scrubBytes = 1 << 20
    /// UTF-8 bytes of a refusal's reason, or of an incident's message, that are remembered.
    package static let reasonBytes = 256
    /// Stored views. The ones saved longest ago leave, never one that is live.
    package static let views = 1_024
    /// Bytes of a client id.
    package static let clientIDBytes = 16
    /// Lines about damage of the database file, beside those about views.
    package static let structuralReports = 16
    /// Corrupt files that are kept beside the mirror; the last one is replaced beyond that.
    package static let setAsideFiles = 8
    /// The highest number of a mutation: what SQLite's integers hold.
    package static let mutationNumber = UInt64(Int64.max)
    /// Seconds to wait for another program that reads or writes the file.
    package static let busySeconds = 2.0
}

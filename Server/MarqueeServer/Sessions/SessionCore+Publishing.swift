import MarqueeModel
import MarqueeWire

// A publication arrives in parts, each a call of its own.

extension SessionCore {
    /// A publication whose parts are arriving.
    struct Publishing {
        var number: UInt64
        var nextIndex: UInt32
        /// The time by which its last part must arrive.
        var deadline: UInt64
        var bytes: Int
        var changes: [[UInt8]]
        /// Its reservation in the budget that all sessions share.
        var held: ByteBudget.Reservation
    }

    /// - Returns: the whole publication once its last part has arrived.
    mutating func publish(_ part: PublishRequest, of call: UInt32, now: UInt64) throws -> ContentCall? {
        try Self.check(number: part.number)
        do {
            if part.index == 0 {
                // An unfinished publication is abandoned.
                calls.publishing = nil
                calls.publishing = try begin(part, now: now)
            } else if calls.publishing?.number != part.number || calls.publishing?.nextIndex != part.index {
                throw Self.invalid(
                    "PART_OUT_OF_ORDER",
                    "the parts of a publication follow each other from index 0, within "
                        + "\(settings.publicationMilliseconds / 1_000) seconds")
            }
            try add(part)
        } catch {
            calls.publishing = nil
            throw error
        }
        guard part.last, let whole = calls.publishing else { return nil }
        calls.publishing = nil
        calls.committing[call] = whole.held.bytes
        return .publish(
            number: part.number, answeredThrough: part.answeredThrough, key: part.key, source: part.source,
            changes: whole.changes, held: whole.held)
    }

    private func begin(_ part: PublishRequest, now: UInt64) throws -> Publishing {
        // A publication of one part doesn't compete for room with unfinished ones.
        let budget = part.last ? budgets.wholePublications : budgets.publications
        guard let held = budget.reserve(0) else { throw Status.tooManyPublications }
        return Publishing(
            number: part.number, nextIndex: 0, deadline: now + settings.publicationMilliseconds, bytes: 0, changes: [],
            held: held)
    }

    /// Adds a part to the arriving publication in place, so that earlier parts aren't copied each time.
    private mutating func add(_ part: PublishRequest) throws {
        guard let held = calls.publishing?.held else { return }
        guard part.last || !part.changes.isEmpty else {
            throw Self.invalid("PART_EMPTY", "every part but the last must hold a change")
        }
        let bytes = part.changes.reduce(0) { $0 + $1.count }
        guard (calls.publishing?.bytes ?? 0) + bytes <= SessionSettings.publishBytes,
            (calls.publishing?.changes.count ?? 0) + part.changes.count <= SessionSettings.publishChanges
        else {
            throw Status.publicationTooLarge
        }
        let more = bytes + part.changes.count * SessionSettings.changeOverhead
        let others = calls.committingBytes
        guard others + held.bytes + more <= SessionSettings.publicationBytesHeld, held.grow(by: more) else {
            throw Status.tooManyPublications
        }
        calls.publishing?.nextIndex += 1
        calls.publishing?.bytes += bytes
        calls.publishing?.changes += part.changes
    }
}

extension Status {
    static let publicationTooLarge = Status(
        .resourceExhausted, reason: "PUBLICATION_TOO_LARGE", remedy: .fatal,
        message: "a publication has at most \(SessionSettings.publishChanges) changes in "
            + "\(SessionSettings.publishBytes) bytes")

    /// Publications that are arriving or being committed use up their budget.
    static let tooManyPublications = Status(
        .resourceExhausted, reason: "TOO_MANY_PUBLICATIONS", remedy: .retrySame,
        message: "too many publications are in progress; try again", retryAfterMilliseconds: 1_000)
}

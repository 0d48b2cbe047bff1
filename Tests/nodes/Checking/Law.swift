/// A guarantee that must hold, whatever fails.
enum Law: String, CaseIterable, Sendable {
    /// G1: an observer never goes back within an epoch, nor to an epoch that it had left.
    case monotone
    /// G2, G3: all who show a position show the same there.
    case oneContent = "one-content"
    /// G2, G3, G6: what is shown at a position is what the database's log leads to there.
    case model
    /// Revisions have no gaps, in any log.
    case gaps
    /// G7: nothing takes effect twice, or without having been asked for.
    case once
    /// Every confirmed change is there.
    case kept
    /// G6: a device shows its own change once that is confirmed.
    case ownWrites = "own-writes"
    /// The rows of the database agree with each other.
    case rows
    /// G2: when changes stop, every mirror shows what the database has.
    case converged
    /// Every change that was asked for is confirmed in the end, or refused where commits may be lost.
    case decided
    /// A server that fails holds up nobody at another one.
    case patience
    /// No process ends without having been asked to.
    case alive
}

/// A law that doesn't hold, and where.
struct Violation: Hashable, Sendable, CustomStringConvertible {
    var law: Law
    var text: String

    var description: String { "\(law.rawValue): \(text)" }
}

/// The reason why a store couldn't do something.
package struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of failure that callers can tell apart. An open set: new codes don't break a `switch` with a
    /// `default`.
    package struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Wrapped: String {
            case historyCut, diskFull, corrupt, foreignFile, ownedByOther, notDurable, closed, io, invalid
            case missing, exists, forbidden, cancelled, lost, lostCommits, busy
        }
        private let wrapped: Wrapped
        private init(_ wrapped: Wrapped) { self.wrapped = wrapped }

        /// The log no longer reaches back to the revision asked for; read a snapshot instead.
        package static let historyCut = Code(.historyCut)
        /// The disk is full. The write can succeed once there is room.
        package static let diskFull = Code(.diskFull)
        /// The file is damaged, or holds data that this engine never writes.
        package static let corrupt = Code(.corrupt)
        /// The file or database belongs to another program, or was made by another version of this one.
        package static let foreignFile = Code(.foreignFile)
        /// Another process, or another store in this one, holds the data folder.
        package static let ownedByOther = Code(.ownedByOther)
        /// The file or database can lose a commit that it has confirmed, such as in a power cut.
        package static let notDurable = Code(.notDurable)
        /// The store was closed.
        package static let closed = Code(.closed)
        /// Reading or writing failed, or the database can't be reached.
        package static let io = Code(.io)
        /// The caller asked for something that makes no sense.
        package static let invalid = Code(.invalid)
        /// A required file, folder, database or store doesn't exist.
        package static let missing = Code(.missing)
        /// The file or store to be written already exists.
        package static let exists = Code(.exists)
        /// This user may not use the file, folder or database.
        package static let forbidden = Code(.forbidden)
        /// The data folder, or a file in it, was deleted, moved or replaced while the store was open; or the logs of a
        /// database were given new epochs.
        package static let lost = Code(.lost)
        /// A database lacks commits that this process has seen. A restarted process wouldn't notice.
        package static let lostCommits = Code(.lostCommits)
        /// Others keep the store busy or locked. Try again soon.
        package static let busy = Code(.busy)
        /// The caller stopped the work early; nothing was changed.
        package static let cancelled = Code(.cancelled)

        /// Whether the error is permanent until the process is restarted, or an operator acts.
        package var isFinal: Bool { self == .lost || self == .lostCommits }

        package var description: String { wrapped.rawValue }
    }

    package var code: Code
    /// One sentence for a person.
    package var message: String
    /// The report of the layer below, if any.
    package var cause: String?

    package init(_ code: Code, _ message: String, cause: String? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    package var description: String {
        guard let cause else { return message }
        return "\(message) (\(cause))"
    }
}

extension StoreError {
    static let closed = StoreError(.closed, "the store is closed")

    static func historyCut(after revision: UInt64) -> StoreError {
        StoreError(.historyCut, "the catalogue's log no longer reaches back to revision \(revision)")
    }
}

extension StoreOutcome {
    /// Whether this attempt at the write changed something.
    var hasChanged: Bool {
        if case .done(_, changed: true) = self { return true }
        return false
    }
}

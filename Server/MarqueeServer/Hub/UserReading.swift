package import MarqueeModel
import MarqueeScreens
package import MarqueeStore
import MarqueeWire
import Synchronization

/// A read of those parts of a user's log that the hub needs before it can go on. Another thread performs it, so that a
/// slow store delays nobody else.
///
/// From when the hub asks until it has taken what was read, the user's positions that are named elsewhere are noted
/// here: what was read before one of them must not be shown after it. Thread safe.
package final class UserReading: Sendable {
    /// How often one request is read again because the log has moved meanwhile.
    package static let maximumTries = 8

    package let user: String
    private let isWithMembers: Bool
    /// Whether sections with records are evaluated, too.
    let hasRecords: Bool
    /// Taken by whoever reads, so that a copy of the catalogue goes as soon as it isn't needed.
    private let wanted: Mutex<WantedSets>
    private let positions: Positions
    private let note = Note()

    /// The newest position that was named since the reading began.
    final class Note: Sendable {
        private let newest = Atomic<UInt64>(0)

        func named(_ revision: UInt64) { newest.max(revision, ordering: .acquiringAndReleasing) }

        func isAhead(of revision: UInt64) -> Bool { newest.load(ordering: .acquiring) > revision }
    }

    /// - Parameter wanted: what is evaluated with the members.
    init(_ user: String, isWithMembers: Bool, wanted: WantedSets = WantedSets(), _ positions: Positions) {
        self.user = user
        self.isWithMembers = isWithMembers
        self.wanted = Mutex(wanted)
        hasRecords = wanted.sets.contains(where: \.hasRecords)
        self.positions = positions
        positions.begins(note, of: user)
    }

    /// Nobody needs the note any more. Until then it is complete, whenever that is.
    deinit { positions.ends(note, of: user) }

    /// Whether a newer position was named than the one that has been read.
    func isOvertaken(at revision: UInt64) -> Bool { note.isAhead(of: revision) }

    /// Blocks.
    package func read(from store: any StoreEngine) throws(StoreError) -> UserSnapshot {
        guard isWithMembers else {
            return UserSnapshot(reading: self, head: try store.userHead(user), members: nil)
        }
        let (head, members) = try store.members(of: user)
        let wanted = wanted.withLock { wanted in
            defer { wanted.sets = [] }
            return wanted
        }
        return UserSnapshot(
            reading: self, head: head, members: Dictionary(members.map { ($0.name, $0) }, uniquingKeysWith: { $1 }),
            sets: wanted.evaluate(members))
    }
}

/// Sections of a user's collections that a request shows: whoever reads the members evaluates them, too, as ten
/// thousand would keep everybody else waiting for the hub.
struct WantedSets: Sendable {
    /// The result of their evaluation.
    enum Outcome: Sendable {
        case evaluated([VariantKey: EvaluatedSet])
        /// The answer has so many bytes at least, which is more than it may have.
        case tooLarge(bytes: Int)
    }

    var sets: [UnevaluatedSet] = []
    /// The most bytes of an answer with all of them; `nil` if they aren't part of one.
    var answerBytes: Int?

    func evaluate(_ members: [StoredMember]) -> Outcome {
        if let answerBytes {
            let least = sets.reduce(0) { $0 + $1.leastBytes(members) }
            if least > answerBytes { return .tooLarge(bytes: least) }
        }
        let evaluated = sets.map { $0.evaluate(members) }
        if let answerBytes {
            let bytes = evaluated.reduce(0) { $0 + $1.version.leastAnswerBytes }
            if bytes > answerBytes { return .tooLarge(bytes: bytes) }
        }
        return .evaluated(Dictionary(evaluated.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first }))
    }
}

/// A user's log as it was read from the store at one moment.
package struct UserSnapshot: Sendable {
    /// Has noted what was named since it began.
    let reading: UserReading
    let head: LogHead
    /// `nil` if only the head was read.
    let members: [MemberName: StoredMember]?
    /// Those that the request shows.
    var sets = WantedSets.Outcome.evaluated([:])

    var user: String { reading.user }

    /// Whether a newer position was named meanwhile: it has to be read again.
    var isOvertaken: Bool { reading.isOvertaken(at: head.revision) }
}

/// Why the hub hasn't opened a view.
package enum OpenFailure: Error {
    case refused(Status)
    /// It can once this has been read.
    case unread(UserReading)
}

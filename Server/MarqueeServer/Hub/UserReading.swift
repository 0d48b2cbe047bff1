package import MarqueeModel
import MarqueeScreens
package import MarqueeStore
import MarqueeWire
import Synchronization

/// A read of the parts of a user's log that the hub needs before it can go on. Another thread performs it, so that a
/// slow store delays nobody else.
///
/// From the hub's request until it has taken the result, positions of the user's log that are announced elsewhere are
/// recorded here: a result older than one of them must not be shown. Thread safe.
package final class UserReading: Sendable {
    /// How often one request is read again because the log has moved meanwhile.
    package static let maximumTries = 8

    package let user: String
    private let isWithMembers: Bool
    /// Whether sections with records are to be evaluated, too.
    let hasRecords: Bool
    /// Emptied by the reader, so that a copy of the catalogue is released as soon as it isn't needed.
    private let wanted: Mutex<WantedSets>
    private let positions: Positions
    private let note = Note()

    /// The newest position that was announced since the read began.
    final class Note: Sendable {
        private let newest = Atomic<UInt64>(0)

        func named(_ revision: UInt64) { newest.max(revision, ordering: .acquiringAndReleasing) }

        func isAhead(of revision: UInt64) -> Bool { newest.load(ordering: .acquiring) > revision }
    }

    /// - Parameter wanted: the sections to evaluate with the members.
    init(_ user: String, isWithMembers: Bool, wanted: WantedSets = WantedSets(), _ positions: Positions) {
        self.user = user
        self.isWithMembers = isWithMembers
        self.wanted = Mutex(wanted)
        hasRecords = wanted.sets.contains(where: \.hasRecords)
        self.positions = positions
        positions.begins(note, of: user)
    }

    /// Nobody needs the note from here on; until now, it had to be complete.
    deinit { positions.ends(note, of: user) }

    /// Whether a newer position was announced than the one that was read.
    func isOvertaken(at revision: UInt64) -> Bool { note.isAhead(of: revision) }

    /// Reads from the store. Blocks.
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

/// Sections of a user's collections that a request shows. The thread that reads the members evaluates them, too: with
/// ten thousand members, everybody else would have to wait for the hub.
struct WantedSets: Sendable {
    /// The result of evaluating them.
    enum Outcome: Sendable {
        case evaluated([VariantKey: EvaluatedSet])
        /// The answer has at least this many bytes, which is more than it may have.
        case tooLarge(bytes: Int)
    }

    var sets: [UnevaluatedSet] = []
    /// The most bytes of an answer that contains all of them; `nil` if they aren't part of an answer.
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

/// A user's log as read from the store at one moment.
package struct UserSnapshot: Sendable {
    /// The read, which has recorded the positions announced since it began.
    let reading: UserReading
    let head: LogHead
    /// `nil` if only the head was read.
    let members: [MemberName: StoredMember]?
    /// The sections that the request shows.
    var sets = WantedSets.Outcome.evaluated([:])

    var user: String { reading.user }

    /// Whether a newer position was announced meanwhile: the log has to be read again.
    var isOvertaken: Bool { reading.isOvertaken(at: head.revision) }
}

/// The reason why the hub hasn't opened a view.
package enum OpenFailure: Error {
    case refused(Status)
    /// The view can be opened once this has been read.
    case unread(UserReading)
}

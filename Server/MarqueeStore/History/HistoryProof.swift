/// The epochs of both logs.
package struct LogEpochs: Hashable, Sendable {
    package var catalogue: UInt64
    package var users: UInt64

    package init(catalogue: UInt64, users: UInt64) {
        self.catalogue = catalogue
        self.users = users
    }
}

/// The server and timeline that a database is on.
package struct HistoryPlace: Hashable, Sendable {
    /// Chosen when the server's data was created; its standbys and copies share it.
    package var system: UInt64
    /// Rises when a standby is promoted, or a backup of the whole server is restored.
    package var timeline: UInt32

    package init(system: UInt64, timeline: UInt32) {
        self.system = system
        self.timeline = timeline
    }
}

/// The history of a database as a process has seen it. A part that is `nil` hasn't been seen yet.
package struct SeenHistory: Hashable, Sendable {
    /// A point of one user's log.
    package struct User: Hashable, Sendable {
        package var name: String
        package var point: LogPoint
    }

    package var place: HistoryPlace?
    package var epochs: LogEpochs?
    /// The newest point of the catalogue's log.
    package var catalogue: LogPoint?
    /// The users whose logs moved last, the newest last: at most `usersKept`.
    private var moved: [User] = []
    /// The users whose logs were read last.
    private var read: [User] = []

    /// More than one, because moves of different users aren't heard in the order in which they became durable: the last
    /// one heard may be present while an earlier one is lost.
    package static let usersKept = 16

    /// Each user once, those whose logs moved last at the end.
    package var users: [User] { read + moved }

    package init() {}

    /// Whether a place is where this history was last found, so that a connection to it may be reused.
    package func isFound(at place: HistoryPlace?) -> Bool { self.place.map { $0 == place } ?? true }

    /// A user's log has moved to a point.
    mutating func note(user: String, _ point: LogPoint) {
        // A read may have found the log at this point or beyond.
        if let known = read.firstIndex(where: { $0.name == user }) {
            Self.note(user, read.remove(at: known).point, in: &moved)
        }
        Self.note(user, point, in: &moved)
    }

    /// A user's log was read, and may be shown to a client. Noting it never displaces a user whose log has moved.
    mutating func note(readUser user: String, _ point: LogPoint) {
        if moved.contains(where: { $0.name == user }) { return note(user: user, point) }
        Self.note(user, point, in: &read)
    }

    private static func note(_ user: String, _ point: LogPoint, in users: inout [User]) {
        if let known = users.firstIndex(where: { $0.name == user }) {
            guard users[known].point.revision <= point.revision else { return }
            users.remove(at: known)
        }
        users.append(User(name: user, point: point))
        if users.count > usersKept { users.removeFirst() }
    }
}

/// A database's answer about the history that a process has seen.
package struct FoundHistory: Hashable, Sendable {
    /// One user's log.
    package struct User: Hashable, Sendable {
        /// `nil` if there is no such user.
        package var newest: LogPoint?
        /// The chain at the revision that was seen; `nil` if it is no longer kept.
        package var chain: UInt64?

        package init(newest: LogPoint?, chain: UInt64?) {
            self.newest = newest
            self.chain = chain
        }
    }

    package var place: HistoryPlace
    package var epochs: LogEpochs
    /// The newest point of the catalogue's log.
    package var catalogue: LogPoint
    /// The catalogue's chain at the revision that was seen; `nil` if it is no longer kept, or never existed.
    package var chain: UInt64?
    /// The logs of the users that were seen, by name.
    package var users: [String: User]

    package init(
        place: HistoryPlace, epochs: LogEpochs, catalogue: LogPoint, chain: UInt64?, users: [String: User] = [:]
    ) {
        self.place = place
        self.epochs = epochs
        self.catalogue = catalogue
        self.chain = chain
        self.users = users
    }
}

/// Commits that a process has seen and a database doesn't have.
package struct LostCommits: Hashable, Sendable {
    /// `nil` for the catalogue's log.
    package var user: String?
    /// The first that is known to be lost; there may be others before it.
    package var first: UInt64
    package var last: UInt64
    /// Whether the database has other commits with these revisions.
    package var areReplaced: Bool

    package init(user: String? = nil, first: UInt64, last: UInt64, areReplaced: Bool) {
        self.user = user
        self.first = first
        self.last = last
        self.areReplaced = areReplaced
    }
}

/// Decides whether a database has the history that a process has seen.
///
/// It has no connection and no clock: a store asks its database, and acts on the answer. A log only grows, so a
/// database that has each point that was seen, with the same chain, has everything before it as well.
package enum HistoryProof: Hashable, Sendable {
    /// Nothing has happened since.
    case same
    /// Everything that was seen is there, and more.
    case continued
    case lost(LostCommits)
    /// The logs have been given new epochs, as after a restore.
    case newEpochs
    /// It is a different database: on another server, with other logs.
    case otherDatabase
    /// A former primary that has come back, or a copy of it. Anything written to it would be lost to all others.
    case olderTimeline(found: UInt32, seen: UInt32)
    /// On another server, the log has grown so far that the point that was seen is no longer kept.
    case unproven(revision: UInt64)

    /// Whether the database has everything that was seen.
    package var isAccepted: Bool { self == .same || self == .continued }

    /// Whether this is permanent until the process restarts.
    var isFinal: Bool {
        switch self {
        case .same, .continued, .olderTimeline: false
        case .lost, .newEpochs, .otherDatabase, .unproven: true
        }
    }

    /// - Parameter found: the database's answer about `seen`.
    package static func judge(_ seen: SeenHistory, _ found: FoundHistory) -> HistoryProof {
        let isElsewhere = seen.place.map { $0.system != found.place.system } ?? false
        if let place = seen.place, !isElsewhere, found.place.timeline < place.timeline {
            return .olderTimeline(found: found.place.timeline, seen: place.timeline)
        }
        if let epochs = seen.epochs, epochs != found.epochs { return isElsewhere ? .otherDatabase : .newEpochs }
        for user in seen.users {
            if let lost = loss(of: user, found.users[user.name]) { return .lost(lost) }
        }
        guard let point = seen.catalogue else { return .continued }
        let (newest, last) = (found.catalogue.revision, point.revision)
        if newest < last { return .lost(LostCommits(first: newest + 1, last: last, areReplaced: false)) }
        let chain = newest == last ? found.catalogue.chain : found.chain
        if let chain, chain != point.chain { return .lost(LostCommits(first: last, last: last, areReplaced: true)) }
        // On the same server, a chain is only missing because the log has grown past it.
        if chain == nil, seen.place != found.place { return .unproven(revision: last) }
        return newest == last && seen.place == found.place ? .same : .continued
    }

    private static func loss(of seen: SeenHistory.User, _ found: FoundHistory.User?) -> LostCommits? {
        let last = seen.point.revision
        let newest = found?.newest ?? LogPoint(revision: 0, chain: 0)
        if newest.revision < last {
            return LostCommits(user: seen.name, first: newest.revision + 1, last: last, areReplaced: false)
        }
        let chain = newest.revision == last ? newest.chain : found?.chain
        guard let chain, chain != seen.point.chain else { return nil }
        return LostCommits(user: seen.name, first: last, last: last, areReplaced: true)
    }
}

extension StoreError {
    /// The reason why a process that has seen another history can't use a database; `nil` if it can.
    /// - Parameter place: the database, as messages name it.
    package init?(_ proof: HistoryProof, at place: String) {
        switch proof {
        case .same, .continued: return nil
        case .lost(let lost):
            self.init(
                .lostCommits,
                "\(place) has lost commits that this server has seen: \(lost). It was restored from an older backup, "
                    + "or a standby that lagged was promoted; stop all servers, run 'marquee-server epoch new', then "
                    + "start them again")
        case .newEpochs:
            self.init(
                .lost, "the logs in \(place) have been given new epochs, as after a restore; start this server again")
        case .otherDatabase:
            self.init(
                .lost,
                "\(place) is a different database from the one that this server has served; check where its address "
                    + "leads, and start this server again")
        case .olderTimeline(let found, let seen):
            self.init(
                .io,
                "the server of \(place) is a former primary: it is on timeline \(found), and this server has seen "
                    + "\(seen). It must never take writes again; stop it, and make it a standby of the current one")
        case .unproven(let revision):
            self.init(
                .lost,
                "\(place) has moved to another server, whose log no longer reaches back to revision \(revision), the "
                    + "last that this server has seen; if commits may have been lost run 'marquee-server epoch new', "
                    + "then start this server again")
        }
    }
}

extension LostCommits: CustomStringConvertible {
    package var description: String {
        let revisions = first == last ? "revision \(last)" : "revisions \(first) to \(last)"
        let log = user.map { "the collections of '\($0)'" } ?? "the catalogue"
        return "\(revisions) of \(log)" + (areReplaced ? ", which is a different commit there" : "")
    }
}

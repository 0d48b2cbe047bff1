import MarqueeModel
import MarqueeServer
import MarqueeWire

extension RelayCore {
    /// A client of the relay, introduced to the server upstream.
    struct Guest {
        let credentials: Credentials
        /// The guest's user, according to the server upstream; `nil` for none, and until upstream has answered.
        var user: String?
        /// The checksum of the guest's claims, as upstream computed it.
        var claims: UInt64 = 0
        /// The guest's number on this connection; every introduction has a new one.
        var number: UInt32?
        var isIntroduced = false
        /// The highest mutation number applied for the guest's mirror, at the time of the introduction.
        var lastMutation: UInt64?
        /// Calls that wait until the guest is introduced again.
        var waiting: [Call] = []

        var reader: Reader { Reader(user: user, claims: claims) }

        /// Forgets what belonged to the lost connection.
        mutating func left() {
            number = nil
            isIntroduced = false
        }
    }

    /// A user with guests.
    struct User {
        var guests = 0
        /// The revision of the user's log up to which everything was published.
        var revision: UInt64 = 0
        /// The revision up to which everything has arrived.
        var arrived: UInt64 = 0
        /// The revision that was published before this connection began. A server whose log ends earlier isn't used.
        var shownBefore: UInt64 = 0

        /// Remembers what was published: the next connection must not be behind it.
        mutating func connectionEnded() { shownBefore = revision }

        mutating func advance(to revision: UInt64) { arrived = max(arrived, revision) }

        mutating func moved(to revision: UInt64) {
            self.revision = max(self.revision, revision)
            advance(to: revision)
        }
    }

    /// The clients of the relay, and their users.
    struct Guests {
        private(set) var all: [UInt32: Guest] = [:]
        private var next: UInt32 = 1
        var users: [String: User] = [:]
        /// The epoch of the users' logs upstream; 0 until it is known.
        var userEpoch: UInt64 = 0
        /// The number of introductions that aren't answered yet.
        var introducing = 0
        /// How many of these introduce guests of an earlier connection again.
        var reintroducing = 0
        /// Revisions of users' logs that arrived before the introduction of the user's first guest was answered: at
        /// most one for each unanswered introduction.
        private var early: [String: UInt64] = [:]

        subscript(guest: UInt32) -> Guest? {
            get { all[guest] }
            _modify { yield &all[guest] }
        }

        /// - Returns: the new guest.
        mutating func add(_ guest: Guest) -> UInt32 {
            while all[next] != nil { next &+= 1 }
            defer { next &+= 1 }
            all[next] = guest
            return next
        }

        mutating func remove(_ guest: UInt32) -> Guest? { all.removeValue(forKey: guest) }

        /// Forgets what belonged to the lost connection. The next one must not be behind what was published to users.
        mutating func leave() {
            for guest in all.keys { all[guest]?.left() }
            for user in users.keys { users[user]?.connectionEnded() }
        }

        /// Removes the calls of guests who wait to be introduced again.
        mutating func takeWaitingCalls() -> [Call] {
            defer { for guest in all.keys { all[guest]?.waiting = [] } }
            return all.values.flatMap(\.waiting)
        }

        /// Counts a guest of a user who has been introduced.
        /// - Parameter revision: the revision of the user's log upstream.
        mutating func joined(_ user: String, at revision: UInt64) {
            // If the user has other guests, keep the position published to them: the rest is on its way.
            if users[user] == nil {
                users[user, default: User()].moved(to: max(revision, early[user] ?? 0))
            }
            users[user]?.guests += 1
        }

        /// Counts a guest of a user as gone.
        /// - Returns: whether it was the user's last guest.
        mutating func left(_ user: String) -> Bool {
            users[user]?.guests -= 1
            guard users[user]?.guests == 0 else { return false }
            users[user] = nil
            return true
        }

        /// Records the progress of a user's log while the introduction of the user's first guest isn't answered: the
        /// two may arrive in either order.
        mutating func movedEarly(_ progress: UserProgress) {
            if early[progress.user] != nil || early.count < introducing { early[progress.user] = progress.revision }
        }

        /// Forgets early progress when nobody is being introduced.
        mutating func forgetEarly() { if introducing == 0 { early = [:] } }

        /// Starts over, because the users' logs have a new epoch.
        mutating func startOver() {
            users = users.mapValues { User(guests: $0.guests) }
            userEpoch = 0
        }
    }
}

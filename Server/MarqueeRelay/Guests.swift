import MarqueeModel
import MarqueeServer
import MarqueeWire

extension RelayCore {
    struct Guest {
        let credentials: Credentials
        /// The guest's user, according to the server upstream; known once it has answered.
        var user: String?
        /// The sum of the guest's claims, likewise.
        var claims: UInt64 = 0
        /// The guest's number on this connection; every introduction has a number of its own.
        var number: UInt32?
        var isIntroduced = false
        /// The highest mutation number applied for their mirror, as of their introduction.
        var lastMutation: UInt64?
        /// Calls that wait until they are introduced again.
        var waiting: [Call] = []

        var reader: Reader { Reader(user: user, claims: claims) }

        /// The connection is gone.
        mutating func left() {
            number = nil
            isIntroduced = false
        }
    }

    /// A user of guests.
    struct User {
        var guests = 0
        /// The revision up to which everything was published.
        var revision: UInt64 = 0
        /// The revision up to which everything has arrived.
        var arrived: UInt64 = 0
        /// The revision that was published by connections before this one. A server that has less isn't asked.
        var shownBefore: UInt64 = 0

        /// The next connection may bring no less than was published.
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
        /// Of the users' logs upstream; 0 while it isn't known.
        var userEpoch: UInt64 = 0
        /// Introductions that aren't answered, and how many of them are of those who were guests before.
        var introducing = 0
        var reintroducing = 0
        /// How far the logs of users have come whose first guest is being introduced: at most one for each
        /// introduction.
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

        /// The connection is gone. The next one may not be behind what was published to users.
        mutating func leave() {
            for guest in all.keys { all[guest]?.left() }
            for user in users.keys { users[user]?.connectionEnded() }
        }

        /// The calls of guests who wait until they are introduced again.
        mutating func takeWaitingCalls() -> [Call] {
            defer { for guest in all.keys { all[guest]?.waiting = [] } }
            return all.values.flatMap(\.waiting)
        }

        /// A guest of a user has been introduced.
        /// - Parameter revision: of the user's log upstream.
        mutating func joined(_ user: String, at revision: UInt64) {
            // The other guests of the user decide, if there are any: more is on its way.
            if users[user] == nil {
                users[user, default: User()].moved(to: max(revision, early[user] ?? 0))
            }
            users[user]?.guests += 1
        }

        /// One of a user's guests has left.
        /// - Returns: whether it was the last.
        mutating func left(_ user: String) -> Bool {
            users[user]?.guests -= 1
            guard users[user]?.guests == 0 else { return false }
            users[user] = nil
            return true
        }

        /// A user's log has moved whose first guest's introduction isn't answered: the two may overtake each other.
        mutating func movedEarly(_ progress: UserProgress) {
            if early[progress.user] != nil || early.count < introducing { early[progress.user] = progress.revision }
        }

        /// Forgets how far logs have come when nobody is being introduced.
        mutating func forgetEarly() { if introducing == 0 { early = [:] } }

        /// The users' logs are others than before.
        mutating func beginAnew() {
            users = users.mapValues { User(guests: $0.guests) }
            userEpoch = 0
        }
    }
}

import MarqueeModel
import MarqueeScreens
package import MarqueeStore

extension Hub {
    /// A user whose private contents are remembered.
    struct User {
        var head: LogHead
        /// The members of all collections; `nil` once moves were missed while nobody showed them.
        var members: [MemberName: StoredMember]?
        /// The contents private to this user.
        var entries: Set<UInt64> = []

        mutating func set(_ head: LogHead, _ members: [StoredMember]) {
            self.head = head
            self.members = Dictionary(members.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
        }
    }

    /// The users whose collections are remembered.
    package var knownUsers: [String] { users.keys.sorted() }

    /// Applies and publishes new moves of a user's log.
    ///
    /// The members are read from the store only if somebody shows them and moves are missing. Otherwise the cost
    /// depends on what the moves touch.
    /// - Parameter moves: the log's new moves, ascending; those applied before change nothing.
    package func userChanged(_ user: String, moves: [MemberMove] = []) throws(StoreError) {
        guard let known = users[user] else {
            if let newest = moves.last { return publishMove(of: user, to: newest.revision, changes: [:]) }
            return publishMove(of: user, to: try store.userHead(user).revision, changes: [:])
        }
        let new = moves.drop { $0.revision <= known.head.revision }
        let isWhole = zip(new, known.head.revision...).allSatisfy { $0.revision == $1 + 1 }
        if !moves.isEmpty, isWhole {
            apply(Array(new), to: user)
        } else if known.entries.contains(where: { (table.contents[$0]?.shown ?? 0) > 0 }) {
            let (head, members) = try store.members(of: user)
            try Self.check(head, follows: known.head)
            users[user]?.set(head, members)
            screens.replaceMembers(members, of: known.entries)
        } else {
            let head = try store.userHead(user)
            try Self.check(head, follows: known.head)
            users[user]?.head = head
            users[user]?.members = nil
        }
        publishMove(of: user, to: users[user]?.head.revision ?? 0, changes: renew())
    }

    private func apply(_ moves: [MemberMove], to user: String) {
        // Of several moves of a member, the last counts.
        var last: [MemberName: MemberMove] = [:]
        for move in moves {
            last[move.change.name] = move
            users[user]?.members?[move.change.name] = move.member
            users[user]?.head.revision = move.revision
        }
        screens.moveMembers(last.values.sorted { $0.revision < $1.revision }, of: users[user]?.entries ?? [])
    }

    private func publishMove(of user: String, to revision: UInt64, changes: [UInt64: CurrentVersion]) {
        if let known = users[user] { positions.move(user, to: known.head) }
        publish(
            Publication(catalogueRevision: screens.head.revision, users: [user: revision], changes: changes))
    }

    /// Reads a user's collections if they aren't known.
    func load(_ user: String) throws(Status) {
        guard users[user]?.members == nil else { return }
        do throws(StoreError) {
            let (head, members) = try positions.load(user) { () throws(StoreError) in
                try store.members(of: user)
            }
            users[user, default: User(head: head)].set(head, members)
        } catch {
            throw Status(storeError: error)
        }
    }

    func members(for key: ContentKey) -> [StoredMember] {
        key.user.flatMap { users[$0]?.members }.map { Array($0.values) } ?? []
    }

    func forgetUnshown(_ user: String) {
        guard users[user]?.entries.isEmpty == true else { return }
        users[user] = nil
        positions.forget(user)
    }
}

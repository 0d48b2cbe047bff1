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

        mutating func set(_ head: LogHead, _ members: [MemberName: StoredMember]) {
            self.head = head
            self.members = members
        }
    }

    /// The users whose collections are remembered.
    package var knownUsers: Set<String> { Set(users.keys) }

    /// Applies and publishes new moves of a user's log. The cost depends on what the moves touch.
    /// - Parameter moves: the log's new moves, ascending; moves that were applied before have no effect. Empty if the
    ///   log may have moved, but the moves aren't known.
    /// - Returns: a read to perform because moves are missing; give its result to `userRead`.
    package func userChanged(_ user: String, moves: [MemberMove] = []) -> UserReading? {
        guard let newest = moves.last else { return reading(of: user) }
        guard let known = users[user] else {
            publishMove(of: user, to: newest.revision)
            return nil
        }
        let new = moves.drop { $0.revision <= known.head.revision }
        let isWhole = zip(new, known.head.revision...).allSatisfy { $0.revision == $1 + 1 }
        if isWhole {
            apply(Array(new), to: user)
        } else if isShown(known) {
            return reading(of: user)
        } else {
            stopKeeping(known)
            users[user]?.head.revision = newest.revision
            users[user]?.members = nil
        }
        publishMove(of: user, to: newest.revision, changes: renew())
        return nil
    }

    /// Applies and publishes a user's log as it was read.
    /// - Returns: a read to perform instead, because the log has moved since.
    /// - Throws: `lost` if it is older than what was shown.
    package func userRead(_ log: UserSnapshot) throws(StoreError) -> UserReading? {
        let user = log.user
        if log.isOvertaken { return reading(of: user) }
        guard let known = users[user] else {
            publishMove(of: user, to: log.head.revision)
            return nil
        }
        try Self.check(log.head, follows: known.head)
        if isShown(known) {
            guard let members = log.members else { return reading(of: user) }
            users[user]?.set(log.head, members)
            screens.replaceMembers(Array(members.values), of: known.entries)
        } else if log.head != known.head {
            stopKeeping(known)
            users[user]?.head = log.head
            users[user]?.members = nil
        }
        publishMove(of: user, to: log.head.revision, changes: renew())
        return nil
    }

    /// Whether any session shows a content private to this user.
    private func isShown(_ user: User) -> Bool { user.entries.contains { (table.contents[$0]?.shown ?? 0) > 0 } }

    /// Returns a read of the user's log; it includes the members only if any session shows them.
    private func reading(of user: String) -> UserReading {
        UserReading(user, isWithMembers: users[user].map(isShown) ?? false, positions)
    }

    private func apply(_ moves: [MemberMove], to user: String) {
        // If a member moved several times, only the last move counts.
        var last: [MemberName: MemberMove] = [:]
        for move in moves {
            last[move.change.name] = move
            users[user]?.members?[move.change.name] = move.member
            users[user]?.head.revision = move.revision
        }
        screens.moveMembers(last.values.sorted { $0.revision < $1.revision }, of: users[user]?.entries ?? [])
    }

    /// - Parameter newest: the newest known revision of the log. If the hub holds the user's collections, it publishes
    ///   the revision that it holds instead.
    private func publishMove(of user: String, to newest: UInt64, changes: [UInt64: CurrentVersion] = [:]) {
        let known = users[user]?.head
        let revision = known?.revision ?? newest
        if let known { positions.move(user, to: known) } else { positions.named(revision, of: user) }
        publish(
            Publication(catalogueRevision: screens.head.revision, users: [user: revision], changes: changes))
    }

    /// The most members of a user for which the hub evaluates sets itself.
    package static let membersAtOnce = 512

    /// Makes sure that a user's collections are known, and that large sections of them are evaluated.
    /// - Parameters:
    ///   - log: the collections as they were read, if they were.
    ///   - wanted: the sections that a request shows, given what is known of the user.
    /// - Returns: the sections that were evaluated with the members known now.
    /// - Throws: the reason why the request can't go on yet, or at all.
    func load(
        _ user: String, _ log: UserSnapshot?, _ wanted: () -> WantedSets
    ) throws(OpenFailure) -> WantedSets.Outcome {
        let outcome = try loadMembers(user, log, wanted)
        guard case .evaluated(let sets) = outcome, users[user]?.members?.count ?? 0 > Self.membersAtOnce else {
            return outcome
        }
        // On the second try, the hub itself evaluates the sets that are still missing because the log has moved
        // meanwhile.
        let missing = wanted()
        let isMissing = missing.sets.contains { set in
            sets[set.key] == nil && (log == nil || set.hasRecords && log?.reading.hasRecords == false)
        }
        if isMissing { throw unread(user, missing) }
        return outcome
    }

    private func unread(_ user: String, _ wanted: WantedSets) -> OpenFailure {
        .unread(UserReading(user, isWithMembers: true, wanted: wanted, positions))
    }

    /// Makes sure that a user's collections are known.
    private func loadMembers(
        _ user: String, _ log: UserSnapshot?, _ wanted: () -> WantedSets
    ) throws(OpenFailure) -> WantedSets.Outcome {
        let known = users[user]
        if let known, known.members != nil, !isBehind(known, log) {
            return log.map { $0.head == known.head ? $0.sets : .evaluated([:]) } ?? .evaluated([:])
        }
        guard let log, log.user == user, let members = log.members, !log.isOvertaken else {
            throw unread(user, wanted())
        }
        do throws(StoreError) {
            if let known = known?.head { try Self.check(log.head, follows: known) }
        } catch {
            throw .refused(Status(storeError: error))
        }
        guard positions.take(log) else { throw unread(user, wanted()) }
        if let known, known.head != log.head { stopKeeping(known) }
        users[user, default: User(head: log.head)].set(log.head, members)
        return log.sets
    }

    /// Whether a newer state of a user's log was read than the hub holds, and no session would miss the moves in
    /// between.
    private func isBehind(_ known: User, _ log: UserSnapshot?) -> Bool {
        guard let log, log.members != nil else { return false }
        return log.head.epoch == known.head.epoch && log.head.revision > known.head.revision && !isShown(known)
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

import DequeModule
package import MarqueeModel
package import MarqueeServer
package import MarqueeWire

// Clients of the relay are guests upstream: their identities and permissions are decided there.

extension RelayCore {
    package typealias Introduced = (guest: UInt32, answer: IntroduceAnswer)

    /// Introduces a client upstream. If that succeeds, the client is a guest until `dismiss`.
    package func introduce(
        _ credentials: Credentials, completion: @escaping (Result<Introduced, Status>) -> Void
    ) {
        guard isLive else { return completion(.failure(.upstreamAway)) }
        let guest = guests.add(Guest(credentials: credentials))
        introduce(guest) { [unowned self] result in
            switch result {
            case .failure(let status):
                guests[guest] = nil
                completion(.failure(status))
            case .success(let answer):
                guests[guest]?.user = answer.user
                guests[guest]?.claims = answer.claims
                if let user = answer.user { guests.joined(user, at: answer.cut.userRevision) }
                completion(.success((guest, answer)))
            }
        }
    }

    private func introduce(_ guest: UInt32, completion: @escaping (Result<IntroduceAnswer, Status>) -> Void) {
        guard let credentials = guests[guest]?.credentials else { return }
        let number = connection.introductions.number(guest)
        guests[guest]?.number = number
        let introduction = IntroduceRequest(
            guest: number, user: credentials.user, token: credentials.token, clientID: credentials.clientID,
            address: credentials.address)
        guests.introducing += 1
        call(.introduce, CallBodyCodec.encode(introduction)) { [unowned self] result in
            guests.introducing -= 1
            defer { guests.forgetEarly() }
            let answer = result.decoded(CallBodyCodec.decodeIntroduceAnswer)
            if case .success(let answer) = answer {
                guard guests[guest]?.number == number else {
                    // The guest has left meanwhile.
                    outlet.send(.dismiss(guest: number))
                    return completion(.failure(.unknownGuest))
                }
                if guests.userEpoch != 0, answer.cut.userEpoch != 0, answer.cut.userEpoch != guests.userEpoch {
                    startOverForNewUserEpoch()
                    return completion(.failure(.upstreamAway))
                }
                if answer.cut.userEpoch != 0 { guests.userEpoch = answer.cut.userEpoch }
                if let user = answer.user, answer.cut.userRevision < guests.users[user]?.shownBefore ?? 0 {
                    return completion(.failure(refuseBehind(guest, number)))
                }
                connection.introductions.behindSince = nil
                guests[guest]?.isIntroduced = true
                guests[guest]?.lastMutation = answer.lastMutation
                let waiting = guests[guest]?.waiting ?? []
                guests[guest]?.waiting = []
                for call in waiting { submit(call) }
            } else {
                connection.introductions.forget(number: number, of: guest)
            }
            completion(answer)
        }
    }

    /// Refuses a guest because the server upstream has less of a user's log than was shown before a connection was
    /// lost, and content never goes back (G1). The guest is introduced again once the server may have caught up; if it
    /// takes too long, the relay connects to another server.
    /// - Returns: the reason why the introduction fails.
    private func refuseBehind(_ guest: UInt32, _ number: UInt32) -> Status {
        outlet.send(.dismiss(guest: number))
        connection.introductions.forget(number: number, of: guest)
        guests[guest]?.number = nil
        let since = connection.introductions.behindSince ?? now
        connection.introductions.behindSince = since
        guard now >= since + Self.catchUpTimeout else { return .upstreamBehind }
        disconnect(Disconnection("it is behind what this relay has shown to a user"))
        return .upstreamAway
    }

    /// Starts over with another connection, because the users' logs have a new epoch.
    private func startOverForNewUserEpoch() {
        startOver("the users' logs upstream have a new epoch (restored, or a server was lost); starting over")
        disconnect(Disconnection("users' logs have a new epoch", within: 0...0))
    }

    /// Introduces all guests on a new connection. One guest of each group that sees the same goes first: it asks for
    /// the group's views, and nothing is published before they are back.
    func reintroduceAll() {
        var readers: Set<Reader> = [.anonymous]
        var (firstOfGroup, others): ([UInt32], [UInt32]) = ([], [])
        for guest in guests.all.keys.sorted() {
            if let reader = guests[guest]?.reader, readers.insert(reader).inserted {
                firstOfGroup.append(guest)
            } else {
                others.append(guest)
            }
        }
        connection.introductions.outstanding = Deque(firstOfGroup + others)
        introduceNext()
    }

    /// Introduces a few guests at a time, so that other requests don't wait for all of them.
    private func introduceNext() {
        while isLive, guests.reintroducing < bounds.introductions,
            let guest = connection.introductions.outstanding.popFirst()
        {
            // The guest may have left meanwhile.
            if guests[guest] != nil { introduceAgain(guest) }
        }
    }

    /// Introduces a guest of an earlier connection on this one.
    private func introduceAgain(_ guest: UInt32) {
        guests.reintroducing += 1
        introduce(guest) { [unowned self] result in
            guests.reintroducing -= 1
            defer { introduceNext() }
            guard let known = guests[guest] else { return }
            switch result {
            case .success(let answer) where answer.user == known.user && answer.claims == known.claims:
                if let user = answer.user { guests.users[user]?.advance(to: answer.cut.userRevision) }
                if connection.returning.isOver {
                    if let user = answer.user { moved(user) }
                    return
                }
                if let user = answer.user { connection.returning.users.insert(user) }
                if known.reader != .anonymous { askAgain(of: known.reader, guest: guest) }
            case .success:
                // With another user or other claims, the guest must not see the old reader's content.
                outlet.guestEnded(guest)
                dismiss(guest)
            case .failure(let status):
                if status.remedy == .reauthenticate || status.remedy == .fatal { return ended(guest) }
                // The server upstream may be able to look the guest up later, for example if its store doesn't respond.
                let pause = status.retryAfterMilliseconds.map { UInt64($0) } ?? Self.introductionPause
                if isLive { connection.introductions.introduceAgain(guest, at: now + pause) }
            }
        }
    }

    /// The pause before a guest that upstream couldn't look up is introduced again, in milliseconds.
    private static let introductionPause: UInt64 = 1_000
    /// How long a server upstream may stay behind what was shown to a user, in milliseconds.
    static let catchUpTimeout: UInt64 = 10_000

    /// Introduces the guests again that upstream couldn't look up and that are due for another attempt.
    func introduceDue() {
        for guest in connection.introductions.takeDue(at: now) { introduceAgain(guest) }
    }

    /// Removes a guest whose identity has ended, and reports it.
    func ended(_ guest: UInt32) {
        guard guests[guest] != nil else { return }
        outlet.guestEnded(guest)
        forget(guest)
    }

    /// Removes a guest who has left.
    package func dismiss(_ guest: UInt32) {
        guard let known = guests[guest] else { return }
        if known.isIntroduced, isLive, let number = known.number { outlet.send(.dismiss(guest: number)) }
        forget(guest)
    }

    /// Removes a guest, and ends its calls and openings.
    private func forget(_ guest: UInt32) {
        guard let known = guests.remove(guest) else { return }
        connection.introductions.forget(guest: guest)
        if let number = known.number { connection.introductions.forget(number: number, of: guest) }
        for call in known.waiting + connection.calls.waiting.remove(guest) { call.completion(.failure(.upstreamAway)) }
        endOpenings(of: guest)
        if let user = known.user { left(user) }
        loseViews(of: known.reader)
    }

    /// Counts a user's guest as gone. After the last one, the user's plans and variants are given up.
    private func left(_ user: String) {
        guard guests.left(user) else { return }
        connection.returning.users.remove(user)
        for key in plans.all.keys where key.audience.user == user { plans.forget(key) }
        // Private content isn't kept for a user without guests.
        for (handle, variant) in variants.all where variant.user == user && variant.subscribers == 0 { drop(handle) }
        for (handle, variant) in variants.all where variant.user == user && !variant.hasJoined { giveUp(handle) }
    }

    /// Records that everything up to a position in a user's log has arrived.
    func userMoved(_ progress: UserProgress) {
        guard connection.arrivals.incoming == nil else {
            return failProtocol("a user's progress came in the middle of a cut")
        }
        guard guests.users[progress.user] != nil else { return guests.movedEarly(progress) }
        guard progress.epoch == guests.userEpoch else { return failProtocol("a user's progress names another epoch") }
        guests.users[progress.user]?.advance(to: progress.revision)
        if connection.returning.isOver {
            moved(progress.user)
        } else {
            connection.returning.users.insert(progress.user)
        }
    }

    /// Publishes a user's progress, if there is any.
    private func moved(_ user: String) {
        guard let known = guests.users[user], known.arrived > known.revision else { return }
        guests.users[user]?.revision = known.arrived
        outlet.publish(
            Publication(catalogueRevision: position.catalogueRevision, users: [user: known.arrived], changes: [:]))
    }

    /// The position to report to a guest, never ahead of what is shown, and the highest mutation number applied for the
    /// guest's mirror at the time of the introduction.
    package func locate(_ guest: UInt32) -> Result<(cut: Cut, lastMutation: UInt64?), Status> {
        guard let known = guests[guest], position.catalogueEpoch != 0 else { return .failure(.upstreamAway) }
        return .success((position(for: known.user), known.lastMutation))
    }

    /// Returns the position that was published last, with a user's components.
    func position(for user: String?) -> Cut {
        guard let user else { return position }
        var cut = position
        cut.userEpoch = guests.userEpoch
        cut.userRevision = guests.users[user]?.revision ?? 0
        return cut
    }
}

extension Status {
    /// The server upstream is behind what was shown to a user.
    fileprivate static let upstreamBehind = Status(
        .unavailable, reason: "UPSTREAM_BEHIND", remedy: .retryOther,
        message: "the server of this relay is behind what was shown to this user; try again",
        retryAfterMilliseconds: 1_000)
}

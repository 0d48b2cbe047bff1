package import MarqueeModel
import MarqueeScreens
package import MarqueeWire

// A relay acts for guests. It introduces each with the guest's own credentials, and makes calls on their behalf. It is
// sent collections only of users who are its guests. The positions of their logs are sent in messages of their own, as
// a cut has room for one user's position.

extension SessionCore {
    /// The guests of a relay.
    struct Guests {
        /// A user of one or more guests.
        struct User {
            var guests = 0
            var epoch: UInt64 = 0
            /// The newest revision published.
            var newest: UInt64 = 0
        }

        /// Guests that have been introduced.
        var known: [UInt32: ContentCaller] = [:]
        /// Guests that are being introduced.
        var arriving: Set<UInt32> = []
        var users: [String: User] = [:]
        /// Users whose logs have moved since the relay was last told their positions.
        var moved: Set<String> = []
        var highest: UInt32 = 0
    }

    /// The guests that have been introduced. Empty unless the client is a relay.
    package var guestIdentities: [(guest: UInt32, identity: Identity)] {
        guests?.known.map { ($0.key, $0.value.identity) } ?? []
    }

    // MARK: - Coming and going

    /// The introduction in a call `introduce`.
    mutating func introduction(_ request: Request) throws -> IntroduceRequest {
        let introduction = try CallBodyCodec.decodeIntroduceRequest(request.body)
        guard let guests else { throw Status.noRelay }
        guard introduction.guest > guests.highest else {
            throw Self.invalid("GUEST_REUSED", "guests' numbers must rise and are never reused")
        }
        guard guests.known.count + guests.arriving.count < SessionSettings.guests else {
            throw Status(
                .resourceExhausted, reason: "TOO_MANY_GUESTS", remedy: .retryOther,
                message: "a relay has at most \(SessionSettings.guests) guests")
        }
        self.guests?.highest = introduction.guest
        self.guests?.arriving.insert(introduction.guest)
        return introduction
    }

    /// Handles the authenticator's result for a guest.
    package mutating func met(
        call: UInt32, _ introduction: IntroduceRequest, _ result: Result<Identity, Status>, now: UInt64
    ) -> [Action] {
        guard guests?.arriving.remove(introduction.guest) != nil else {
            answered(call: call, .failure(.unknownGuest), now: now)
            return []
        }
        switch result {
        case .failure(let status):
            answered(call: call, .failure(status), now: now)
            return []
        case .success(let identity) where !identity.claims.isEmpty && !introduction.distinguishesClaims:
            answered(call: call, .failure(.relayTooOld), now: now)
            return []
        case .success(let identity):
            var caller = ContentCaller(identity: identity, clientID: introduction.clientID)
            caller.relayedGuest = introduction.guest
            guests?.known[introduction.guest] = caller
            let located = [Action.locate(call: call, guest: introduction.guest, by: caller)]
            guard let user = identity.user else { return located }
            guests?.users[user, default: Guests.User()].guests += 1
            // Before the log's position is looked up, so that no move is missed.
            return [.follow(user)] + located
        }
    }

    /// Handles the position looked up for a guest.
    /// - Parameters:
    ///   - position: the newest position, including the user's log, and the highest mutation number applied for the
    ///     guest's mirror.
    ///   - standing: the standing of the guest's identity.
    package mutating func introduced(
        call: UInt32, guest: UInt32, _ position: Result<(cut: Cut, lastMutation: UInt64?), Status>,
        standing: Standing, now: UInt64
    ) -> [Action] {
        guard let identity = guests?.known[guest]?.identity else {
            answered(call: call, .failure(.unknownGuest), now: now)
            return []
        }
        switch position {
        case .success where standing == .ended:
            answered(call: call, .failure(.tokenEnded), now: now)
        case .failure(let status):
            answered(call: call, .failure(status), now: now)
        case .success(let position):
            var cut = position.cut
            if let user = identity.user, let known = guests?.users[user] {
                cut.userRevision = max(cut.userRevision, known.newest)
                // The user's other guests lack changes that are still on their way; the position is announced to them
                // with those.
                if known.epoch == 0 { guests?.users[user]?.newest = cut.userRevision }
                guests?.users[user]?.epoch = cut.userEpoch
            }
            let answer = IntroduceAnswer(
                user: identity.user, scopes: identity.scopes.texts, identityMilliseconds: standing.milliseconds,
                cut: cut, lastMutation: position.lastMutation, claims: identity.claims.sum)
            answered(call: call, .success(CallBodyCodec.encode(answer)), now: now)
            return []
        }
        return forget(guest)
    }

    mutating func dismiss(_ guest: UInt32) -> [Action] {
        guard let highest = guests?.highest else { return fail(.noRelay) }
        guard guest <= highest else { return fail(.unknownGuest) }
        guests?.arriving.remove(guest)
        return endCalls(of: guest) + forget(guest)
    }

    /// Removes a guest whose identity no longer stands.
    package mutating func guestEnded(_ guest: UInt32) -> [Action] {
        guard guests?.known[guest] != nil else { return [] }
        say(.guestEnded(guest: guest, .tokenEnded))
        return forget(guest)
    }

    private mutating func forget(_ guest: UInt32) -> [Action] {
        guard let user = guests?.known.removeValue(forKey: guest)?.user else { return [] }
        guests?.users[user]?.guests -= 1
        guard guests?.users[user]?.guests == 0 else { return [] }
        guests?.users[user] = nil
        guests?.moved.remove(user)
        let ended = subscriptions.ids(of: user).flatMap { end($0, .unknownVariant) }
        return user == identity.user ? ended : ended + [.unfollow(user)]
    }

    // MARK: - Calls

    /// Returns the party that a request is from: the client, or a relay's guest.
    func caller(of request: Request) throws(Status) -> ContentCaller {
        guard let guest = request.guest else { return ContentCaller(identity: identity, clientID: clientID) }
        guard let guests else { throw .noRelay }
        guard let known = guests.known[guest] else { throw .unknownGuest }
        return known
    }

    // MARK: - Publications

    /// Records the moves of guests' logs, and tells the relay which views it has to plan again.
    mutating func tellGuests(_ publication: Publication) {
        guard let guests else { return }
        for (user, revision) in publication.users where revision > guests.users[user]?.newest ?? .max {
            self.guests?.users[user]?.newest = revision
            self.guests?.moved.insert(user)
        }
        let gone = publication.gone.filter { variants.owner(of: $0) != nil }
        switch publication.replans {
        case .none where gone.isEmpty: break
        case .none: say(.replan(Replan(gone: gone)))
        case .families(let families): say(.replan(Replan(families: families.sorted(), gone: gone)))
        case .all: say(.replan(Replan(isAll: true, gone: gone)))
        }
    }

    /// The positions of the logs that have moved, to be announced once the changes that led there have been sent.
    mutating func takeUserProgress() -> [UserProgress] {
        guard let guests, !guests.moved.isEmpty else { return [] }
        self.guests?.moved = []
        return guests.moved.sorted().compactMap { user in
            // Before the introduction is answered there is no epoch; the answer will carry the newest revision.
            guests.users[user].flatMap {
                $0.epoch == 0 ? nil : UserProgress(user: user, epoch: $0.epoch, revision: $0.newest)
            }
        }
    }
}

extension Status {
    /// The client isn't a relay, but only relays may do this.
    static let noRelay = Status(
        .failedPrecondition, reason: "RELAY_EXPECTED", remedy: .fatal,
        message: "only relays may do this, and this client's hello doesn't say that it is one")
    /// The relay would show its guests content meant for other readers.
    static let relayTooOld = Status(
        .failedPrecondition, reason: "RELAY_TOO_OLD", remedy: .fatal,
        message: "the token brings claims, and this relay is too old to tell readers apart by them; update the relay")
    /// The call is on behalf of a guest that isn't introduced.
    package static let unknownGuest = Status(
        .notFound, reason: "GUEST_UNKNOWN", remedy: .retryOther, message: "this guest has left, or was never introduced"
    )
    /// A relay asks for a variant that isn't remembered, or whose user isn't its guest.
    package static let unknownVariant = Status(
        .notFound, reason: "VARIANT_UNKNOWN", remedy: .retryOther,
        message: "this variant isn't remembered here; plan its view again")
}

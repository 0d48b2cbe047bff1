package import MarqueeModel
import MarqueeStore
import MarqueeWire

// From hello to welcome: determines the client's identity, and whether this node may serve it.

extension SessionCore {
    mutating func begin(_ hello: Hello) -> [Action] {
        guard (hello.protocolMinimum...max(hello.protocolMinimum, hello.protocolMaximum)).contains(1) else {
            return fail(
                .failedPrecondition, "PROTOCOL_UNSUPPORTED",
                "this server speaks protocol 1, the client \(hello.protocolMinimum) to \(hello.protocolMaximum)")
        }
        if let cluster = hello.cluster, cluster != settings.cluster {
            return fail(
                Status(
                    .failedPrecondition, reason: "OTHER_CLUSTER", remedy: .fatal,
                    message: "the mirror belongs to another cluster; use another mirror for this server"))
        }
        guard hello.limits.admit(settings.requiredLimits) else {
            return fail(
                .failedPrecondition, "LIMITS_TOO_LOW",
                "the client's limits are below what this server sends; see PROTOCOL.md")
        }
        phase = .authenticating(hello, heard: Heard())
        return [.authenticate(user: hello.user, token: hello.token)]
    }

    /// Called when the authenticator has admitted the client, before the server's position is known.
    package mutating func identified(_ identity: Identity) {
        guard case .authenticating(let hello, var heard) = phase else { return }
        heard.user = identity.user
        phase = .authenticating(hello, heard: heard)
    }

    /// Called when the client's identity and the server's position are known.
    /// - Parameters:
    ///   - newest: the hub's newest position, including the user's log.
    ///   - lastMutation: the highest mutation number applied for this client.
    ///   - standing: the standing of the identity.
    package mutating func authenticated(
        _ result: Result<Identity, Status>, newest: Cut, lastMutation: UInt64?, standing: Standing = .untilRevoked,
        now: UInt64
    ) -> [Action] {
        guard case .authenticating(let hello, let heard) = phase else { return [] }
        switch result {
        case .failure(let status):
            return fail(status)
        // The token may have expired while the positions were looked up.
        case .success where standing == .ended:
            return fail(.tokenEnded)
        case .success(let identity):
            var newest = newest
            newest.catalogueRevision = max(newest.catalogueRevision, heard.catalogueRevision)
            if identity.user != nil, identity.user == heard.user {
                newest.userRevision = max(newest.userRevision, heard.userRevision)
            }
            if let seen = hello.seen, newest.isBehind(seen) {
                return waitForNode(hello, identity, newest, now: now)
            }
            if hello.isRelay {
                if let refusal = Authoriser.refusal(of: .relay, to: identity) { return fail(refusal) }
                guests = Guests()
            }
            self.identity = identity
            clientID = hello.clientID
            clientLimits = hello.limits
            progress.flow = Flow(credit: min(hello.limits.creditBytes, limits.creditBytes))
            self.newest = newest
            position = newest
            progress.named = newest
            phase = .live
            lasting.liveness.lastProgress = now
            var welcome = Welcome()
            welcome.cluster = settings.cluster
            welcome.user = identity.user
            welcome.node = settings.node
            welcome.limits = limits
            welcome.cut = newest
            welcome.pingIntervalMilliseconds = settings.pingInterval(requested: hello.pingIntervalMilliseconds)
            welcome.pingMinimumMilliseconds = settings.pingMinimumMilliseconds
            welcome.progressIntervalMilliseconds = settings.progressInterval(pinging: welcome.pingIntervalMilliseconds)
            welcome.imageBaseURL = settings.imageBaseURL
            welcome.locales = settings.locales
            welcome.lastMutation = lastMutation
            welcome.agent = settings.agent
            welcome.identityMilliseconds = standing.milliseconds
            lasting.liveness.pingIntervalMilliseconds = welcome.pingIntervalMilliseconds
            say(.welcome(welcome))
            if lasting.draining { sayGoAway() }
            return []
        }
    }

    /// Handles a client that has seen more than this node has. It must never get older data (G1), so the node has a
    /// moment to catch up before the client is sent elsewhere.
    private mutating func waitForNode(_ hello: Hello, _ identity: Identity, _ node: Cut, now: UInt64) -> [Action] {
        let since = catchingUpSince ?? now
        catchingUpSince = since
        guard now < since + settings.catchUpMilliseconds else {
            if let seen = hello.seen {
                ahead = ClientAhead(
                    client: hello.clientID, revision: seen.catalogueRevision, user: identity.user,
                    userRevision: seen.userRevision)
            }
            return fail(.nodeBehind)
        }
        phase = .catchingUp(hello, user: identity.user, node: node)
        return []
    }

    /// Looks up the node's position again, and the client's last mutation, which the node may not have known before.
    mutating func locateAgain(_ hello: Hello) -> [Action] {
        phase = .authenticating(hello, heard: Heard())
        return [.authenticate(user: hello.user, token: hello.token)]
    }
}

extension Status {
    static let nodeBehind = Status(
        .unavailable, reason: "NODE_BEHIND", remedy: .retryOther,
        message: "this node is behind what the client has seen; another may not be")
}

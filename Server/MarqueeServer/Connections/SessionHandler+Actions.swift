import MarqueeModel
import MarqueeStore
import MarqueeTLS
import MarqueeWire
import NIOCore

/// A session's requests to the authenticator, the hub and the store. Each result comes back to the session's event
/// loop, which handles it in the session's turn.
extension SessionHandler {
    func run(_ actions: [SessionCore.Action]) {
        for action in actions { run(action) }
    }

    func run(_ action: SessionCore.Action) {
        switch action {
        case .authenticate(let user, let token):
            let credentials = credentials(user: user, token: token, client: session.core.helloClientID)
            authenticate(credentials) { $0.authenticated($1) }
        case .open(let ticket, let request): open(ticket, request)
        case .release(let handles): services.source.release(handles)
        case .perform(let call, let request, let caller): perform(call, request, caller)
        case .renew(let call, let token): renew(call, token)
        case .introduce(let call, let introduction): introduce(call, introduction)
        case .locate(let call, let guest, let caller):
            locate(caller, nil) { handler, position in
                let standing = handler.services.identities.standing(of: caller.identity)
                handler.run(
                    handler.session.core.introduced(
                        call: call, guest: guest, position, standing: standing, now: handler.services.now()))
            }
        case .follow(let user): session.follow(user)
        case .unfollow(let user): session.unfollow(user)
        case .drop(let guest): services.source.drop(connection.lane(of: guest))
        case .hit(let limit): services.hits.hit(limit, metadata)
        case .note(let call, let reason):
            services.logger.info(
                "a traced call was answered",
                metadata: metadata.merging(call.metadata(reason: reason, now: services.now())) { $1 })
        case .refusedPublication(let status, let caller):
            services.source.refused(status, publicationBy: callerHere(caller, publishing: true), for: connection)
        case .close: close()
        }
    }

    /// Asks for a view. If the connection is gone when the view arrives, its variants are released.
    private func open(_ ticket: UInt64, _ request: OpenRequest) {
        guard let context else { return }
        let me = NIOLoopBound(self, eventLoop: context.eventLoop)
        let (source, publications) = (services.source, registry.publications)
        let caller = callerHere(ContentCaller(identity: session.core.identity, clientID: session.core.clientID))
        source.open(request, by: caller, for: connection) { result in
            publications.add {
                if me.value.context != nil {
                    me.value.receive { $0.run($0.session.core.opened(ticket: ticket, result)) }
                } else if case .success(let view) = result {
                    source.release(view.handles)
                }
            }
        }
    }

    /// A caller with its client's address. A relay's guests have addresses of their own, so they don't get the relay's.
    private func callerHere(_ caller: ContentCaller, publishing: Bool = false) -> ContentCaller {
        var caller = caller
        if session.core.guests == nil { caller.origin = origin }
        if publishing { caller.place = ContentCaller.Place(address: address, agent: agent) }
        return caller
    }

    /// Returns the credentials that the client has presented.
    private func credentials(user: String?, token: String?, client: [UInt8]) -> Credentials {
        Credentials(
            user: user, token: token, certificate: context.flatMap { TLSServer.certificate(of: $0.channel) },
            address: host, clientID: client)
    }

    /// Asks the authenticator for a client's identity.
    private func authenticate(
        _ credentials: Credentials, then: @escaping @Sendable (SessionHandler, Result<Identity, Status>) -> Void
    ) {
        guard let context else { return }
        let me = NIOLoopBound(self, eventLoop: context.eventLoop)
        services.identities.identify(credentials, on: registry.inbox) { result in
            me.value.receive { then($0, result) }
        }
    }

    /// Asks for the newest position of a client's logs, and its last mutation.
    private func locate(
        _ caller: ContentCaller, _ claim: PositionClaim?,
        then: @escaping @Sendable (SessionHandler, Result<(cut: Cut, lastMutation: UInt64?), Status>) -> Void
    ) {
        guard let context else { return }
        let me = NIOLoopBound(self, eventLoop: context.eventLoop)
        services.source.locate(caller, claim: claim, for: connection) { [inbox = registry.inbox] position in
            inbox.add {
                me.value.registry.deliverEnd()
                me.value.receive { then($0, position) }
            }
        }
    }

    /// Asks for the identity of a relay's guest. The certificate is the relay's own and says nothing about its guests.
    private func introduce(_ call: UInt32, _ introduction: IntroduceRequest) {
        services.counts.calls.began(CallTally.introduction)
        let credentials = Credentials(
            user: introduction.user, token: introduction.token, address: introduction.address,
            clientID: introduction.clientID)
        authenticate(credentials) { handler, result in
            if case .failure = result { handler.services.counts.calls.failed(CallTally.introduction) }
            handler.run(handler.session.core.met(call: call, introduction, result, now: handler.services.now()))
        }
    }

    /// Has a token checked, at once or as soon as the connection may renew again.
    private func renew(_ call: UInt32, _ token: String) {
        services.counts.calls.began(CallTally.renewal)
        let credentials = credentials(user: session.core.identity.user, token: token, client: session.core.clientID)
        guard let wait = renewals.take(now: NIODeadline.now().uptimeNanoseconds) else {
            return authenticate(credentials) { $0.renewed(call, $1) }
        }
        services.hits.hit(.renewals, metadata)
        context?.eventLoop.assumeIsolated().scheduleTask(in: .nanoseconds(Int64(clamping: wait))) { [weak self] in
            self?.authenticate(credentials) { $0.renewed(call, $1) }
        }
    }

    private func renewed(_ call: UInt32, _ result: Result<Identity, Status>) {
        guard !isClosing else { return }
        let standing = (try? result.get()).map(services.identities.standing) ?? .ended
        run(session.core.renewed(call: call, result, standing: standing, now: services.now()))
        let isAccepted = standing != .ended && session.core.identity == (try? result.get())
        if !isAccepted { services.counts.calls.failed(CallTally.renewal) }
    }

    private func authenticated(_ result: Result<Identity, Status>) {
        guard !isClosing else { return }
        guard case .success(let identity) = result else {
            run(session.core.authenticated(result, newest: Cut(), lastMutation: nil, now: services.now()))
            return
        }
        if identity.scopes.allowsPublishing { agent = session.core.helloAgent }
        // A client that waits for this node to catch up is authenticated again and again, but counted once.
        guard countedUser != nil || services.connections.welcome(connection, user: identity.user) else {
            run(
                session.core.authenticated(
                    .failure(.tooManyConnections), newest: Cut(), lastMutation: nil, now: services.now()))
            return
        }
        countedUser = identity.user
        session.identified(identity)
        let caller = ContentCaller(identity: identity, clientID: session.core.helloClientID)
        locate(caller, session.core.helloClaim) { $0.located(identity, $1) }
    }

    private func located(_ identity: Identity, _ position: Result<(cut: Cut, lastMutation: UInt64?), Status>) {
        let now = services.now()
        switch position {
        case .success(let (cut, last)):
            run(
                session.core.authenticated(
                    .success(identity), newest: cut, lastMutation: last,
                    standing: services.identities.standing(of: identity), now: now))
            if session.core.stage == .live { services.counts.welcomes.add(1, ordering: .relaxed) }
        case .failure(let status):
            run(session.core.authenticated(.failure(status), newest: Cut(), lastMutation: nil, now: now))
        }
    }

    private func perform(_ call: UInt32, _ request: ContentCall, _ caller: ContentCaller) {
        guard let context else { return }
        let me = NIOLoopBound(self, eventLoop: context.eventLoop)
        let (services, inbox) = (services, registry.inbox)
        let caller = callerHere(caller, publishing: request.isPublication)
        let answered = services.counts.calls.count(request) { result in
            inbox.add { me.value.receive { $0.session.core.answered(call: call, result, now: services.now()) } }
        }
        if case .health = request {
            // Also answered while the store can't say where the caller's log is: health has to report such an outage.
            let claim = PositionClaim(seen: nil, answeredThrough: 0)
            return services.source.locate(caller, claim: claim, for: connection) { position in
                answered(position.map { CallBodyCodec.encode(services.health(at: $0.cut, for: caller.identity)) })
            }
        }
        services.source.perform(
            request, by: caller, for: connection, deadline: session.core.deadline(of: call), completion: answered)
    }
}

extension ContentCall {
    var isPublication: Bool { if case .publish = self { true } else { false } }
}

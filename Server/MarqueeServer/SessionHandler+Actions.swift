import MarqueeModel
import MarqueeStore
import MarqueeTLS
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
            authenticate(user: user, token: token) { $0.authenticated($1) }
        case .open(let ticket, let request):
            ask { hub in
                hub.open(request)
            } then: { handler, result in
                handler.run(handler.session.core.opened(ticket: ticket, result))
            } orElse: { hub, result in
                if case .success(let view) = result { hub.release(view.handles) }
            }
        case .release(let handles): services.release(handles)
        case .perform(let call, let request): perform(call, request)
        case .renew(let call, let token):
            services.calls.began(CallTally.renewal)
            authenticate(user: session.core.identity.user, token: token) { $0.renewed(call, $1) }
        case .hit(let limit): services.hits.hit(limit, metadata)
        case .note(let call, let reason):
            services.logger.info(
                "a traced call was answered",
                metadata: metadata.merging(call.metadata(reason: reason, now: services.now())) { $1 })
        case .close: close()
        }
    }

    /// Runs `work` on the hub's thread in this connection's turn, and hands its result back to this handler on its
    /// event loop, or to `orElse` if the connection has gone meanwhile. It isn't run if the connection goes before its
    /// turn.
    private func ask<Value: Sendable>(
        _ work: @escaping @Sendable (Hub) -> Value,
        then: @escaping @Sendable (SessionHandler, Value) -> Void,
        orElse: @escaping @Sendable (Hub, Value) -> Void = { _, _ in }
    ) {
        guard let context else { return }
        let loop = context.eventLoop
        let me = NIOLoopBound(self, eventLoop: loop)
        let services = services
        let publications = registry.publications
        services.ask(for: connection) { hub in
            let value = work(hub)
            publications.add {
                if me.value.context != nil {
                    me.value.came { then($0, value) }
                } else {
                    services.onHub { orElse($0, value) }
                }
            }
        }
    }

    /// Asks the authenticator who the client is.
    private func authenticate(
        user: String?, token: String?, then: @escaping @Sendable (SessionHandler, Result<Identity, Status>) -> Void
    ) {
        guard let context else { return }
        let credentials = Credentials(
            user: user, token: token, certificate: TLSServer.certificate(of: context.channel),
            address: context.remoteAddress?.ipAddress)
        let loop = context.eventLoop
        let me = NIOLoopBound(self, eventLoop: loop)
        let (authenticator, inbox) = (services.authenticator, registry.inbox)
        Task {
            var result: Result<Identity, Status>
            do throws(Status) {
                result = .success(try await authenticator.authenticate(credentials))
            } catch {
                result = .failure(error)
            }
            // Names are compared as text in some places and as bytes in others, so only those for which both agree are
            // admitted.
            if case .success(let identity) = result, let user = identity.user,
                !CatalogueBounds.isIdentifier(user, limit: CatalogueBounds.userName)
            {
                result = .failure(.userInvalid)
            }
            inbox.add { [result] in me.value.came { then($0, result) } }
        }
    }

    private func renewed(_ call: UInt32, _ result: Result<Identity, Status>) {
        guard !isClosing else { return }
        let standing = (try? result.get()).map(services.authenticator.standing) ?? .ended
        run(session.core.renewed(call: call, result, standing: standing, now: services.now()))
        let isAccepted = standing != .ended && session.core.identity == (try? result.get())
        if !isAccepted { services.calls.failed(CallTally.renewal) }
    }

    private func authenticated(_ result: Result<Identity, Status>) {
        guard !isClosing else { return }
        guard case .success(let identity) = result else {
            run(session.core.authenticated(result, newest: Cut(), lastMutation: nil, now: services.now()))
            return
        }
        // A client that waits for this node to catch up is authenticated again and again, and counted once.
        guard countedUser != nil || services.connections.welcome(connection, user: identity.user) else {
            run(
                session.core.authenticated(
                    .failure(.tooManyConnections), newest: Cut(), lastMutation: nil, now: services.now()))
            return
        }
        countedUser = identity.user
        session.identified(identity)
        guard let loop = context?.eventLoop else { return }
        let me = NIOLoopBound(self, eventLoop: loop)
        let (client, user, services, inbox) = (session.core.helloClientID, identity.user, services, registry.inbox)
        services.welcoming.submit(for: connection) {
            let position: Result<(Cut, UInt64?), StoreError>
            do throws(StoreError) {
                position = .success(
                    (
                        try services.positions.cut(for: user, in: services.store),
                        try services.store.lastMutation(of: client)
                    ))
            } catch {
                position = .failure(error)
            }
            inbox.add { me.value.came { $0.located(identity, position) } }
        }
    }

    private func located(_ identity: Identity, _ position: Result<(Cut, UInt64?), StoreError>) {
        let now = services.now()
        switch position {
        case .success(let (cut, last)):
            run(
                session.core.authenticated(
                    .success(identity), newest: cut, lastMutation: last,
                    standing: services.authenticator.standing(of: identity), now: now))
            if session.core.stage == .live { services.welcomes.add(1, ordering: .relaxed) }
        case .failure(let error):
            services.logger.debug("a client can't be welcomed: \(error)", metadata: metadata)
            let status = Status(storeError: error)
            run(session.core.authenticated(.failure(status), newest: Cut(), lastMutation: nil, now: now))
        }
    }

    private func perform(_ call: UInt32, _ request: SessionCore.Call) {
        guard let context else { return }
        let loop = context.eventLoop
        let me = NIOLoopBound(self, eventLoop: loop)
        let caller = CallRunner.Caller(
            identity: session.core.identity, clientID: session.core.clientID, connection: connection,
            deadline: session.core.deadline(of: call))
        CallRunner(services: services).run(request, caller: caller) { [services, inbox = registry.inbox] result in
            inbox.add {
                me.value.came { $0.session.core.answered(call: call, result, now: services.now()) }
            }
        }
    }
}

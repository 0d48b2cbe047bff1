import Foundation
import MarqueeMirror
import MarqueeModel
import MarqueeWire
import NIOCore
import NIOPosix

extension ClientEngine {
    // MARK: - Connecting

    /// Connects if something needs it and nothing is under way.
    func connectIfNeeded() {
        guard !isStopped, reconnect == nil else { return }
        switch link {
        case .none, .failed: attemptConnection()
        case .connecting, .up: break
        }
    }

    private func attemptConnection() {
        link = .connecting
        attempt += 1
        let attempt = attempt
        hub.send(.state(.connecting))
        startTicker()
        let me = NIOLoopBound(self, eventLoop: loop)
        let connection = tokenFuture().flatMap { token -> EventLoopFuture<Void> in
            let engine = me.value
            let reader = ConnectionReader(engine: engine, attempt: attempt, token: token)
            return engine.surroundings.connect(reader, to: engine.configuration, on: engine.loop)
        }
        connection.whenFailure { error in
            me.value.connectionFailed(attempt, "\(Self.describe(error))")
        }
        attemptEnded = connection.recover { _ in }
    }

    /// Calls back when no attempt to connect is under way any more.
    func whenIdle(_ done: @escaping @Sendable () -> Void) {
        (attemptEnded ?? loop.makeSucceededVoidFuture()).whenComplete { _ in done() }
    }

    /// The token for this attempt; a closure that never returns does not hold the client up.
    private func tokenFuture() -> EventLoopFuture<String?> {
        guard let token = configuration.token else { return loop.makeSucceededFuture(nil) }
        let promise = loop.makePromise(of: String?.self)
        let me = NIOLoopBound(self, eventLoop: loop)
        let (loop, attempt) = (loop, attempt)
        let task = Task {
            let result: Result<String?, any Error>
            do { result = .success(try await token()) } catch { result = .failure(error) }
            loop.execute { me.value.tokenCame(result, attempt: attempt) }
        }
        awaitedToken = (promise, task)
        let timeout = loop.scheduleTask(in: Self.tokenTimeout) {
            me.value.tokenCame(
                .failure(ClientError(.timeout, "no token came within 10 seconds")), attempt: attempt)
        }
        promise.futureResult.whenComplete { _ in timeout.cancel() }
        return promise.futureResult
    }

    /// The first result counts; a later one finds nobody waiting.
    private func tokenCame(_ result: Result<String?, any Error>, attempt: Int) {
        guard attempt == self.attempt, let awaited = awaitedToken else { return }
        awaitedToken = nil
        awaited.task.cancel()
        awaited.promise.completeWith(result)
    }

    /// An error of the system in its own words.
    static func describe(_ error: any Error) -> String {
        switch error {
        case let error as IOError:
            return String(cString: strerror(error.errnoCode)).lowercased()
        case let error as NIOConnectionError:
            guard let first = error.connectionErrors.first else { return "no address is known for \(error.host)" }
            return describe(first.error)
        case let error as ClientError:
            return error.message
        default:
            return "\(error)"
        }
    }

    private func connectionFailed(_ attempt: Int, _ reason: String) {
        guard attempt == self.attempt, case .connecting = link else { return }
        pauseAndRetry(reason)
    }

    /// The socket is open.
    func connected(_ opened: any ClientLink, attempt: Int, token: String?) {
        guard attempt == self.attempt, !isStopped else { return opened.close() }
        link = .up(opened)
        var hello = Hello()
        hello.features = []
        hello.knownKinds = ItemKind.known.map(\.rawValue)
        hello.limits = core.limits
        hello.user = configuration.user
        hello.token = token
        hello.clientID = mirror.identity.clientID
        hello.agent = configuration.agent
        hello.cluster = mirror.identity.cluster
        hello.seen = mirror.seen
        hello.answeredThrough = answeredThrough
        run(core.connected(hello, now: surroundings.uptime()))
    }

    // MARK: - While connected

    func received(_ message: Message, flags: FrameFlags, bytes: Int, attempt: Int) {
        guard attempt == self.attempt else { return }
        run(core.received(message, flags: flags, bytes: bytes))
    }

    func heard(attempt: Int) {
        guard attempt == self.attempt else { return }
        core.heard(now: surroundings.uptime())
    }

    func send(_ message: Message) {
        guard case .up(let link) = link else { return }
        link.write(MessageCodec.encode(message, flags: []))
    }

    // MARK: - Ending

    /// The connection was closed by the other side, or broke.
    func connectionLost(attempt: Int, _ reason: String) {
        guard attempt == self.attempt, case .up = link else { return }
        pauseAndRetry(reason)
    }

    func end(_ ending: SyncCore.Ending) {
        switch ending {
        case .retry(let reason):
            pauseAndRetry(reason)
        case .retryWithin(let bounds, let reason):
            let width = Double(bounds.upperBound - bounds.lowerBound) * surroundings.fraction()
            pauseAndRetry(reason, pause: .milliseconds(Double(bounds.lowerBound) + width))
        case .fatal(let status):
            let error = ClientError(status)
            closeChannel()
            link = .failed(error)
            hub.send(.state(.failed(error)))
            failAll(error, readersGet: error)
        }
    }

    private func pauseAndRetry(_ reason: String, pause fixed: Duration? = nil) {
        closeChannel()
        guard !isStopped else { return }
        let pause = fixed ?? backoff.next(fraction: surroundings.fraction())
        hub.send(.state(.waiting(reason: reason, pause: pause)))
        let me = NIOLoopBound(self, eventLoop: loop)
        reconnect = loop.scheduleTask(in: TimeAmount(pause)) {
            me.value.reconnect = nil
            me.value.connectIfNeeded()
        }
    }

    /// Forgets the connection; what is held stays and is shown as stored.
    private func closeChannel() {
        attempt += 1
        if case .up(let open) = link { open.close() }
        link = .none
        core.disconnected()
        sentFavorite = nil
        for index in calls.indices { calls[index].wireCall = nil }
    }

    /// Nobody waits any longer.
    private func failAll(_ error: ClientError, readersGet end: ClientError?) {
        let waiting = calls
        calls.removeAll()
        for call in waiting {
            call.timeout.cancel()
            call.completion(.failure(error))
        }
        for view in watched.values {
            for observer in view.observers.values { observer.finish(end) }
        }
    }

    /// Ends everything. What was stored stays.
    package func stop() {
        guard !isStopped else { return }
        isStopped = true
        reconnect?.cancel()
        reconnect = nil
        resend?.cancel()
        resend = nil
        tokenCame(.failure(ClientError(.closed, "the client was closed")), attempt: attempt)
        ticker?.cancel()
        ticker = nil
        closeChannel()
        failAll(ClientError(.closed, "the client was closed"), readersGet: nil)
        watched.removeAll()
        mirror.close()
        hub.send(.state(.closed))
        hub.finish()
    }

    // MARK: - Time

    private func startTicker() {
        guard ticker == nil else { return }
        let me = NIOLoopBound(self, eventLoop: loop)
        ticker = loop.scheduleRepeatedTask(initialDelay: .seconds(1), delay: .seconds(1)) { _ in
            let engine = me.value
            engine.run(engine.core.tick(now: engine.surroundings.uptime()))
        }
    }
}

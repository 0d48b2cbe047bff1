import Foundation
package import MarqueeMirror
import MarqueeModel
import MarqueeTLS
import MarqueeWire
import NIOCore
import NIOPosix

#if canImport(Network)
    import Network
#endif

extension ClientEngine {
    // MARK: - Connecting

    /// Connects if something needs a connection and no attempt is under way.
    func connectIfNeeded() {
        guard !isStopped, !isSuspended, !mirror.isCompanion, retries.next == nil else { return }
        switch link {
        case .none: attemptConnection()
        case .failed:
            // After a final refusal, repeated requests must not start an attempt each.
            let now = environment.uptime()
            if now >= retries.notBefore {
                attemptConnection()
            } else {
                attempt(after: .milliseconds(retries.notBefore - now))
            }
        case .connecting, .up: break
        }
    }

    private func attempt(after pause: Duration) {
        let me = NIOLoopBound(self, eventLoop: loop)
        retries.cancel()
        retries.next = loop.scheduleTask(in: TimeAmount(pause)) {
            me.value.retries.next = nil
            me.value.connectIfNeeded()
        }
    }

    private func attemptConnection() {
        link = .connecting
        attempt = ConnectionAttempt(attempt.number + 1)
        retries.began = environment.uptime()
        let attempt = attempt.number
        hub.send(.state(.connecting))
        startTicker()
        startScrubber()
        let me = NIOLoopBound(self, eventLoop: loop)
        let connection = tokenFuture().flatMap { token -> EventLoopFuture<Void> in
            let engine = me.value
            guard attempt == engine.attempt.number else {
                return engine.loop.makeFailedFuture(ClientError(.unavailable, "another attempt has begun"))
            }
            if let token, engine.retries.isRefused(token, at: engine.environment.uptime()) {
                return engine.loop.makeFailedFuture(
                    ClientError(
                        .tokenRefused, "the server refused the app's token, and the app gave the same one again"))
            }
            engine.attempt.token = token
            let reader = ConnectionReader(engine: engine, attempt: attempt, token: token)
            return engine.environment.connect(reader, to: engine.configuration, on: engine.loop)
        }
        connection.whenFailure { error in
            me.value.connectionFailed(attempt, Self.clientError(error))
        }
        attemptEnded = connection.recover { _ in }
    }

    /// Calls back once no connection attempt is under way.
    func whenIdle(_ done: @escaping @Sendable () -> Void) {
        (attemptEnded ?? loop.makeSucceededVoidFuture()).whenComplete { _ in done() }
    }

    // MARK: - The token

    /// Requests the token for this attempt; a closure that never returns doesn't block the client.
    private func tokenFuture() -> EventLoopFuture<String?> {
        guard let tokens else { return loop.makeSucceededFuture(nil) }
        let me = NIOLoopBound(self, eventLoop: loop)
        let (loop, attempt) = (loop, attempt.number)
        let request = tokens.ask { result in
            let result = result.mapError { error in
                ClientError(.tokenUnavailable, "the app's closure gave no token: \(Self.describe(error))", cause: error)
            }
            loop.execute { me.value.tokenArrived(result, attempt: attempt) }
        }
        guard let request else {
            return loop.makeFailedFuture(
                ClientError(
                    .tokenUnavailable, "\(TokenSource.maximumHanging) requests for a token have not been answered"))
        }
        let promise = loop.makePromise(of: String?.self)
        let timeout = loop.scheduleTask(in: TimeAmount(configuration.tokenTimeout)) {
            let pause = me.value.configuration.tokenTimeout
            me.value.tokenArrived(
                .failure(ClientError(.tokenUnavailable, "no token arrived within \(pause)")), attempt: attempt)
        }
        self.attempt.awaitedToken = (promise, request, timeout)
        return promise.futureResult
    }

    /// Only the first result counts.
    private func tokenArrived(_ result: Result<String, ClientError>, attempt: Int) {
        guard attempt == self.attempt.number, let awaited = self.attempt.awaitedToken else { return }
        self.attempt.awaitedToken = nil
        awaited.timeout.cancel()
        awaited.request.giveUp()
        switch result {
        case .success(let token) where token.utf8.count > WireLimits.tokenBytes:
            awaited.promise.fail(
                ClientError(
                    .tokenUnavailable, "the token has more than \(WireLimits.tokenBytes) bytes, which no server takes"))
        case .success(let token): awaited.promise.succeed(token)
        case .failure(let error): awaited.promise.fail(error)
        }
    }

    /// Ignores whatever still arrives from the previous attempt or connection.
    private func abandonAttempt() {
        let before = attempt
        attempt = ConnectionAttempt(before.number + 1)
        before.giveUp()
        // Pauses are short again after a useful connection that lasted.
        if before.isUseful, let opened = before.opened {
            retries.ended(after: .milliseconds(environment.uptime() - min(opened, environment.uptime())))
        }
    }

    // MARK: - Doubts

    /// Called when the app returned to the foreground, or the network changed: the connection may have died silently,
    /// and a pause may be longer than necessary.
    package func wake() {
        guard !isStopped, !isSuspended else { return }
        follow()
        switch link {
        case .up where core.isLive: probeConnection()
        case .up, .connecting:
            // An attempt started on another network, or before a suspension, may hang until its timeout. Before the
            // welcome it can't be probed: a server accepts nothing between hello and welcome.
            guard retries.isTimeForAnother(at: environment.uptime()) else { return }
            closeChannel()
            attemptConnection()
        case .failed, .none:
            guard retries.next != nil || attempt.number > 0 else { return }
            if !retries.isTimeForAnother(at: environment.uptime()) {
                return attempt(after: .milliseconds(Retries.wakeSpacing))
            }
            retries.cancel()
            attemptConnection()
        }
    }

    private func probeConnection() {
        guard attempt.probe.begin(now: environment.uptime(), minimum: attempt.pingMinimum) else { return }
        send(.ping(nonce: environment.uptime()))
        let me = NIOLoopBound(self, eventLoop: loop)
        let attempt = attempt.number
        loop.scheduleTask(in: .milliseconds(Int64(Probe.patience))) {
            let engine = me.value
            guard attempt == engine.attempt.number, engine.attempt.probe.isOverdue(now: engine.environment.uptime())
            else { return }
            engine.pauseAndRetry("the connection had died unnoticed", pause: .zero)
        }
    }

    /// The reason why there is no connection, as an error with the code for the reaction.
    private static func clientError(_ error: any Error) -> ClientError {
        if let error = error as? ClientError { return error }
        return ClientError(TLSProblem(error) == nil ? .unavailable : .insecure, describe(error), cause: error)
    }

    /// A system error in its own words.
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
            if let problem = TLSProblem(error) { return problem.description }
            #if canImport(Network)
                if let words = (error as? NWError)?.words { return words }
            #endif
            return "\(error)"
        }
    }

    private func connectionFailed(_ attempt: Int, _ error: ClientError) {
        guard attempt == self.attempt.number, case .connecting = link else { return }
        pauseAndRetry(error)
    }

    /// Called when the socket is open.
    func connected(_ opened: any ClientLink, attempt: Int, token: String?) {
        guard attempt == self.attempt.number, !isStopped else { return opened.close() }
        link = .up(opened)
        self.attempt.opened = environment.uptime()
        var hello = Hello()
        hello.limits = core.limits
        hello.user = configuration.user
        hello.token = token
        hello.clientID = mirror.identity.clientID
        hello.agent = configuration.agent
        hello.cluster = mirror.identity.cluster
        hello.seen = claimedSeen
        hello.answeredThrough = answeredThrough
        hello.pingIntervalMilliseconds = configuration.pingInterval.map { interval in
            UInt32(clamping: Int64(max(1, min(interval / .milliseconds(1), 1e9))))
        }
        run(core.connected(hello, now: environment.uptime()))
    }

    // MARK: - While connected

    func received(_ message: Message, flags: FrameFlags, bytes: Int, attempt: Int) {
        guard attempt == self.attempt.number else { return }
        counters.bytesReceived += bytes
        run(core.received(message, flags: flags, bytes: bytes))
        noteEvidence()
    }

    func heard(attempt: Int) {
        guard attempt == self.attempt.number else { return }
        self.attempt.probe.heard()
        core.heard(now: environment.uptime())
    }

    func received(frames: Int, isWithinFrame: Bool, attempt: Int) {
        guard attempt == self.attempt.number else { return }
        core.received(frames: frames, isWithinFrame: isWithinFrame, now: environment.uptime())
    }

    func send(_ message: Message) {
        guard case .up(let link) = link else { return }
        let frame = MessageCodec.encode(message, flags: [])
        counters.bytesSent += frame.readableBytes
        if case .nack = message { counters.repairs += 1 }
        guard message.isProvoked else { return link.write(frame) }
        let size = frame.readableBytes
        guard attempt.unsentAnswers.add(bytes: size) else {
            return pauseAndRetry("the server doesn't read what it asks for")
        }
        let me = NIOLoopBound(self, eventLoop: loop)
        let number = attempt.number
        link.write(frame) {
            if number == me.value.attempt.number { me.value.attempt.unsentAnswers.sent(bytes: size) }
        }
    }

    // MARK: - Ending

    /// Called when the other side closed the connection, or it broke.
    func connectionLost(attempt: Int, _ reason: String) {
        guard attempt == self.attempt.number, case .up = link else { return }
        pauseAndRetry(reason)
    }

    /// Reports to the server why its bytes can't be read, then tries again.
    func receivedGarbage(_ error: WireError, attempt: Int) {
        guard attempt == self.attempt.number, case .up = link else { return }
        send(.close(error.status))
        pauseAndRetry("the server's bytes can't be read: \(error)")
    }

    func end(_ ending: SyncCore.Ending) {
        switch ending {
        case .retry(_, let status?):
            pauseAndRetry(turnedAway(status))
        case .retry(let reason, nil):
            pauseAndRetry(reason)
        case .retryWithin(let bounds, let status):
            let width = Double(bounds.upperBound - bounds.lowerBound) * environment.fraction()
            pauseAndRetry(turnedAway(status), pause: .milliseconds(Double(bounds.lowerBound) + width))
        case .behind(let status):
            retries.foundBehind(at: environment.uptime())
            pauseAndRetry(turnedAway(status))
        case .reauthenticate(let status) where tokens != nil:
            retries.refused(attempt.token, at: environment.uptime())
            let error = ClientError(status)
            hub.send(.tokenRefused(error))
            pauseAndRetry(error)
        case .fatal(let status), .reauthenticate(let status): endForGood(ClientError(status))
        }
    }

    /// The error for a server that was reached and serves this client later. Its status is the cause.
    private func turnedAway(_ status: Status) -> ClientError {
        ClientError(.unavailable, status.message, cause: ClientError(status))
    }

    /// Ends after a final refusal by the server: nothing is retried until the app requests something.
    func endForGood(_ error: ClientError) {
        closeChannel()
        counters.failures += 1
        link = .failed(error)
        retries.refusedForGood(at: environment.uptime(), fraction: environment.fraction())
        retries.error = error
        note(.connection, error.message)
        hub.send(.state(.failed(error)))
        failAll(error, readersGet: error)
        failChangeWaiters(error)
    }

    static func milliseconds(_ duration: Duration) -> UInt64 { UInt64(max(0, duration / .milliseconds(1))) }

    private func pauseAndRetry(_ reason: String, pause asked: Duration? = nil) {
        pauseAndRetry(ClientError(.unavailable, reason), pause: asked)
    }

    func pauseAndRetry(_ error: ClientError, pause asked: Duration? = nil) {
        closeChannel()
        guard !isStopped else { return }
        let pause = retries.pause(atLeast: asked, fraction: environment.fraction())
        counters.failures += 1
        retries.error = error
        note(.connection, error.message)
        hub.send(.state(.waiting(error, pause: pause)))
        attempt(after: pause)
        notifyStatus()
    }

    /// Drops the connection; content stays and is shown as stored.
    func closeChannel() {
        abandonAttempt()
        if case .up(let open) = link { open.close() }
        link = .none
        core.disconnected()
        // The next connection requests its own token.
        for call in calls where call.method == .renew { cancelCall(call.id) }
        answerOverlayReaders()
        // The next connection requests the options again.
        for id in optionsAnswers.keys.sorted() { settleOptions(of: id, .success(())) }
        sentChange = nil
        endReporting()
        // The next connection sends again immediately.
        resend?.cancel()
        resend = nil
        for index in calls.indices { calls[index].wireCall = nil }
    }

    /// Records that the connection has delivered content or an answer.
    func provedUseful() { attempt.isUseful = true }

    /// Ends all calls and readers.
    private func failAll(_ error: ClientError, readersGet end: ClientError?) {
        failCalls(error)
        for view in watched.values {
            for reader in view.readers.values { reader.observer.finish(end) }
        }
    }

    func failCalls(_ error: ClientError) {
        let waiting = calls
        calls.removeAll()
        for call in waiting {
            call.timeout.cancel()
            call.completion(.failure(error))
        }
    }

    /// Stops all timers.
    func stopTimers() {
        retries.cancel()
        ticker?.cancel()
        ticker = nil
        scrubber?.cancel()
        scrubber = nil
    }

    /// Ends everything.
    /// - Parameter last: a last action on the mirror before it is closed; by default none, and stored content stays.
    /// - Returns: the error of the last action, if it failed.
    @discardableResult
    package func stop(
        _ last: (any MirrorEngine) throws(MirrorError) -> Void = { _ throws(MirrorError) in }
    ) -> MirrorError? {
        guard !isStopped else { return nil }
        isStopped = true
        stopTimers()
        closeChannel()
        failAll(ClientError.closed, readersGet: nil)
        failChangeWaiters(ClientError.closed)
        for mailbox in collectionReaders.values.flatMap(\.values) { mailbox.finish(nil) }
        collectionReaders.removeAll()
        finishOutboxReaders(nil)
        for observer in bystanders.values.flatMap(\.values) { observer.finish(nil) }
        bystanders.removeAll()
        watched.removeAll()
        var failure: MirrorError?
        do throws(MirrorError) { try last(mirror) } catch { failure = error }
        mirror.close()
        hub.send(.state(.closed))
        hub.finish()
        return failure
    }

    // MARK: - Time

    func startTicker() {
        guard ticker == nil else { return }
        let me = NIOLoopBound(self, eventLoop: loop)
        ticker = loop.scheduleRepeatedTask(initialDelay: .seconds(1), delay: .seconds(1)) { _ in
            let engine = me.value
            engine.run(engine.core.tick(now: engine.environment.uptime()))
            engine.follow()
        }
    }
}

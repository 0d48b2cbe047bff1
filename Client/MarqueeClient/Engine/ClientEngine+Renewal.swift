import MarqueeModel
import MarqueeWire
import NIOCore

extension ClientEngine {
    // MARK: - Renewing the identity of a connection

    /// The server has said how long the client's identity stands.
    func identityStands(for milliseconds: UInt64?) {
        guard tokens != nil else { return }
        renewal.granted(milliseconds, now: environment.uptime(), fraction: environment.fraction())
        renewLater()
    }

    /// Forgets the identity of a connection that is gone.
    func forgetIdentity() {
        renewal = Renewal()
        renewing?.cancel()
        renewing = nil
        // The next connection has a token of its own.
        for call in calls where call.method == .renew { cancelCall(call.id) }
    }

    private func renewLater() {
        renewing?.cancel()
        renewing = nil
        guard let pause = renewal.pause else { return }
        let me = NIOLoopBound(self, eventLoop: loop)
        renewing = loop.scheduleTask(in: .milliseconds(Int64(clamping: pause))) { me.value.renew() }
    }

    /// Asks the app for a token, and hands it to the server if it is another than the one in use.
    private func renew() {
        guard core.isLive, let tokens, renewal.begin(now: environment.uptime()) else { return }
        let me = NIOLoopBound(self, eventLoop: loop)
        let (loop, attempt) = (loop, attempt)
        let request = tokens.ask { result in
            loop.execute { me.value.renew(under: try? result.get(), attempt: attempt) }
        }
        guard let request else { return renewalFailed() }
        renewing = loop.scheduleTask(in: TimeAmount(configuration.tokenTimeout)) {
            request.giveUp()
            me.value.renew(under: nil, attempt: attempt)
        }
    }

    private func renew(under token: String?, attempt: Int) {
        guard attempt == self.attempt, core.isLive else { return }
        renewing?.cancel()
        guard let token, token != usedToken, token != refusedToken else { return renewalFailed() }
        let me = NIOLoopBound(self, eventLoop: loop)
        call(.renew, CallBodyCodec.encodeRenewRequest(token: token), timeout: configuration.callTimeout) { result in
            me.value.renewed(token, result, attempt: attempt)
        }
    }

    private func renewed(_ token: String, _ result: Result<[UInt8], ClientError>, attempt: Int) {
        guard attempt == self.attempt, core.isLive else { return }
        switch result {
        case .success(let body):
            guard let milliseconds = try? CallBodyCodec.decodeRenewAnswer(body) else { return renewalFailed() }
            usedToken = token
            identityStands(for: milliseconds)
            // The new token may allow more than the one before.
            wantCollectionSetAgain()
        case .failure(let error):
            if error.status?.code == .unauthenticated { refusedToken = token }
            note(.connection, "the identity can't be renewed: \(error.message)")
            renewalFailed()
        }
    }

    private func renewalFailed() {
        renewal.failed(now: environment.uptime())
        renewLater()
    }
}

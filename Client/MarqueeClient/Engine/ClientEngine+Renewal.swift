import MarqueeModel
import MarqueeWire
import NIOCore

extension ClientEngine {
    // MARK: - Renewing the identity of a connection

    /// Called when the server says how long the client's identity remains valid.
    func identityGranted(for milliseconds: UInt64?) {
        guard tokens != nil else { return }
        attempt.renewal.granted(milliseconds, now: environment.uptime(), fraction: environment.fraction())
        renewLater()
    }

    private func renewLater() {
        attempt.renewing?.cancel()
        attempt.renewing = nil
        guard let pause = attempt.renewal.pause else { return }
        let me = NIOLoopBound(self, eventLoop: loop)
        attempt.renewing = loop.scheduleTask(in: .milliseconds(Int64(clamping: pause))) { me.value.renew() }
    }

    /// Requests a token from the app, and sends it to the server if it differs from the one in use.
    private func renew() {
        guard core.isLive, let tokens, attempt.renewal.begin(now: environment.uptime()) else { return }
        let me = NIOLoopBound(self, eventLoop: loop)
        let (loop, number) = (loop, attempt.number)
        let request = tokens.ask { result in
            loop.execute { me.value.renew(under: try? result.get(), attempt: number) }
        }
        guard let request else { return renewalFailed() }
        attempt.renewing = loop.scheduleTask(in: TimeAmount(configuration.tokenTimeout)) {
            request.giveUp()
            me.value.renew(under: nil, attempt: number)
        }
    }

    private func renew(under token: String?, attempt: Int) {
        guard attempt == self.attempt.number, core.isLive else { return }
        self.attempt.renewing?.cancel()
        guard let token, token != self.attempt.token, !retries.isRefused(token, at: environment.uptime()) else {
            return renewalFailed()
        }
        let me = NIOLoopBound(self, eventLoop: loop)
        call(.renew, CallBodyCodec.encodeRenewRequest(token: token), timeout: configuration.callTimeout) { result in
            me.value.renewed(token, result, attempt: attempt)
        }
    }

    private func renewed(_ token: String, _ result: Result<[UInt8], ClientError>, attempt: Int) {
        guard attempt == self.attempt.number, core.isLive else { return }
        switch result {
        case .success(let body):
            guard let milliseconds = try? CallBodyCodec.decodeRenewAnswer(body) else { return renewalFailed() }
            self.attempt.token = token
            identityGranted(for: milliseconds)
            // The new token may allow more than the last one.
            wantCollectionSetAgain()
        case .failure(let error):
            if error.status?.code == .unauthenticated { retries.refused(token, at: environment.uptime()) }
            note(.connection, "the identity can't be renewed: \(error.message)")
            renewalFailed()
        }
    }

    private func renewalFailed() {
        attempt.renewal.failed(now: environment.uptime())
        renewLater()
    }
}

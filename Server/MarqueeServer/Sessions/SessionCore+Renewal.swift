package import MarqueeModel
import MarqueeWire

// A client switches to another token without interruption.

extension SessionCore {
    /// The token of a call `renew`.
    mutating func tokenToRenew(_ request: Request) throws -> String {
        let token = try CallBodyCodec.decodeRenewRequest(request.body)
        // Two checks at once could finish in either order.
        guard !calls.isRenewing else {
            throw Status(
                .resourceExhausted, reason: "TOO_MANY_CALLS", remedy: .retrySame,
                message: "another token of this client is being checked")
        }
        calls.isRenewing = true
        return token
    }

    /// Handles the authenticator's result for the token of a call `renew`.
    /// - Parameter standing: the standing of the new identity.
    package mutating func renewed(
        call: UInt32, _ result: Result<Identity, Status>, standing: Standing, now: UInt64
    ) -> [Action] {
        guard case .live = phase else { return [] }
        calls.isRenewing = false
        switch result {
        case .success(let identity) where identity.user != self.identity.user:
            answered(call: call, .failure(.tokenOfAnother), now: now)
        case .success(let identity) where standing != .ended:
            let claims = self.identity.claims
            self.identity = identity
            answered(
                call: call, .success(CallBodyCodec.encodeRenewAnswer(milliseconds: standing.milliseconds)), now: now)
            return endForbiddenViews() + (identity.claims == claims ? [] : replanAll())
        case .success: answered(call: call, .failure(.tokenEnded), now: now)
        case .failure(let status): answered(call: call, .failure(status), now: now)
        }
        return []
    }

    /// Ends the views that the client may not see any more.
    private mutating func endForbiddenViews() -> [Action] {
        subscriptions.ids.flatMap { id -> [Action] in
            guard let subscription = subscriptions[id],
                let refusal = refusal(of: subscription.request)
            else { return [] }
            return end(id, refusal)
        }
    }
}

extension Standing {
    /// The milliseconds left; `nil` if that isn't known.
    var milliseconds: UInt64? { if case .until(let left) = self { left } else { nil } }
}

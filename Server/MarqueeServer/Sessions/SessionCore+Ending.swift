package import MarqueeModel
import MarqueeWire

// A session that ends says why, and gives back everything it holds.

extension SessionCore {
    /// Ends the session because the client's identity no longer stands: its token or its certificate has expired or was
    /// revoked. Also used when an operator ends the session.
    package mutating func identityEnded(_ why: Status = .tokenEnded) -> [Action] {
        guard case .live = phase else { return [] }
        return fail(why)
    }

    mutating func fail(_ code: Status.Code, _ reason: String, _ message: String) -> [Action] {
        fail(Status(code, reason: reason, remedy: .fatal, message: message))
    }

    mutating func fail(_ status: Status) -> [Action] {
        endReason = status.reason
        say(.close(status))
        return shut()
    }

    /// Closes the session because the connection is closed, or about to be.
    package mutating func shut() -> [Action] {
        guard !isClosed else { return [] }
        phase = .closed
        let handles = subscriptions.values.flatMap(\.handles)
        subscriptions = Subscriptions()
        variants = VariantIndex()
        manifests = Manifests()
        stagedThere = StagedLedger()
        outgoing = Outgoing()
        calls = Calls()
        guests = nil
        return handles.isEmpty ? [.close] : [.release(handles), .close]
    }
}

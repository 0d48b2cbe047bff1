import MarqueeModel
import MarqueeWire

/// A summary of one connection's activity, for operators.
package struct SessionReport: Hashable, Sendable {
    /// The stage that a connection has reached.
    package enum State: String, CaseIterable, Sendable {
        /// It has not said hello; its handshake may still be under way.
        case greeting
        /// The client's identity, and the position of its mirror, are being looked up.
        case authenticating
        /// Its mirror has seen newer positions than this server has.
        case catchingUp = "catching_up"
        case live
        case closing
    }

    /// The most screens listed for one session.
    package static let maximumScreens = 8

    package var connection: UInt64
    package var state: State
    /// `nil` for an anonymous client.
    package var user: String?
    package var address: String
    /// How long the connection has been open, in milliseconds.
    package var age: UInt64
    /// The screens that it shows, at most `maximumScreens` of them.
    package var screens: [String] = []
    package var subscriptions = 0
    /// The revision of the catalogue up to which everything was sent; `nil` before the session is live.
    package var revision: UInt64?
    /// The age of the oldest published change that the client wasn't sent, in milliseconds.
    package var lag: UInt64 = 0
    package var load: SessionLoad
}

extension Session {
    /// - Parameters:
    ///   - address: the client's address.
    ///   - isClosing: whether the connection is about to close.
    func report(_ connection: ConnectionID, address: String, isClosing: Bool, now: UInt64) -> SessionReport {
        var report: SessionReport
        switch state {
        case .separate(let separate):
            report = SessionReport(
                connection: connection, state: separate.core.stage, user: separate.core.identity.user, address: address,
                age: now - min(now, separate.core.lasting.liveness.opened), load: load)
            if report.state == .live { report.revision = separate.core.position.catalogueRevision }
            report.show(separate.core.subscriptions.ids.compactMap { separate.core.subscriptions[$0] })
        case .synced(let member):
            report = SessionReport(
                connection: connection, state: .live, user: member.synced.lasting.identity.user, address: address,
                age: now - min(now, member.liveness.opened), load: load)
            report.revision = sessions.revision(of: member)
            report.show(member.cohort.views.subscriptions)
        }
        if isClosing { report.state = .closing }
        return report
    }
}

extension SessionReport {
    fileprivate mutating func show(_ shown: [SessionCore.Subscription]) {
        subscriptions = shown.count
        screens = shown.prefix(Self.maximumScreens).map { $0.screen.isEmpty ? $0.request.screen : $0.screen }
    }
}

extension SessionCore {
    /// The stage that the connection has reached.
    var stage: SessionReport.State {
        switch phase {
        case .awaitingHello: .greeting
        case .authenticating: .authenticating
        case .catchingUp: .catchingUp
        case .live: .live
        case .closed: .closing
        }
    }
}

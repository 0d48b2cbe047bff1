package import MarqueeDiff
package import MarqueeMirror
package import MarqueeModel
package import MarqueeWire

/// The protocol of one client: `(event, now) -> actions`, without a socket, a clock or a disk.
///
/// It knows which views are wanted, the content held for each, and the state of the connection. A cut is assembled here
/// and handed out whole as `.apply`; it becomes the new state only when the shell calls `applied`: a position never
/// moves before its data is kept. Acks report as durable only what the shell reports. Sockets, the mirror and observers
/// belong to the shell.
///
/// All times are milliseconds of a monotonic clock.
package struct SyncCore {
    /// An action for the shell to perform; several are performed in order.
    package enum Action: Sendable {
        case send(Message)
        /// The server has accepted the connection.
        case welcomed(Welcome)
        /// Store it, or keep it in memory; then call `applied`.
        case apply(CutResult)
        /// Everything up to this position was delivered. Store that; then call `progressTaken`.
        case progress(Cut)
        /// If the status is fatal, the view is no longer wanted; otherwise it is subscribed again on the next
        /// connection.
        case viewFailed(ViewID, Status)
        /// The parameters of the last join stay in force.
        case parametersRefused(ViewID, kept: [SectionParameters], Status)
        /// After a refusal, a join delivered parameters requested earlier: those are in force.
        case parametersKept(ViewID, [SectionParameters])
        /// The server could not deliver a section to this client: it stays as it is until a later join repairs it.
        case sectionFailed(ViewID, section: String, Status)
        case answered(call: UInt32, Result<[UInt8], Status>)
        /// Close the connection; the ending says what follows.
        case close(Ending)
    }

    /// The reason why a connection ends, and what follows.
    package enum Ending: Hashable, Sendable {
        /// Try again after the usual pause. The status is the server's, if that is what ended the connection.
        case retry(String, said: Status? = nil)
        /// The server is behind this mirror's position: try again. It may catch up, or another may answer.
        case behind(Status)
        /// Try again after a random time within these milliseconds.
        case retryWithin(ClosedRange<UInt32>, Status)
        /// Try again, but with another token.
        case reauthenticate(Status)
        /// Retrying is pointless.
        case fatal(Status)
    }

    /// The place where a handle's content is shown.
    struct Place: Hashable {
        var subscription: UInt32
        /// The section's id; empty for the view's own list.
        var section: String
    }

    enum Phase {
        case disconnected
        case awaitingWelcome
        case live
    }

    /// Consecutive nacks after which the connection is given up.
    static let maximumNacks = 3
    /// The pause before resubscribing to a view after a temporary failure, in milliseconds: doubled each time, within
    /// these bounds. The server may ask for longer.
    static let viewPause: ClosedRange<UInt32> = 1_000...60_000
    /// The most milliseconds from hello to welcome.
    static let welcomeTimeout: UInt64 = 10_000

    let limits: WireLimits
    /// The trace that all calls are part of.
    package var trace: TraceParent?
    var phase = Phase.disconnected
    var wanted: [ViewID: Wanted] = [:]
    /// The part of the state that ends with the connection.
    var link = Link(now: 0)
    package internal(set) var position = Cut()
    /// The position that the mirror holds durably.
    var durable: Cut?
    var nacksInARow = 0
    /// The number of consecutive connections that were ended because a server's content did not verify, and the view
    /// concerned; `nil` if it isn't known. Only content of that view resets the count: other views prove nothing about
    /// it.
    var setbacks: (count: Int, view: ViewID?) = (0, nil)
    /// Patches refused by this client.
    package internal(set) var evidence = EvidenceRing()

    package init(limits: WireLimits = .client) { self.limits = limits }

    package var isLive: Bool { if case .live = phase { true } else { false } }

    /// The content held for a view.
    package func content(of id: ViewID) -> ViewContent? { wanted[id]?.content }

    /// The parameters that a view is shown with, or requested with before it is shown.
    package func parameters(of id: ViewID) -> [SectionParameters] {
        wanted[id].map { $0.joined?.parameters ?? $0.parameters } ?? []
    }

    /// Whether the view is wanted and the server has not refused it for good.
    package func isWanted(_ id: ViewID) -> Bool { wanted[id] != nil }

    /// Whether the view is part of the live position.
    package func isLive(_ id: ViewID) -> Bool { wanted[id]?.isLive ?? false }

    /// Whether the server has answered the latest request for a view on this connection, with a join or a refusal.
    package func isAnswered(_ id: ViewID) -> Bool { wanted[id]?.isAnswered ?? true }

    /// Whether a view is live with all its sections.
    package func isComplete(_ id: ViewID) -> Bool { wanted[id].map { $0.isLive && $0.missed.isEmpty } ?? false }

    // MARK: - From the app

    /// Adds a view that the app wants.
    /// - Parameter stored: the mirror's content for the view.
    package mutating func want(
        _ id: ViewID, parameters: [SectionParameters], stored: ViewContent?, cut: Cut
    ) -> [Action] {
        guard wanted[id] == nil else { return [] }
        wanted[id] = Wanted(id: id, parameters: parameters, content: stored, cut: cut)
        guard isLive else { return [] }
        return [subscribe(id)].compactMap { $0 }
    }

    /// Removes a view that is no longer wanted.
    package mutating func unwant(_ id: ViewID) -> [Action] {
        guard let view = wanted.removeValue(forKey: id), let subscription = view.subscription else { return [] }
        link.subscriptions.forget(subscription)
        return isLive ? [.send(.unsubscribe(subscription))] : []
    }

    /// Shows sections of a view with other sorts or windows.
    package mutating func setParameters(_ parameters: [SectionParameters], of id: ViewID) -> [Action] {
        guard var view = wanted[id], view.parameters != parameters else { return [] }
        view.parameters = parameters
        view.generation += 1
        view.asked[view.generation] = parameters
        wanted[id] = view
        guard isLive, let subscription = view.subscription else { return [] }
        return [
            .send(
                .subscribe(
                    Subscribe(
                        subscription: subscription, generation: view.generation, screen: id.screen,
                        locale: id.locale, sections: parameters)))
        ]
    }

    /// Resubscribes to a view whose subscription ended temporarily.
    package mutating func subscribeAgain(_ id: ViewID) -> [Action] {
        guard isLive, let view = wanted[id], view.subscription == nil else { return [] }
        return [subscribe(id)].compactMap { $0 }
    }

    mutating func subscriptionFailed(_ error: SubscriptionError) -> [Action] {
        guard let id = link.subscriptions[error.subscription], var view = wanted[id] else { return [] }
        if let section = error.section { return [.sectionFailed(id, section: section, error.status)] }
        let joined = view.joined.flatMap { $0.subscription == error.subscription ? $0 : nil }
        if let joined, error.generation > joined.generation {
            view.asked[error.generation] = nil
            // A newer request may be on its way.
            if error.generation == view.generation { view.parameters = joined.parameters }
            wanted[id] = view
            return [.parametersRefused(id, kept: view.parameters, error.status)]
        }
        // The server may have sent a join of an older generation, in a cut that was refused: it would continue to show
        // that one.
        let mayBeShown = joined == nil && view.asked.keys.contains { $0 < error.generation }
        link.subscriptions.forget(error.subscription)
        if view.isLive { view.cut = position }
        view.subscription = nil
        view.isLive = false
        if error.status.remedy == .resync { view.content = nil }
        // Repeated identical answers must not make requests more frequent.
        let pause = min(Self.viewPause.lowerBound << min(view.failures, 16), Self.viewPause.upperBound)
        view.failures += 1
        wanted[id] = error.status.remedy == .fatal ? nil : view
        var status = error.status
        status.retryAfterMilliseconds = max(pause, status.retryAfterMilliseconds ?? 0)
        return (mayBeShown ? [.send(.unsubscribe(error.subscription))] : []) + [.viewFailed(id, status)]
    }

    mutating func subscribe(_ id: ViewID) -> Action? {
        guard var view = wanted[id] else { return nil }
        let subscription = link.subscriptions.add(id)
        view.subscription = subscription
        view.asked = [view.generation: view.parameters]
        wanted[id] = view
        let resume = view.content.map { content in
            let order = content.list.items.map(\.id)
            let rest = Set(content.sections.keys).union(content.damaged.keys).subtracting(order + [""]).sorted()
            return Resume(
                cut: view.cut, viewSum: content.base(of: "")?.sum ?? Version.empty.sum,
                sections: (order + rest).compactMap { section in
                    content.base(of: section).map { HeldSection(section: section, sum: $0.sum) }
                })
        }
        return .send(
            .subscribe(
                Subscribe(
                    subscription: subscription, generation: view.generation, screen: id.screen, locale: id.locale,
                    sections: view.parameters, resume: resume)))
    }
}

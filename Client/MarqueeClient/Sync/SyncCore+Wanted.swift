import MarqueeMirror
import MarqueeModel
import MarqueeWire

extension SyncCore {
    /// A view the app wants.
    struct Wanted {
        var id: ViewID
        var parameters: [SectionParameters]
        var subscription: UInt32?
        var generation: UInt32 = 0
        /// The last join on this connection, with the parameters requested then.
        var joined: (subscription: UInt32, generation: UInt32, parameters: [SectionParameters])?
        /// Requested parameters, by generation, that a join may still answer.
        var asked: [UInt32: [SectionParameters]] = [:]
        /// Whether the newest of them have been answered, by a join or a refusal.
        var isAnswered: Bool { asked[generation] == nil }
        var isLive = false
        var content: ViewContent?
        /// Sections that the server could not update since the last join.
        var missed: Set<String> = []
        /// The position of the content, if it was read from the mirror.
        var cut: Cut
        /// The number of consecutive temporary failures of its subscription.
        var failures: UInt32 = 0
    }
}

extension SyncCore.Wanted {
    /// Resets the state that depended on the connection, which has ended.
    /// - Parameter position: the connection's newest position, which live content has reached.
    mutating func left(at position: Cut) {
        self = Self(
            id: id, parameters: parameters, content: content, missed: missed, cut: isLive ? position : cut,
            failures: failures)
    }

    /// Records the parameters of the generation that a subscription shows now.
    /// - Returns: the parameters now in force if they differ from the assumed ones: a newer request was refused
    ///   before this one was delivered.
    mutating func joined(_ subscription: UInt32, _ generation: UInt32) -> [SectionParameters]? {
        let shown = parameters(joinedAs: generation)
        joined = (subscription, generation, shown)
        asked = asked.filter { $0.key > generation }
        guard isAnswered, parameters != shown else { return nil }
        parameters = shown
        return shown
    }

    /// The parameters requested with a join's generation, or with that of the last join.
    func parameters(joinedAs generation: UInt32?) -> [SectionParameters] {
        generation.flatMap { asked[$0] } ?? joined?.parameters ?? parameters
    }
}

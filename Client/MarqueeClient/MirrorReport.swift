public import MarqueeModel

/// What a mirror contains.
public struct MirrorStatus: Sendable {
    public struct View: Sendable {
        public var screen: ScreenID
        public var locale: String
        public var revision: Cut
        /// Seconds since 1970.
        public var asOf: Double
        public var sections: Int
        public var items: Int
        public var bytes: Int
    }

    public struct PendingChange: Sendable {
        public enum State: String, Sendable { case pending, sent, answered }

        public var collection: CollectionName
        public var subject: Subject
        /// Whether it was put into the collection or taken out.
        public var on: Bool
        public var value: CollectionValue?
        public var state: State
        /// Seconds since 1970.
        public var since: Double
    }

    public var cluster: String?
    public var user: String?
    public var views: [View]
    public var pending: [PendingChange]
    /// The last changes of collections that were rolled back, oldest first.
    public var rejected: [RejectedChange]
    /// What went wrong lately, oldest first.
    public var incidents: [MirrorIncident]

    /// The most recent problem.
    public var lastError: MirrorIncident? { incidents.last }
}

/// A change of a collection that was refused, or rolled back because there is no telling whether it took effect.
public struct RejectedChange: Hashable, Sendable {
    public var collection: CollectionName
    public var subject: Subject
    /// Whether it was put into the collection or taken out.
    public var on: Bool
    public var value: CollectionValue?
    /// For people.
    public var reason: String
    /// When the person changed it, in seconds since 1970.
    public var since: Double
}

/// How sending changes of collections is going.
public struct OutboxStatus: Hashable, Sendable {
    /// Those that no confirmed content contains yet.
    public var pending: Int
    /// When the oldest unanswered one was set, in seconds since 1970.
    public var since: Double?
    /// Why the server postponed the pending ones, if it did.
    public var lastError: ClientError?
    /// The last ones that were rolled back, oldest first.
    public var rejected: [RejectedChange]
}

/// A problem that a mirror has recorded.
public struct MirrorIncident: Hashable, Sendable {
    /// `connection`, `screen`, `collection`, `patch`, `damage`, `mirror` or another word.
    public var kind: String
    public var screen: ScreenID?
    /// For people.
    public var message: String
    /// Seconds since 1970.
    public var at: Double
}

/// A stored section whose bytes no longer match their sum.
public struct MirrorDamage: Hashable, Sendable, CustomStringConvertible {
    public var screen: ScreenID
    public var locale: String
    /// Empty for the screen's own list of sections.
    public var section: String
    public var detail: String

    public var description: String {
        screen.name.isEmpty
            ? detail : "\(screen) (\(locale)), \(section.isEmpty ? "list of sections" : section): \(detail)"
    }
}

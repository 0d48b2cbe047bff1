public import Foundation
public import MarqueeModel

/// What a mirror contains.
public struct MirrorStatus: Sendable {
    public struct View: Sendable {
        public var screen: ScreenID
        public var locale: String
        public var revision: Cut
        /// When it was last known to be current.
        public var asOf: Date
        public var sections: Int
        public var items: Int
        public var bytes: Int

        public init(
            screen: ScreenID, locale: String, revision: Cut, asOf: Date, sections: Int, items: Int, bytes: Int
        ) {
            self.screen = screen
            self.locale = locale
            self.revision = revision
            self.asOf = asOf
            self.sections = sections
            self.items = items
            self.bytes = bytes
        }
    }

    public struct PendingChange: Sendable {
        public enum State: String, Sendable { case pending, sent, answered }

        public var collection: CollectionName
        public var subject: Subject
        /// Whether it was put into the collection or taken out.
        public var on: Bool
        public var value: CollectionValue?
        public var state: State
        /// When the person made it.
        public var since: Date

        public init(
            collection: CollectionName, subject: Subject, on: Bool, value: CollectionValue? = nil, state: State,
            since: Date
        ) {
            self.collection = collection
            self.subject = subject
            self.on = on
            self.value = value
            self.state = state
            self.since = since
        }
    }

    public var cluster: String?
    public var user: String?
    public var views: [View]
    public var pending: [PendingChange]
    /// The last changes of collections that were rolled back, oldest first.
    public var rejected: [RejectedChange]
    /// What went wrong lately, oldest first.
    public var incidents: [MirrorIncident]

    public init(
        cluster: String? = nil, user: String? = nil, views: [View] = [], pending: [PendingChange] = [],
        rejected: [RejectedChange] = [], incidents: [MirrorIncident] = []
    ) {
        self.cluster = cluster
        self.user = user
        self.views = views
        self.pending = pending
        self.rejected = rejected
        self.incidents = incidents
    }

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
    /// When the person changed it.
    public var since: Date

    public init(
        collection: CollectionName, subject: Subject, on: Bool, value: CollectionValue? = nil, reason: String,
        since: Date
    ) {
        self.collection = collection
        self.subject = subject
        self.on = on
        self.value = value
        self.reason = reason
        self.since = since
    }
}

/// How sending changes of collections is going.
public struct OutboxStatus: Hashable, Sendable {
    /// Those that no confirmed content contains yet.
    public var pending: Int
    /// When the oldest unanswered one was set.
    public var since: Date?
    /// Why the server postponed the pending ones, if it did.
    public var lastError: ClientError?
    /// The last ones that were rolled back, oldest first.
    public var rejected: [RejectedChange]

    public init(pending: Int = 0, since: Date? = nil, lastError: ClientError? = nil, rejected: [RejectedChange] = []) {
        self.pending = pending
        self.since = since
        self.lastError = lastError
        self.rejected = rejected
    }
}

/// A problem that a mirror has recorded.
public struct MirrorIncident: Hashable, Sendable {
    /// `connection`, `screen`, `collection`, `patch`, `damage`, `mirror` or another word.
    public var kind: String
    public var screen: ScreenID?
    /// For people.
    public var message: String
    public var at: Date

    public init(kind: String, screen: ScreenID? = nil, message: String, at: Date) {
        self.kind = kind
        self.screen = screen
        self.message = message
        self.at = at
    }
}

/// A stored section whose bytes no longer match their sum.
public struct MirrorDamage: Hashable, Sendable, CustomStringConvertible {
    public var screen: ScreenID
    public var locale: String
    /// Empty for the screen's own list of sections.
    public var section: String
    public var detail: String

    public init(screen: ScreenID, locale: String, section: String, detail: String) {
        self.screen = screen
        self.locale = locale
        self.section = section
        self.detail = detail
    }

    public var description: String {
        screen.name.isEmpty
            ? detail : "\(screen) (\(locale)), \(section.isEmpty ? "list of sections" : section): \(detail)"
    }
}

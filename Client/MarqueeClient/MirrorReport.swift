public import Foundation
public import MarqueeModel

/// A summary of a mirror's contents: the stored screens, the changes of collections and the latest problems.
package struct MirrorStatus: Sendable {
    /// A stored screen.
    package struct View: Sendable {
        /// The screen's id.
        package var screen: ScreenID
        /// The language in which it was requested.
        package var locale: String
        /// The position of its content.
        package var revision: Cut
        /// When it was last known to be current.
        package var asOf: Date
        /// The number of sections.
        package var sections: Int
        /// The number of items in all sections.
        package var items: Int
        /// Bytes of the items and heads.
        package var bytes: Int

        /// Creates a view, for tests.
        package init(
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

    /// A change of a collection that isn't confirmed yet.
    package struct PendingChange: Sendable {
        /// The state of a change.
        package enum State: String, Sendable { case pending, sent, answered }

        /// The collection that it changes.
        package var collection: CollectionName
        /// The entity that it adds or removes.
        package var subject: Subject
        /// Whether the subject was added to the collection, rather than removed.
        package var isMember: Bool
        /// The member's value; `nil` for none.
        package var value: CollectionValue?
        /// The state of the change.
        package var state: State
        /// When the change was made.
        package var createdAt: Date

        /// Creates a change, for tests.
        package init(
            collection: CollectionName, subject: Subject, isMember: Bool, value: CollectionValue? = nil, state: State,
            createdAt: Date
        ) {
            self.collection = collection
            self.subject = subject
            self.isMember = isMember
            self.value = value
            self.state = state
            self.createdAt = createdAt
        }
    }

    /// The cluster that the mirror belongs to; `nil` before the first connection.
    package var cluster: String?
    /// The user that it belongs to.
    package var user: String?
    /// The stored screens.
    package var views: [View]
    /// Changes not yet confirmed, oldest first.
    package var pending: [PendingChange]
    /// The last changes of collections that were rolled back, oldest first.
    package var rejected: [RejectedChange]
    /// The latest problems, oldest first.
    package var incidents: [MirrorIncident]

    /// Creates a status, for tests.
    package init(
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
    package var lastError: MirrorIncident? { incidents.last }
}

/// A change of a collection that was refused, or rolled back because its outcome is unknown.
public struct RejectedChange: Hashable, Sendable {
    /// The collection of the change.
    public var collection: CollectionName
    /// The entity that it would have added or removed.
    public var subject: Subject
    /// Whether the subject was to be added to the collection, rather than removed.
    public var isMember: Bool
    /// The member's value; `nil` for none.
    public var value: CollectionValue?
    /// The reason, with the code for how to react.
    public var error: ClientError
    /// When the change was made.
    public var createdAt: Date

    /// Creates a change, for tests and previews.
    package init(
        collection: CollectionName, subject: Subject, isMember: Bool, value: CollectionValue? = nil, error: ClientError,
        createdAt: Date
    ) {
        self.collection = collection
        self.subject = subject
        self.isMember = isMember
        self.value = value
        self.error = error
        self.createdAt = createdAt
    }
}

/// The status of sending changes of collections.
public struct OutboxStatus: Hashable, Sendable {
    /// The number of changes that no confirmed content contains yet.
    public var pending: Int
    /// When the oldest unanswered change was made.
    public var pendingSince: Date?
    /// The reason why the server postponed pending changes, if it did.
    public var lastError: ClientError?
    /// The last changes that were rolled back, oldest first.
    public var rejected: [RejectedChange]

    /// Creates a status, for tests and previews.
    package init(
        pending: Int = 0, pendingSince: Date? = nil, lastError: ClientError? = nil, rejected: [RejectedChange] = []
    ) {
        self.pending = pending
        self.pendingSince = pendingSince
        self.lastError = lastError
        self.rejected = rejected
    }
}

/// A problem recorded in a mirror.
package struct MirrorIncident: Hashable, Sendable {
    /// `connection`, `screen`, `collection`, `patch`, `damage`, `mirror` or another word.
    package var kind: String
    /// The screen concerned; `nil` for the whole mirror.
    package var screen: ScreenID?
    /// A message for people.
    package var message: String
    /// When it happened.
    package var at: Date

    /// Creates an incident, for tests.
    package init(kind: String, screen: ScreenID? = nil, message: String, at: Date) {
        self.kind = kind
        self.screen = screen
        self.message = message
        self.at = at
    }
}

/// A stored section whose bytes no longer match their sum.
public struct MirrorDamage: Hashable, Sendable, CustomStringConvertible {
    /// The damaged screen.
    package var screen: ScreenID
    /// The language in which it was requested.
    package var locale: String
    /// The section's id; empty for the screen's own list of sections.
    package var section: String
    /// A description of the damage, for a log.
    package var detail: String

    /// Creates a description of damage, for tests.
    package init(screen: ScreenID, locale: String, section: String, detail: String) {
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

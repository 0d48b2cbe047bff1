public import Foundation
public import MarqueeModel

/// A collection of the user at one moment.
public struct CollectionState: Hashable, Sendable {
    /// The collection's name.
    package var name: CollectionName
    /// The members as shown, newest first, including unconfirmed ones. A new value makes a member the newest.
    public var members: [CollectionMember]
    /// Members removed here whose removal the server hasn't confirmed, the latest first. They aren't among `members`.
    public var pendingRemovals: [Subject]
    /// The last changes that were rolled back, oldest first, until `MarqueeClient.clearRejectedChanges`.
    public var rejected: [RejectedChange]
    /// Whether the confirmed members are known; `false` until the first connection.
    public var isLoaded: Bool
    /// Whether the state is current, apart from pending changes.
    public var isLive: Bool
    /// When the state was last known to be current; `nil` if never.
    public var asOf: Date?

    /// Creates a state, for tests and previews.
    package init(
        name: CollectionName, members: [CollectionMember] = [], pendingRemovals: [Subject] = [],
        rejected: [RejectedChange] = [], isLoaded: Bool = true, isLive: Bool = true, asOf: Date? = nil
    ) {
        self.name = name
        self.members = members
        self.pendingRemovals = pendingRemovals
        self.rejected = rejected
        self.isLoaded = isLoaded
        self.isLive = isLive
        self.asOf = asOf
    }

    /// A member as shown; `nil` if the subject isn't one.
    public subscript(subject: Subject) -> CollectionMember? { members.first { $0.subject == subject } }
}

public import Foundation
public import MarqueeModel

/// A collection of the user at one moment.
public struct CollectionState: Hashable, Sendable {
    /// Which collection it is.
    package var name: CollectionName
    /// As they are shown, newest first, with those not yet confirmed. A member is as new as its value.
    public var members: [CollectionMember]
    /// Members that the person has taken out and the server hasn't confirmed, the last first. They aren't among
    /// `members`.
    public var leaving: [Subject]
    /// The last changes that were rolled back, oldest first, until `MarqueeClient.forgetRejectedChanges`.
    public var rejected: [RejectedChange]
    /// Whether what the server has confirmed is known at all: not before the first connection.
    public var isKnown: Bool
    /// Whether it is current, apart from what is pending.
    public var isLive: Bool
    /// When it was last known to be current; `nil` for never.
    public var asOf: Date?

    /// A state made by hand, for tests and previews.
    package init(
        name: CollectionName, members: [CollectionMember] = [], leaving: [Subject] = [],
        rejected: [RejectedChange] = [], isKnown: Bool = true, isLive: Bool = true, asOf: Date? = nil
    ) {
        self.name = name
        self.members = members
        self.leaving = leaving
        self.rejected = rejected
        self.isKnown = isKnown
        self.isLive = isLive
        self.asOf = asOf
    }

    /// A member as it is shown; `nil` if the subject isn't one.
    public subscript(subject: Subject) -> CollectionMember? { members.first { $0.subject == subject } }
}

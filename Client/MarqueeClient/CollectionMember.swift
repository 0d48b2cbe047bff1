public import MarqueeModel

/// A member of a collection as shown.
public struct CollectionMember: Hashable, Sendable {
    /// The entity that is in the collection.
    public let subject: Subject
    /// The member's value; `nil` if the collection keeps no values.
    public let value: CollectionValue?
    /// Whether its membership or value is not yet confirmed by the server.
    public let isPending: Bool
    /// Why its last change was rolled back, until it is changed again or `MarqueeClient.clearRejectedChanges` is
    /// called.
    public let error: ClientError?

    /// Creates a member, for tests and previews.
    package init(subject: Subject, value: CollectionValue? = nil, isPending: Bool = false, error: ClientError? = nil) {
        self.subject = subject
        self.value = value
        self.isPending = isPending
        self.error = error
    }
}

public import MarqueeModel

/// A member of a collection, as it is shown.
public struct CollectionMember: Hashable, Sendable {
    public let subject: Subject
    /// What is kept with it; `nil` where the collection keeps no values.
    public let value: CollectionValue?
    /// Whether the server has not confirmed yet that it is a member, or its value.
    public let isPending: Bool
    /// Why its last change was rolled back, until it is changed anew, or `MarqueeClient.forgetRejectedChanges` was
    /// called.
    public let error: String?
}

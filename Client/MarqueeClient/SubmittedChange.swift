package import MarqueeModel

/// A change of a collection, stored in the mirror; the server receives it as soon as there is a connection. See
/// `MarqueeClient.result(of:within:)`.
public struct SubmittedChange: Hashable, Sendable {
    /// The collection that it changes.
    package let collection: CollectionName
    /// The entity that it adds or removes.
    package let subject: Subject
    /// The mutation's original number.
    let number: UInt64
}

/// The outcome of a change of a collection.
public enum ChangeResult: Hashable, Sendable {
    /// The server has stored it.
    case confirmed
    /// The server refuses it, or its outcome is unknown: it was rolled back. `ClientError.message` says why.
    case rejected(ClientError)
    /// A later change of the same member replaced it before it was sent.
    case replaced
}

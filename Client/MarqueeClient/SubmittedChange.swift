package import MarqueeModel

/// A change of a collection that is stored in the mirror; the server hears of it as soon as there is a connection. See
/// `MarqueeClient.result(of:within:)`.
public struct SubmittedChange: Hashable, Sendable {
    /// The collection that it changes.
    package let collection: CollectionName
    /// The entity that it adds or removes.
    package let subject: Subject
    /// Of the mutation, when it was made.
    let number: UInt64
}

/// The outcome of a change of a collection.
public enum ChangeResult: Hashable, Sendable {
    /// The server has it for good.
    case confirmed
    /// The server refuses it, or there is no telling whether it took effect: it was rolled back. `ClientError.message`
    /// says why.
    case rejected(ClientError)
    /// A later change of the same member took its place before it was sent.
    case replaced
}

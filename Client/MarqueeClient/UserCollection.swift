import MarqueeMirror
public import MarqueeModel

/// A collection of the user: favorites, or another that the server declares.
///
/// ```swift
/// let progress = client.collection("progress")
/// try await progress.set("episode/ep-1", value: 120)
/// for try await state in progress.states {
///     show(state.members, rejected: state.rejected)
/// }
/// ```
///
/// All methods may be called from any thread, with or without a connection.
public struct UserCollection: Sendable {
    let client: MarqueeClient
    /// The collection's name.
    package let name: CollectionName

    /// Makes a subject a member, or gives a member another value; see `MarqueeClient.set(_:in:value:)`.
    @discardableResult
    public func set(_ subject: Subject, value: CollectionValue? = nil) async throws(ClientError) -> SubmittedChange {
        try await client.set(subject, in: name, value: value)
    }

    /// Removes a subject.
    @discardableResult
    public func remove(_ subject: Subject) async throws(ClientError) -> SubmittedChange {
        try await client.remove(subject, from: name)
    }

    /// A member as shown, with its value; `nil` if the subject isn't one.
    /// - Throws: `notSignedIn`; why the mirror can't be opened.
    package func member(_ subject: Subject) async throws(ClientError) -> CollectionMember? {
        try await state()[subject]
    }

    /// The collection as it is now.
    /// - Throws: `notSignedIn`; why the mirror can't be opened.
    public func state() async throws(ClientError) -> CollectionState {
        guard client.configuration.user != nil else { throw MarqueeClient.notSignedIn }
        return try await client.onLoop(throwing: { [name] engine throws(ClientError) in
            guard !engine.isStopped else { throw ClientError.closed }
            do throws(MirrorError) { return try engine.state(of: name) } catch { throw ClientError(mirror: error) }
        })
    }

    /// The current state of the collection, and each newer one: members, pending and rejected changes with the reason.
    /// A slow reader skips states. The loop throws `notSignedIn` without a user, and the reason if the mirror can't be
    /// opened.
    public var states: ClientSequence<CollectionState, ClientError> {
        ClientSequence(of: client) { [name] in
            $0.observe(name, $1)
        } unobserve: { [name] in
            $0.unobserve(name, $1)
        }
    }
}

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

    /// Makes a subject a member without a value, under the same terms as `set(_:value:)`.
    @discardableResult
    public func add(_ subject: Subject) async throws(ClientError) -> SubmittedChange {
        try await client.set(subject, in: name, value: nil)
    }

    /// Makes a subject a member with a value, or gives a member another value.
    ///
    /// When this returns, the change is stored in the mirror and shown on every screen; the server receives it as soon
    /// as there is a connection. A change that it refuses is rolled back; see `ClientEvent.changeRejected`.
    /// - Parameter value: of the type that the collection declares.
    /// - Throws: `notSignedIn`; `limit` if the subject, the collection or the value is too long; or why the mirror
    ///   can't store it.
    /// - Returns: the change, for `result(of:within:)`.
    @discardableResult
    public func set(_ subject: Subject, value: CollectionValue) async throws(ClientError) -> SubmittedChange {
        try await client.set(subject, in: name, value: value)
    }

    /// Removes a subject, under the same terms as `set(_:value:)`.
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

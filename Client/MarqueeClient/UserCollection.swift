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
/// All of it may be called from any thread, with or without a connection.
public struct UserCollection: Sendable {
    let client: MarqueeClient
    /// Which collection it is.
    public let name: CollectionName

    /// Makes something a member, or gives a member another value; see `MarqueeClient.set(_:in:value:)`.
    @discardableResult
    public func set(_ subject: Subject, value: CollectionValue? = nil) async throws(ClientError) -> SubmittedChange {
        try await client.set(subject, in: name, value: value)
    }

    /// Takes something out.
    @discardableResult
    public func remove(_ subject: Subject) async throws(ClientError) -> SubmittedChange {
        try await client.remove(subject, from: name)
    }

    /// A member as it is shown, with its value; `nil` if the subject isn't one.
    /// - Throws: `notSignedIn`; why the mirror can't be opened.
    public func member(_ subject: Subject) async throws(ClientError) -> CollectionMember? {
        try await state()[subject]
    }

    /// The collection as it is now.
    /// - Throws: `notSignedIn`; why the mirror can't be opened.
    public func state() async throws(ClientError) -> CollectionState {
        guard client.configuration.user != nil else { throw MarqueeClient.notSignedIn }
        return try await client.onLoop(throwing: { [name] engine throws(ClientError) in
            guard !engine.isStopped else { throw ClientError.closed }
            return engine.state(of: name)
        })
    }

    /// The collection as it is, and each newer state: members, what is pending, what was rejected and why. A slow
    /// reader skips states. The loop throws `notSignedIn` without a user, and why the mirror can't be opened.
    public var states: CollectionStates { CollectionStates(client: client, name: name) }
}

/// The states of one collection, newest only.
public struct CollectionStates: AsyncSequence, Sendable {
    public typealias Element = CollectionState

    let client: MarqueeClient
    let name: CollectionName

    public func makeAsyncIterator() -> Iterator {
        let mailbox = Mailbox<CollectionState>()
        client.enqueue { [name] in
            $0.observe(name, mailbox)
        } otherwise: {
            mailbox.finish($0)
        }
        return Iterator(registration: Registration(client: client, name: name, mailbox: mailbox))
    }

    /// Ends with the last copy of the iterator.
    final class Registration: Sendable {
        let client: MarqueeClient
        let name: CollectionName
        let mailbox: Mailbox<CollectionState>

        init(client: MarqueeClient, name: CollectionName, mailbox: Mailbox<CollectionState>) {
            self.client = client
            self.name = name
            self.mailbox = mailbox
        }

        deinit { client.enqueue { [name, mailbox] in $0.unobserve(name, mailbox) } }
    }

    /// Delivers one state after the other, skipping those that are no longer the newest.
    public struct Iterator: AsyncIteratorProtocol {
        let registration: Registration

        /// - Returns: `nil` when the client was closed or the task cancelled.
        public mutating func next() async throws(ClientError) -> CollectionState? {
            try await registration.mailbox.next()
        }
    }
}

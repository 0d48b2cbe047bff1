import MarqueeMirror
public import MarqueeModel

/// Collections: sets that belong to the user, such as favorites.
///
/// ```swift
/// try await client.set("episode/ep-1", in: "progress", value: 120)
/// for member in try await client.members(of: "progress") { print(member.subject, member.value?.json ?? "") }
/// ```
extension MarqueeClient {
    // MARK: - Any collection

    /// Makes a subject a member of a collection, or gives a member another value. When this returns, the change is
    /// stored in the mirror and shown on every screen; the server receives it as soon as there is a connection, even
    /// after a restart.
    ///
    /// The server decides whether the collection exists and accepts the subject and the value; a refused change is
    /// rolled back; see `ClientEvent.changeRejected`.
    /// - Parameters:
    ///   - subject: the new member.
    ///   - collection: the collection.
    ///   - value: of the type that the collection declares; `nil` if it declares none.
    /// - Throws: `notSignedIn`; `limit` if the subject, the collection or the value is too long; or why the mirror
    ///   can't store it.
    /// - Returns: the change, for `result(of:within:)`.
    @discardableResult
    package func set(
        _ subject: Subject, in collection: CollectionName, value: CollectionValue? = nil
    ) async throws(ClientError) -> SubmittedChange {
        let number = try await change { engine throws(ClientError) in
            try engine.setMember(subject, of: collection, true, value: value)
        }
        return SubmittedChange(collection: collection, subject: subject, number: number)
    }

    /// Removes a subject from a collection, under the same terms as `set`.
    @discardableResult
    package func remove(
        _ subject: Subject, from collection: CollectionName
    ) async throws(ClientError) -> SubmittedChange {
        let number = try await change { engine throws(ClientError) in
            try engine.setMember(subject, of: collection, false)
        }
        return SubmittedChange(collection: collection, subject: subject, number: number)
    }

    /// A single collection: its members and the outcome of changes, as a sequence.
    public func collection(_ name: CollectionName) -> UserCollection { UserCollection(client: self, name: name) }

    /// The members of a collection as shown, newest first, including unconfirmed ones. A new value makes a member the
    /// newest.
    /// - Throws: why the mirror can't be opened.
    public func members(of collection: CollectionName) async throws(ClientError) -> [CollectionMember] {
        try await onLoop(throwing: { engine throws(ClientError) in engine.members(of: collection) })
    }

    // MARK: - Favorites

    /// Sets or unsets a favorite. Favorites are a collection that every server has; stars show its members.
    @discardableResult
    public func setFavorite(
        _ isFavorite: Bool, for subject: Subject
    ) async throws(ClientError) -> SubmittedChange {
        isFavorite ? try await set(subject, in: .favorites) : try await remove(subject, from: .favorites)
    }

    /// Sets a favorite that isn't one, or unsets one that is, in one step: however often it is called, no call acts on
    /// a mark that another call has just changed.
    /// - Returns: whether the subject is a favorite now.
    @discardableResult
    public func toggleFavorite(_ subject: Subject) async throws(ClientError) -> Bool {
        try await change { engine throws(ClientError) in try engine.toggleFavorite(subject) }
    }

    /// The favorites as shown, newest first, including unconfirmed ones.
    /// - Throws: why the mirror can't be opened.
    package func favorites() async throws(ClientError) -> [(subject: Subject, mark: FavoriteMark)] {
        try await onLoop(throwing: { engine throws(ClientError) in engine.favoriteList() })
    }

    // MARK: - What is waiting

    /// Waits until the server has confirmed or rejected a change, and returns the outcome.
    /// - Parameters:
    ///   - change: the return value of `set` or `remove`.
    ///   - timeout: how long to wait. The change stays stored and is sent later.
    /// - Throws: `timeout`; the reason if the server refuses this client for good; `cancelled`, `closed`, and `busy`
    ///   when 256 calls are already waiting.
    public func result(
        of change: SubmittedChange, within timeout: Duration
    ) async throws(ClientError) -> ChangeResult {
        try await settled(.one(change), within: timeout)
    }

    /// Waits until no change of a collection is unconfirmed: all are confirmed, or were rejected.
    /// - Parameter timeout: how long to wait. The changes stay stored and are sent later.
    /// - Throws: the same errors as `result(of:within:)`, apart from `timeout`.
    /// - Returns: `false` if some are still unconfirmed.
    public func waitForConfirmation(within timeout: Duration) async throws(ClientError) -> Bool {
        do throws(ClientError) {
            _ = try await settled(.all, within: timeout)
            return true
        } catch  where error.code == .timeout {
            return false
        }
    }

    private func settled(
        _ goal: ClientEngine.ChangeGoal, within timeout: Duration
    ) async throws(ClientError) -> ChangeResult {
        let ticket = CallTicket()
        let result: Result<ChangeResult, ClientError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                enqueue { engine in
                    guard !ticket.isCancelled else { return continuation.resume(returning: .failure(.cancelled)) }
                    ticket.id = engine.whenSettled(goal, within: timeout) { continuation.resume(returning: $0) }
                } otherwise: {
                    continuation.resume(returning: .failure($0))
                }
            }
        } onCancel: {
            ticket.cancel()
            enqueue { engine in if let id = ticket.id { engine.stopWaiting(id, .cancelled) } }
        }
        return try result.get()
    }

    /// The status of sending changes: how many are waiting, since when and why, and which were rolled back.
    package func outboxStatus() async throws(ClientError) -> OutboxStatus {
        try await onLoop(throwing: { engine throws(ClientError) in
            do throws(MirrorError) { return try engine.outboxStatus() } catch { throw ClientError(mirror: error) }
        })
    }

    /// The same as a sequence: the current status, and each new one. For a badge with the number of unsent changes.
    public var outbox: ClientSequence<OutboxStatus, ClientError> {
        ClientSequence(of: self) {
            $0.observeOutbox($1)
        } unobserve: {
            $0.unobserveOutbox($1)
        }
    }

    /// Forgets the changes that were rolled back. Call this once the person has seen them.
    public func clearRejectedChanges() async throws(ClientError) {
        try await onLoop(throwing: { engine throws(ClientError) in try engine.forgetRejections() })
    }

    private func change<Value: Sendable>(
        _ work: @escaping @Sendable (ClientEngine) throws(ClientError) -> Value
    ) async throws(ClientError) -> Value {
        guard configuration.user != nil else { throw Self.notSignedIn }
        return try await onLoop(throwing: work)
    }
}

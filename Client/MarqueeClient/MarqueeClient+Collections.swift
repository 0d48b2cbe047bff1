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

    /// Makes something a member of a collection, or gives a member another value. When this returns it is stored in the
    /// mirror and shown on every screen; the server hears of it as soon as there is a connection, even after a restart.
    ///
    /// The server decides whether there is such a collection and whether it takes the subject and the value; what it
    /// refuses is rolled back; see `ClientEvent.changeRejected`.
    /// - Parameters:
    ///   - subject: what becomes a member.
    ///   - collection: of which.
    ///   - value: of the type that the collection declares; `nil` if it declares none.
    /// - Throws: `notSignedIn`; `limit` if the subject, the collection or the value is too long; or why the mirror
    ///   can't store it.
    /// - Returns: for `result(of:within:)`.
    @discardableResult
    package func set(
        _ subject: Subject, in collection: CollectionName, value: CollectionValue? = nil
    ) async throws(ClientError) -> SubmittedChange {
        let number = try await change { engine throws(ClientError) in
            try engine.setMember(subject, of: collection, true, value: value)
        }
        return SubmittedChange(collection: collection, subject: subject, number: number)
    }

    /// Takes something out of a collection, under the same terms as `set` puts it in.
    @discardableResult
    package func remove(
        _ subject: Subject, from collection: CollectionName
    ) async throws(ClientError) -> SubmittedChange {
        let number = try await change { engine throws(ClientError) in
            try engine.setMember(subject, of: collection, false)
        }
        return SubmittedChange(collection: collection, subject: subject, number: number)
    }

    /// A collection on its own: its members and what became of changes, as a sequence.
    public func collection(_ name: CollectionName) -> UserCollection { UserCollection(client: self, name: name) }

    /// The members of a collection as they are shown, newest first, with those not yet confirmed. A member is as new as
    /// its value.
    /// - Throws: why the mirror can't be opened.
    public func members(of collection: CollectionName) async throws(ClientError) -> [CollectionMember] {
        try await onLoop(throwing: { engine throws(ClientError) in engine.members(of: collection) })
    }

    // MARK: - Favorites

    /// Sets or unsets a favorite, a member of the collection that every server has and that stars show.
    @discardableResult
    public func setFavorite(
        _ isFavorite: Bool, for subject: Subject
    ) async throws(ClientError) -> SubmittedChange {
        isFavorite ? try await set(subject, in: .favorites) : try await remove(subject, from: .favorites)
    }

    /// Sets a favorite that isn't one, or unsets one that is, as one step: however quickly it is called, no call acts
    /// on a mark that another call has just changed.
    /// - Returns: whether it is a favorite now.
    @discardableResult
    public func toggleFavorite(_ subject: Subject) async throws(ClientError) -> Bool {
        try await change { engine throws(ClientError) in try engine.toggleFavorite(subject) }
    }

    /// The favorites as they are shown, newest first, with those not yet confirmed.
    /// - Throws: why the mirror can't be opened.
    package func favorites() async throws(ClientError) -> [(subject: Subject, mark: FavoriteMark)] {
        try await onLoop(throwing: { engine throws(ClientError) in engine.favoriteList() })
    }

    // MARK: - What is waiting

    /// Waits until the server has confirmed or rejected a change, and says which.
    /// - Parameters:
    ///   - change: as `set` or `remove` returned it.
    ///   - timeout: how long to wait. The change stays stored and is sent later.
    /// - Throws: `timeout`; why the server refuses this client for good; `cancelled`, `closed`, and `busy` when 256
    ///   calls are already waiting.
    public func result(
        of change: SubmittedChange, within timeout: Duration
    ) async throws(ClientError) -> ChangeResult {
        try await settled(.one(change), within: timeout)
    }

    /// Waits until no change of a collection waits for its confirmation any more: all are confirmed, or were rejected.
    /// - Parameter timeout: how long to wait. The changes stay stored and are sent later.
    /// - Throws: as `result(of:within:)` does, apart from `timeout`.
    /// - Returns: `false` when that did not happen in time.
    public func changesConfirmed(within timeout: Duration) async throws(ClientError) -> Bool {
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

    /// How sending changes is going: what is waiting, since when and why, and what was rolled back.
    package func outboxStatus() async throws(ClientError) -> OutboxStatus {
        try await onLoop(throwing: { engine throws(ClientError) in
            do throws(MirrorError) { return try engine.outboxStatus() } catch { throw ClientError(mirror: error) }
        })
    }

    /// The same as a sequence: how sending is going now, and each time that something has come of it. For a badge that
    /// says how many changes are still to be sent.
    public var outbox: ClientSequence<OutboxStatus, ClientError> {
        ClientSequence(of: self) {
            $0.observeOutbox($1)
        } unobserve: {
            $0.unobserveOutbox($1)
        }
    }

    /// The person has seen which changes were rolled back.
    public func forgetRejectedChanges() async throws(ClientError) {
        try await onLoop(throwing: { engine throws(ClientError) in try engine.forgetRejections() })
    }

    private func change<Value: Sendable>(
        _ work: @escaping @Sendable (ClientEngine) throws(ClientError) -> Value
    ) async throws(ClientError) -> Value {
        guard configuration.user != nil else { throw Self.notSignedIn }
        return try await onLoop(throwing: work)
    }
}

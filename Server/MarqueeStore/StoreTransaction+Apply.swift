import MarqueeCatalogue
import MarqueeModel

/// The rules for writes, the same for every engine.
extension StoreTransaction {
    /// Applies one write. A write that is refused leaves no trace.
    /// - Parameter newClients: the shares of new clients that change collections; `nil` if they aren't counted.
    /// - Throws: only errors of the engine; the whole batch must be rolled back then.
    mutating func apply(
        _ write: StoreWrite, limits: StoreLimits, newClients: NewClients? = nil
    ) throws -> StoreOutcome {
        do {
            return try dispatch(write, limits: limits, newClients)
        } catch let damage as StoreDamage {
            // A write reads everything it builds on before it writes anything, so there is nothing to undo.
            return .failed(StoreError(.corrupt, "the store is damaged: \(damage)"))
        }
    }

    private mutating func dispatch(
        _ write: StoreWrite, limits: StoreLimits, _ newClients: NewClients?
    ) throws -> StoreOutcome {
        switch write {
        case .catalogue(let key, let changes, let mutation):
            return try once(mutation, in: .catalogue, of: write) { transaction in
                try transaction.commit(key: key, changes: changes, limits: limits)
            }
        case .draft(let edit, let mutation):
            return try once(mutation, in: .catalogue, of: write) { transaction in
                try transaction.edit(edit, limits: limits)
            }
        case .member(let user, let change, let mutation):
            return try once(mutation, in: .users, of: write) { transaction in
                guard try transaction.admits(mutation, of: user, newClients) else { return .tooManyClients }
                return try transaction.apply(change, of: user, limits: limits)
            }
        case .observed(let batch, let mutation):
            return try once(mutation, in: .users, of: write) { transaction in
                guard try transaction.admits(mutation, of: batch.user, newClients) else { return .tooManyClients }
                return try transaction.keep(batch, limits: limits)
            }
        }
    }

    /// Whether the client of a mutation is known, or its user and its address may add another client.
    private mutating func admits(
        _ mutation: MutationID, of user: String?, _ newClients: NewClients?
    ) throws -> Bool {
        guard let newClients, try lastMutation(of: mutation.client, in: .users) == nil else { return true }
        return newClients.take(user, mutation.origin, now: now)
    }

    /// Runs `body` unless the mutation was applied before (G7).
    private mutating func once(
        _ mutation: MutationID?, in log: StoreLog, of write: StoreWrite,
        body: (inout Self) throws -> StoreOutcome
    ) throws -> StoreOutcome {
        guard let mutation else { return try body(&self) }
        if let reason = refusal(of: mutation) { return .refused(reason) }
        let fingerprint = try Fingerprint.of(write)
        if let earlier = try judge(mutation, fingerprint, in: log) { return earlier }
        if try lastMutation(of: mutation.client, in: log) == nil, try !hasRoomForClient(in: log) {
            return .tooManyClients
        }
        let outcome = try body(&self)
        if case .done(let revision, let changed) = outcome {
            let answer = KeptAnswer(fingerprint: fingerprint, revision: revision, changed: changed)
            try keep(answer, to: mutation, in: log)
        }
        return outcome
    }

    private func refusal(of mutation: MutationID) -> String? {
        if !mutation.hasClient {
            return "a client id has \(MutationID.clientLength) bytes, not \(mutation.client.count)"
        }
        guard (1...CatalogueBounds.largestNumber).contains(mutation.number) else {
            return "the number of a mutation is between 1 and \(CatalogueBounds.largestNumber), not \(mutation.number)"
        }
        return nil
    }

    /// - Returns: `nil` for a mutation that is new.
    private mutating func judge(_ mutation: MutationID, _ fingerprint: UInt64, in log: StoreLog) throws -> StoreOutcome?
    {
        for log in StoreLog.allCases {
            if let kept = try answer(to: mutation.number, of: mutation.client, in: log) {
                guard kept.fingerprint == fingerprint else { return .cloned }
                return .repeated(revision: kept.revision, changed: kept.changed)
            }
        }
        // Numbers rise within one log only: a favorite may overtake a publication that is sent in parts.
        return mutation.number <= (try lastMutation(of: mutation.client, in: log) ?? 0) ? .forgotten : nil
    }

    mutating func commit(key: String?, changes: [Change], limits: StoreLimits) throws -> StoreOutcome {
        if let key,
            let refusal = CatalogueBounds.refusal(of: key, "a commit key", limit: CatalogueBounds.commitKey)
        {
            return .refused(refusal)
        }
        // A source's move isn't one of the publisher's documents, so it isn't counted.
        let moves = if case .source? = changes.first { 1 } else { 0 }
        if changes.count - moves > CatalogueBounds.changesPerCommit {
            return .refused(
                "a commit has at most \(CatalogueBounds.changesPerCommit) changes; this one has \(changes.count - moves)"
            )
        }
        let head = try catalogueRevision()
        let fingerprint = try key.map { _ in try Fingerprint.of(changes) }
        if let key, let fingerprint, let kept = try kept(key) {
            return kept.isKept(for: fingerprint) ? .done(revision: head, changed: false) : .keyReused
        }

        var plan = CommitPlan(of: changes, library: typeLibrary)
        for (index, change) in changes.enumerated() {
            let place = index - moves
            do {
                try plan.add(change, stored: record, hasRecords: hasRecords, hasMembers: hasMembers, lists: self)
            } catch let refusal as CommitPlan.Refusal {
                return .refused(place < 0 ? refusal.reason : "\(RefusedChange(place, refusal.reason))")
            } catch let elsewhere as CommitPlan.SourceElsewhere {
                return .elsewhere(
                    source: elsewhere.source, stored: elsewhere.stored, expected: elsewhere.expected)
            }
        }
        if let editions = limits.listEditions {
            try plan.dropEditions(beyond: editions, of: plan.listsWithEditions, lists: self, stored: record)
        }
        let made = plan.changes
        let revision = made.isEmpty ? head : head + 1
        if let key, let fingerprint { try keep(KeptKey(revision: revision, fingerprint: fingerprint), of: key) }
        guard !made.isEmpty else { return .done(revision: head, changed: false) }
        let commit = CatalogueCommit(revision: revision, key: key, changes: made)
        for (name, list) in plan.planned.records { plan.records.put(list, under: name) }
        try append(
            PlannedCommit(
                commit: commit, json: ChangeCoding.encode(made), records: plan.records.sorted, types: plan.types,
                listEdits: plan.planned.edits))
        return .done(revision: revision, changed: true)
    }

    private mutating func apply(
        _ change: MemberChange, of user: String, limits: StoreLimits
    ) throws -> StoreOutcome {
        for (what, name, limit) in [
            ("a user's name", user, CatalogueBounds.userName),
            ("a subject", change.subject, Subject.maximumLength),
            ("a collection", change.collection.name, CollectionName.maximumLength),
        ] {
            if let refusal = CatalogueBounds.refusal(of: name, what, limit: limit) { return .refused(refusal) }
        }
        let head = try userRevision(user)
        let known = try member(change.name, of: user)
        switch change.effect {
        case .remove:
            guard known != nil else { return .done(revision: head, changed: false) }
        case .set(let value):
            guard value.count <= StoreLimits.valueBytes else {
                return .refused("a member's value has at most \(StoreLimits.valueBytes) bytes, not \(value.count)")
            }
            guard known?.value != value else { return .done(revision: head, changed: false) }
            if known == nil, let reason = try fullness(change.collection, of: user, limits) { return .refused(reason) }
        }
        let revision = head + 1
        try keep(MemberMove(change, revision: revision), of: user)
        return .done(revision: revision, changed: true)
    }

    /// Why a collection takes no more members; `nil` if it does.
    private mutating func fullness(
        _ collection: CollectionName, of user: String, _ limits: StoreLimits
    ) throws -> String? {
        let count = try memberCount(of: user, in: collection)
        if count >= limits.membersPerCollection {
            return collection == .favorites
                ? "a user has at most \(limits.membersPerCollection) favorites"
                : "a user has at most \(limits.membersPerCollection) members in '\(collection)'"
        }
        // Members of collections that are no longer declared stay, and count.
        guard count == 0, try collectionCount(of: user) >= limits.collectionsPerUser else { return nil }
        return "a user has members in at most \(limits.collectionsPerUser) collections"
    }
}

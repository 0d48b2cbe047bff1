import MarqueeCatalogue
import MarqueeModel
import MarqueeTypes

// The catalogue, as the rules for commits see it.

extension PostgresCatalogueTransaction: StoreTransaction {
    func record(_ name: RecordName) throws -> CatalogueRecord? {
        if name == .types {
            // Versions are drawn at random, so that the version of a rolled-back transaction never recurs.
            return try typeLibrary.record(TableTotal(rows: 1, sum: head.typesVersion)) { try read(name) }
        }
        if let record = known.records[name] { return record }
        let record = try read(name)
        known.records.updateValue(record, forKey: name)
        return record
    }

    private func read(_ name: RecordName) throws -> CatalogueRecord? {
        let (statements, record) = PostgresRecords.reading(name)
        let rows = try run(statements)
        do {
            return try record(rows)
        } catch is MalformedRow {
            throw StoreDamage("\(name)")
        } catch let error as RecordError {
            throw StoreDamage("\(name): \(error)")
        }
    }

    func hasRecords(ofType alias: String) throws -> Bool {
        try run("SELECT 1 FROM record WHERE type = $1 LIMIT 1", [.text(alias)]).count > 0
    }

    func entryCount(of list: ListName) throws -> Int? {
        if let count = known.counts[list] { return count }
        let count = try PostgresPrefetch.count(
            in: try run(PostgresPrefetch.counting, [.texts([list.list]), .texts([list.edition ?? ""])]))[list]
        known.counts.updateValue(count, forKey: list)
        return count
    }

    func entryKey(of list: ListName, at rank: Int) throws -> String? {
        try run(
            "SELECT key FROM list_entry WHERE list = $1 AND edition = $2 ORDER BY number LIMIT 1 OFFSET $3",
            PostgresRecords.key(list) + [.integer(Int64(max(0, rank - 1)))]
        ).first?.text(0)
    }

    func editions(of list: String) throws -> [String?] {
        try run("SELECT edition FROM list WHERE name = $1", [.text(list)]).map { row in
            let edition = try row.text(0)
            return edition.isEmpty ? nil : edition
        }
    }

    func hasList(declaredAs name: String) throws -> Bool {
        // '0' follows '/'.
        try run(
            "SELECT 1 FROM list WHERE name = $1 OR (name >= $2 AND name < $3) LIMIT 1",
            [.text(name), .text(name + "/"), .text(name + "0")]
        ).count > 0
    }

    func catalogueRevision() -> UInt64 { head.point.revision }

    func kept(_ key: String) throws -> KeptKey? {
        if let kept = known.keys[key] { return kept }
        return try PostgresPrefetch.key(in: try run(PostgresPrefetch.keyQuery, [.text(key)]))
    }

    func keep(_ kept: KeptKey, of key: String) throws {
        enqueue([
            PostgresStatement(
                "INSERT INTO commit_key (key, revision) VALUES ($1, $2)",
                [.text(key), .integer(kept.number)])
        ])
        known.keys.updateValue(kept, forKey: key)
        head.keys += 1
        guard head.keys > limits.commitKeys else { return }
        head.keys -= try run(
            "DELETE FROM commit_key WHERE key IN (SELECT key FROM commit_key ORDER BY revision, key LIMIT $1)",
            [.integer(Int64(limits.commitKeysDropped))]
        ).changed
        known.keys = [:]
    }

    func append(_ planned: PlannedCommit) throws {
        enqueue(try PostgresRecords.writing(planned.records) + PostgresLists.writing(planned.records))
        if !planned.listEdits.isEmpty {
            guard let places = try run([PostgresLists.places(of: planned.listEdits)]).first else {
                throw MalformedRow()
            }
            enqueue(
                try PostgresLists.applying(planned.listEdits, to: places) { list in
                    let (statements, record) = PostgresRecords.reading(.list(list))
                    if case .list(let list)? = try record(try run(statements)) { return list }
                    return nil
                })
        }
        if planned.records.contains(where: { $0.name == .types }) {
            head.typesVersion = Int64.random(in: Int64.min...Int64.max)
        }
        try followSearch(planned.records, types: planned.types)
        known = PostgresPrefetch()
        let commit = planned.commit
        enqueue([
            PostgresStatement(
                "INSERT INTO commit_log (revision, made, key, bytes, changes) VALUES ($1, $2, $3, $4, $5)",
                [
                    .integer(Int64(clamping: commit.revision)), .integer(Int64(clamping: now / 1_000)),
                    .text(orNull: commit.key), .integer(Int64(planned.json.count)),
                    .text(String(decoding: planned.json, as: UTF8.self)),
                ])
        ])
        advance(to: planned)
        history.bytes += planned.json.count
        let cut = try history.cut(newest: commit.revision, limits: limits, now: now / 1_000) { from in
            try run([PostgresHistory.reading(from: from)]).first
        }
        if let cut {
            enqueue([
                PostgresStatement("DELETE FROM commit_log WHERE revision <= $1", [.integer(Int64(clamping: cut))])
            ])
        }
    }

    func draft(_ name: String) throws -> Draft? { try PostgresDrafts.draft(try run([PostgresDrafts.reading(name)])[0]) }

    func draftSummaries() throws -> [DraftSummary] {
        try PostgresDrafts.summaries(try run([PostgresDrafts.listing])[0])
    }

    func keep(_ draft: Draft) { enqueue([PostgresDrafts.writing(draft)]) }

    func removeDraft(_ name: String) { enqueue([PostgresDrafts.removing(name)]) }

    func hasMembers(in collection: CollectionName) throws -> Bool {
        try run("SELECT 1 FROM user_collection WHERE collection = $1 LIMIT 1", [.text(collection.name)]).count > 0
    }

    func lastMutation(of client: [UInt8], in log: StoreLog) -> UInt64? { mutations.lastMutation(of: client, in: log) }

    func answer(to number: UInt64, of client: [UInt8], in log: StoreLog) -> KeptAnswer? {
        mutations.answer(to: number, of: client, in: log)
    }

    func hasRoomForClient(in log: StoreLog) -> Bool { mutations.hasRoomForClient() }

    func keep(_ answer: KeptAnswer, to mutation: MutationID, in log: StoreLog) {
        mutations.keep(answer, to: mutation)
    }

    // Only batches of the users' log concern users.
    private func refuse() -> Never { preconditionFailure("a commit to the catalogue leaves users alone") }

    func userRevision(_ user: String) -> UInt64 { refuse() }
    func member(_ name: MemberName, of user: String) -> StoredMember? { refuse() }
    func memberCount(of user: String, in collection: CollectionName) -> Int { refuse() }
    func collectionCount(of user: String) -> Int { refuse() }
    func keep(_ move: MemberMove, of user: String) { refuse() }
    func observationHead() -> ObservationHead { refuse() }
    func keep(_ rows: [ObservedRow], head: ObservationHead) { refuse() }
}

import MarqueeCatalogue
import MarqueeModel
import MarqueeScreens
import MarqueeStore
import MarqueeTypes
import MarqueeWire

// Drafts: publications beside the log. The store keeps them; screens with one are evaluated when they are asked for.

extension HubSource {
    /// The order that a publication gives about a draft; `nil` for one of changes.
    static func draftOrder(of documents: [[UInt8]]) throws(Status) -> DraftOrder? {
        do throws(RecordError) { return try DraftOrder.of(documents) } catch {
            throw .changeInvalid(documents.firstIndex(where: DraftOrder.isOrder) ?? 0, "\(error)")
        }
    }

    /// - Returns: `nil` if there is no such draft. Blocks.
    func draft(_ name: String) throws(Status) -> Draft? {
        guard let store = store as? any DraftStore else { throw .noDraftsHere }
        do throws(StoreError) { return try store.draft(name) } catch { throw Status(storeError: error) }
    }

    func knownDraft(_ name: String) throws(Status) -> Draft {
        if let draft = try draft(name) { return draft }
        throw .unknownDraft(name)
    }

    /// The types in force where a draft is.
    func types(with draft: Draft) -> TypeSet? {
        for case .types(let document) in draft.changes.reversed() {
            if let types = try? TypeSet(document, file: "types") { return types }
        }
        return positions.types
    }

    /// Screens with a draft. Takes as long as its commit would keep the hub.
    func screens(_ screens: Screens, with draft: Draft) throws(Status) -> Screens {
        do throws(Status) { return try screens.after(draft.changes) ?? screens } catch {
            guard let refused = RefusedChange(error.message) else { throw error }
            throw .draftUnfit(draft.name, refused.reason)
        }
    }

    /// The changes of a publication that is about a draft, and all that is in the draft before.
    func changes(
        of order: DraftOrder, _ documents: [[UInt8]], by identity: Identity
    ) throws(Status) -> [Change] {
        if let refusal = Authoriser.refusal(of: .draft(order.name), to: identity) { throw refusal }
        let draft = try draft(order.name)
        switch order {
        case .hold, .drop: return []
        case .publish(let name, _, _):
            guard let draft else { throw .unknownDraft(name) }
            return draft.changes
        case .add:
            let types = draft.map { self.types(with: $0) } ?? positions.types
            return (draft?.changes ?? [])
                + (try PublicationReader.changes(of: documents, skipping: 1, by: identity, types: types))
        }
    }

    /// - Throws: for one who may not make all changes of a draft, and for a programme that doesn't fit the types.
    func allow(_ draft: Draft, to identity: Identity) throws(Status) {
        for change in draft.changes {
            if let refusal = Authoriser.refusal(of: .publish(change.subjectOfPublishing), to: identity) {
                throw refusal
            }
        }
        if let mistake = draft.mistake(in: positions.types) { throw .draftUnfit(draft.name, mistake) }
    }

    /// Says which drafts there are, or what one changes. Blocks.
    func drafts(_ request: DraftsRequest, for identity: Identity) throws(Status) -> DraftsAnswer {
        guard let name = request.draft else {
            guard let store = store as? any DraftStore else { throw .noDraftsHere }
            do throws(StoreError) {
                let known = try store.drafts().filter {
                    Authoriser.refusal(of: .draft($0.name), to: identity) == nil
                }
                return DraftsAnswer(documents: known.map { Array($0.json.utf8) })
            } catch {
                throw Status(storeError: error)
            }
        }
        if let refusal = Authoriser.refusal(of: .draft(name), to: identity) { throw refusal }
        let draft = try knownDraft(name)
        let before = try currentScreens()
        let after = try screens(before, with: draft)
        var documents = [Array(draft.summary.json.utf8)]
        for difference in before.differences(of: draft, to: after) {
            documents.append(try difference.document(before: before.types, after: after.types))
        }
        return DraftsAnswer(documents: documents)
    }
}

extension Draft {
    /// Why its programme doesn't fit the types; `nil` if it does.
    func mistake(in types: TypeSet?) -> String? {
        var judge = ProgrammeValidator(types: types)
        for change in changes {
            do { try judge.check(change) } catch { return "\(error)" }
        }
        return nil
    }
}

extension DraftDifference {
    /// The difference as JSON: `{"name": "episode/e1", "before": {…}, "after": {…}}`. Records are written as in `put`,
    /// anything else as the change that makes it. A missing piece is `null`.
    fileprivate func document(before types: TypeSet?, after newTypes: TypeSet?) throws(Status) -> [UInt8] {
        func json(_ change: Change?, _ types: TypeSet?) throws -> String {
            guard let change else { return "null" }
            if case .put(let id, .bytes(let bytes)) = change, let coder = types?.type(id.type)?.coder {
                return try coder.json(of: bytes)
            }
            return String(decoding: try change.document(), as: UTF8.self)
        }
        do {
            let (before, after) = (try json(before, types), try json(after, newTypes))
            var writer = JSONWriter()
            writer.object { writer in
                writer.name("name")
                writer.string(name)
                writer.name("kind")
                writer.string(record == nil ? "change" : "record")
                if isConflict {
                    writer.name("conflict")
                    writer.word("true")
                }
                writer.name("before")
                writer.word(before)
                writer.name("after")
                writer.word(after)
            }
            return writer.bytes
        } catch {
            throw Status(
                .internalError, reason: "RECORD_UNREADABLE", remedy: .fatal,
                message: "\(name) can't be written as JSON: \(error)")
        }
    }
}

extension Status {
    fileprivate static let noDraftsHere = Status(
        .unimplemented, reason: "NO_STORE_HERE", remedy: .fatal, message: "this server's store keeps no drafts")

    static func unknownDraft(_ name: String) -> Status {
        Status(.notFound, reason: "DRAFT_UNKNOWN", remedy: .fatal, message: "there is no draft '\(name)'")
    }

    fileprivate static func draftUnfit(_ name: String, _ reason: String) -> Status {
        Status(
            .failedPrecondition, reason: "DRAFT_UNFIT", remedy: .fatal,
            message: "the draft '\(name)' doesn't fit the catalogue any more: \(reason)")
    }
}

import MarqueeCatalogue
import MarqueeModel
import MarqueeScreens
import MarqueeStore
import MarqueeTypes

extension HubSource {
    /// The changes that undo a revision, if an identity may make them. Blocks: reads the log.
    ///
    /// - Parameters:
    ///   - key: the key of the undoing publication.
    ///   - mutation: the undoing publication's, if it has a number.
    func undo(
        _ revision: UInt64, by identity: Identity, key: String? = nil, mutation: MutationID? = nil
    ) throws(Status) -> Undo {
        func allow(_ changes: [Change]) throws(Status) {
            for change in changes {
                if case .source = change { continue }
                let refusal = Authoriser.refusal(of: .publish(change.subjectOfPublishing), to: identity)
                if let refusal { throw refusal }
            }
        }
        let undo: Undo
        do {
            let last = try mutation.flatMap { try store.lastMutation(of: $0.client) } ?? 0
            let isRepeated = mutation.map { $0.number <= last } ?? false
            undo = try Undo(of: revision, in: store, key: key, isRepeated: isRepeated) { try allow($0) }
        } catch let refusal as Undo.Refusal {
            throw .undoRefused(refusal.reason)
        } catch let refusal as Status {
            throw refusal
        } catch {
            throw Status(storeError: error)
        }
        try allow(undo.changes)
        var judge = ProgrammeValidator(types: positions.types)
        for change in undo.changes {
            do { try judge.check(change) } catch { throw .undoRefused("\(error)") }
        }
        return undo
    }

    /// The changes that a publication stands for.
    /// - Throws: the status that refuses the whole publication.
    func changes(of documents: [[UInt8]], by identity: Identity) throws(Status) -> [Change] {
        if let revision = try Self.undone(by: documents) { return try undo(revision, by: identity).changes }
        if let order = try Self.draftOrder(of: documents) { return try changes(of: order, documents, by: identity) }
        return try PublicationReader.changes(of: documents, by: identity, types: positions.types)
    }

    /// The revision that a publication undoes; `nil` if it consists of changes.
    static func undone(by documents: [[UInt8]]) throws(Status) -> UInt64? {
        do throws(RecordError) { return try Undo.revision(of: documents) } catch {
            throw .changeInvalid(0, "\(error)")
        }
    }
}

extension Status {
    fileprivate static func undoRefused(_ reason: String) -> Status {
        Status(.invalidArgument, reason: "REFUSED", remedy: .fatal, message: reason)
    }
}

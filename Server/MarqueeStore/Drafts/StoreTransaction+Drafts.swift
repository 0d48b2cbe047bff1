import MarqueeCatalogue
import MarqueeModel

/// The rules for drafts, the same for every engine.
extension StoreTransaction {
    /// The most names that a refusal lists.
    private static var maximumNames: Int { 8 }

    mutating func edit(_ edit: DraftEdit, limits: StoreLimits) throws -> StoreOutcome {
        let name = edit.name
        if let reason = Draft.refusal(ofName: name) { return .refused(reason) }
        let head = try catalogueRevision()
        if case .add(let changes, let key) = edit.action { return try add(changes, to: name, key: key, head) }
        guard let old = try draft(name) else {
            switch edit.action {
            // Another server has already published or dropped it.
            case .publishDue, .fail: return .done(revision: head, changed: false)
            default: return .refused("there is no draft '\(name)'")
            }
        }
        var draft = old
        draft.version = nextVersion(after: old)
        switch edit.action {
        case .add: return .done(revision: head, changed: false)
        case .publish(let version, let despiteConflicts):
            if let reason = try refusal(of: old, version, despiteConflicts) { return .refused(reason) }
            return try publish(draft, limits: limits)
        case .schedule(let version, let moment, let despiteConflicts):
            if let reason = try refusal(of: old, version, despiteConflicts) { return .refused(reason) }
            (draft.due, draft.ignoresConflicts, draft.problem) = (moment, despiteConflicts, nil)
        case .publishDue(let moment):
            guard draft.due == moment else { return .done(revision: head, changed: false) }
            var problem = draft.ignoresConflicts ? nil : Self.refusal(conflicts: try draft.conflicts(stored: record))
            if problem == nil {
                let outcome = try publish(draft, limits: limits)
                guard case .refused(let reason) = outcome else { return outcome }
                problem = reason
            }
            (draft.due, draft.problem) = (nil, problem)
            try keep(draft)
            return .done(revision: head, changed: false)
        case .fail(let moment, let problem):
            guard draft.due == moment else { return .done(revision: head, changed: false) }
            (draft.due, draft.problem) = (nil, problem)
        case .hold:
            guard draft.due != nil || draft.problem != nil else { return .done(revision: head, changed: false) }
            (draft.due, draft.problem) = (nil, nil)
        case .drop:
            try removeDraft(name)
            return .done(revision: head, changed: true)
        }
        try keep(draft)
        return .done(revision: head, changed: true)
    }

    /// A version that no draft with this name has had, unless the clock has gone back past the last edit of an earlier
    /// one.
    private func nextVersion(after draft: Draft?) -> UInt64 { max((draft?.version ?? 0) + 1, now) }

    private mutating func add(
        _ changes: [Change], to name: String, key: String?, _ head: UInt64
    ) throws -> StoreOutcome {
        var fingerprint: UInt64?
        if let key {
            if let refusal = CatalogueBounds.refusal(of: key, "a commit key", limit: CatalogueBounds.commitKey) {
                return .refused(refusal)
            }
            let new = try Fingerprint.of(changes) ^ Fingerprint.of(texts: ["draft", name])
            if let kept = try kept(key) {
                return kept.isKept(for: new) ? .done(revision: head, changed: false) : .keyReused
            }
            fingerprint = new
        }
        let old = try draft(name)
        if let due = old?.due {
            return .refused(
                "the draft '\(name)' is published at \(due.text), and takes nothing more; hold it first, with "
                    + "{\"draft\": {\"hold\": \"\(name)\"}}")
        }
        var draft = old ?? Draft(name, version: 0)
        let before = draft.changes
        if let reason = try refusal(of: before, changes) { return .refused(reason) }
        try draft.add(changes, stored: record)
        draft.version = nextVersion(after: old)
        draft.problem = nil
        let others = try draftSummaries().filter { $0.name != name }
        let bytes = draft.summary.bytes
        let total = others.reduce(bytes) { $0 + $1.bytes }
        for (count, most, what) in [
            (others.count + 1, Draft.maximumDrafts, "drafts in a catalogue"),
            (draft.publications.count, Draft.maximumPublications, "publications in a draft"),
            (before.count + changes.count, CatalogueBounds.changesPerCommit, "changes in a draft"),
            (bytes, Draft.maximumBytes, "bytes in a draft"), (total, Draft.maximumTotal, "bytes in all drafts"),
        ] where count > most {
            return .refused("there are at most \(most) \(what), not \(count); publish or drop some")
        }
        if let key, let fingerprint { try keep(KeptKey(revision: head, fingerprint: fingerprint), of: key) }
        try keep(draft)
        return .done(revision: head, changed: true)
    }

    /// Why the catalogue, as it is now, would refuse a draft with these changes added; `nil` if it wouldn't.
    private func refusal(of before: [Change], _ changes: [Change]) throws -> String? {
        let all = before + changes
        var plan = CommitPlan(of: all, library: typeLibrary)
        for (index, change) in all.enumerated() {
            do {
                try plan.add(change, stored: record, hasRecords: hasRecords, hasMembers: hasMembers, lists: self)
            } catch let refusal as CommitPlan.Refusal {
                guard index >= before.count else {
                    return "what the draft has already doesn't fit the catalogue any more, \(change.key.words): "
                        + refusal.reason
                }
                // Counted from the document that names the draft, which comes before the changes.
                return "\(RefusedChange(index - before.count + 1, refusal.reason))"
            }
        }
        return nil
    }

    /// Why a draft can't be published; `nil` if it can.
    /// - Parameter version: the version for whose changes the publisher's permissions were checked.
    private func refusal(of draft: Draft, _ version: UInt64, _ despiteConflicts: Bool) throws -> String? {
        guard draft.version == version else {
            return "the draft '\(draft.name)' was changed at the same moment; try again"
        }
        return despiteConflicts ? nil : Self.refusal(conflicts: try draft.conflicts(stored: record))
    }

    private static func refusal(conflicts: [RecordName]) -> String? {
        guard !conflicts.isEmpty else { return nil }
        let names = conflicts.prefix(maximumNames).map(\.label).joined(separator: ", ")
        return "what the draft changes was changed in the catalogue since: \(names)"
            + (conflicts.count > maximumNames ? " and \(conflicts.count - maximumNames) more" : "")
            + "; look at the draft's differences, then publish it despite conflicts, or drop it"
    }

    /// Commits a draft as a whole, and removes it.
    private mutating func publish(_ draft: Draft, limits: StoreLimits) throws -> StoreOutcome {
        let changes = draft.changes
        let outcome = try commit(key: nil, changes: changes, limits: limits)
        switch outcome {
        case .done: try removeDraft(draft.name)
        case .refused(let reason):
            guard let refused = RefusedChange(reason), changes.indices.contains(refused.index) else { break }
            return .refused("\(changes[refused.index].key.words): \(refused.reason)")
        default: break
        }
        return outcome
    }
}

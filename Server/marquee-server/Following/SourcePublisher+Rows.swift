import MarqueeCatalogue
import MarqueeImport
import MarqueePublisher
import MarqueeStore
import MarqueeTypes

/// A publication without the rows that a server refuses: a value that decides which these are.
struct RowRefusals {
    /// The most rows of a type that a server may refuse by rules of its own in one publication: each costs an attempt.
    static let attempts = 20

    /// Those to publish.
    private(set) var entries: [FollowedChanges.Entry]
    /// Rows that were left out, with the reason.
    private(set) var refused: [(id: RecordID, reason: String)] = []
    /// Types of which nothing was published any more, with the reason.
    private(set) var stopped: [String: String] = [:]
    private var counts: [String: Int] = [:]
    private var isJudged = false
    private let judge: (FollowedChanges.Entry) -> String?

    /// - Parameter judge: says why a server will refuse a change, by the rules that it shares with us.
    init(_ entries: [FollowedChanges.Entry], judge: @escaping (FollowedChanges.Entry) -> String?) {
        (self.entries, self.judge) = (entries, judge)
    }

    /// The server has refused a change.
    /// - Returns: `false` if there is no such change.
    mutating func refuse(_ index: Int, _ reason: String) -> Bool {
        guard entries.indices.contains(index) else { return false }
        let entry = entries.remove(at: index)
        refused.append((entry.id, reason))
        let type = entry.id.type
        if !isJudged {
            // All that it will refuse for the same rules, at once.
            isJudged = true
            entries = entries.filter { entry in
                guard let reason = judge(entry) else { return true }
                refused.append((entry.id, reason))
                return false
            }
            return true
        }
        counts[type, default: 0] += 1
        if counts[type, default: 0] >= Self.attempts {
            entries.removeAll { $0.id.type == type }
            stopped[type] = "the server refused \(Self.attempts) of its rows in a publication, the last with: \(reason)"
        }
        return true
    }
}

extension SourcePublisher {
    /// The outcome of a publication.
    struct Outcome {
        /// Rows that the server refused, with the reason.
        var refused: [(id: RecordID, reason: String)]
        /// Types of which rows are missing: their tables have to be compared.
        var stopped: [String: String]
    }

    /// Publishes changes as one commit, without those that the server refuses.
    /// - Parameter new: where the source is then, incomplete if a type stops; `nil`: where it is now.
    func publish(_ entries: [FollowedChanges.Entry], movingTo new: FollowedPosition?) throws(PublisherError) -> Outcome
    {
        guard !entries.isEmpty || new != nil else { return Outcome(refused: [], stopped: [:]) }
        let types = types
        var rows = RowRefusals(entries) { Self.refusal(of: $0, by: types) }
        var hasTypes = false
        while true {
            var position = new
            if !rows.stopped.isEmpty { position?.isIncomplete = true }
            do throws(PublisherError) {
                try attempt(rows.entries.map(\.document), movingTo: position?.description)
                return Outcome(refused: rows.refused, stopped: rows.stopped)
            } catch {
                guard let change = error.change else { throw error }
                if change.reason == CommitPlan.noTypes, !hasTypes {
                    hasTypes = true
                    try publishTypes()
                } else if !rows.refuse(change.index, change.reason) {
                    throw error
                }
            }
        }
    }

    /// Why a server of these types refuses a change.
    private static func refusal(of entry: FollowedChanges.Entry, by types: TypeSet) -> String? {
        guard let change = try? Change(document: entry.document) else { return nil }
        if let reason = CatalogueBounds.refusal(of: change) { return reason }
        var mistakes = RecordMistakes(limit: 1)
        CommitPlan.check(change, by: types, noting: &mistakes)
        return mistakes.all.first.map { "\($0)" }
    }
}

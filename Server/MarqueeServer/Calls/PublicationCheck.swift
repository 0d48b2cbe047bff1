import MarqueeCatalogue
import MarqueeModel
import MarqueeScreens
import MarqueeStore
import MarqueeTypes

/// Finds all mistakes in the documents of a publication, a bounded number of documents at a time, by the rules of a
/// commit. Mistakes that depend on the store's contents, such as a missing record, are found only by a commit.
struct PublicationCheck {
    private let documents: [[UInt8]]
    private let identity: Identity
    private var judge: ProgrammeValidator
    private var next: Int
    private(set) var mistakes: [PublicationMistake] = []

    /// - Parameters:
    ///   - documents: JSON, one change each.
    ///   - skipping: how many at the beginning are no changes.
    ///   - identity: the publisher's.
    ///   - types: the current ones.
    init(_ documents: [[UInt8]], skipping: Int = 0, by identity: Identity, types: TypeSet?) {
        self.documents = documents
        next = min(skipping, documents.count)
        self.identity = identity
        judge = ProgrammeValidator(types: types)
    }

    var isDone: Bool { next == documents.count || mistakes.count == PublicationMistake.maximum }

    /// Checks the next documents.
    mutating func read(atMost count: Int = PublicationReader.documentsAtOnce) {
        let end = min(next + count, documents.count)
        while next < end, !isDone {
            check(documents[next])
            next += 1
        }
    }

    private mutating func note(_ reason: String, _ detail: String, path: String) {
        mistakes.append(PublicationMistake(change: next, path: path, reason: reason, detail: detail))
    }

    private mutating func check(_ document: [UInt8]) {
        var form = RecordMistakes(limit: PublicationMistake.maximum - mistakes.count)
        guard let change = Change(document: document, noting: &form) else {
            for mistake in form.all { note("CHANGE_INVALID", mistake.reason, path: mistake.path) }
            return
        }
        let whole = change.documentName
        if let refusal = Authoriser.refusal(of: .publish(change.subjectOfPublishing), to: identity) {
            return note(refusal.reason, refusal.message, path: whole)
        }
        do { try judge.check(change) } catch { return note("CHANGE_INVALID", "\(error)", path: whole) }
        var found = RecordMistakes(limit: PublicationMistake.maximum - mistakes.count)
        CommitPlan.check(change, by: judge.types, noting: &found)
        for mistake in found.all {
            note("RECORD_INVALID", mistake.reason, path: mistake.path.isEmpty ? whole : mistake.path)
        }
    }
}

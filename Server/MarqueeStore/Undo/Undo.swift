package import MarqueeCatalogue
import MarqueeModel
package import MarqueeTypes

/// The changes that restore whatever a commit to the catalogue has changed, according to the log.
package struct Undo: Sendable {
    /// Why a commit can't be undone, in words for people.
    package struct Refusal: Error, Hashable {
        package var reason: String
    }

    /// The most names that a refusal lists.
    static let maximumNames = 8
    /// How often the commit is tried if others commit in between.
    static let attempts = 16
    /// Commits of the log that are read at once.
    private static let commitsAtOnce = 256

    package let changes: [Change]
    private let revision: UInt64
    private let touched: Set<CatalogueKey>
    /// The revision up to which no newer commit has touched the same pieces.
    private let checked: UInt64

    /// Reads `{"undo": {"revision": 12}}`, which is a publication of its own.
    ///
    /// - Returns: the revision; `nil` for documents of changes.
    /// - Throws: if such a document isn't alone, or is malformed.
    package static func revision(of documents: [[UInt8]]) throws(RecordError) -> UInt64? {
        guard documents.contains(where: isUndo) else { return nil }
        guard documents.count == 1, let document = documents.first else {
            throw RecordError("'undo' is a publication of its own, without other changes")
        }
        let value = try JSONValue(parsing: document, atMost: .max)
        return try RecordMistakes.refusing { mistakes in
            guard var fields = DocumentFields(value, ["undo"], &mistakes) else { return nil }
            let revision: UInt64? = fields.required("undo", &mistakes) { value, mistakes in
                guard var fields = DocumentFields(value, ["revision"], &mistakes) else { return nil }
                let revision: UInt64? = fields.required("revision", &mistakes) { value, mistakes in
                    guard case .number(let text) = value, let number = UInt64(text) else {
                        mistakes.note(.expected("the number of a revision", value))
                        return nil
                    }
                    return number
                }
                fields.refuseOthers(&mistakes)
                return revision
            }
            fields.refuseOthers(&mistakes)
            return revision
        }
    }

    /// Whether a document begins like one that undoes something.
    package static func isUndo(_ document: [UInt8]) -> Bool { document.beginsObject(with: "undo") }

    /// Reads the log, as far back as it goes. Blocks.
    ///
    /// - Parameters:
    ///   - key: the key of the undoing commit, which may have been made already.
    ///   - isRepeated: whether the mutation may have been made already.
    ///   - allowing: called with the commit's changes before more of the log is read; throws if the caller may not make
    ///     such changes.
    /// - Throws: `Refusal`, a `StoreError` if the log can't be read, or what `allowing` throws.
    package init(
        of revision: UInt64, in store: some StoreEngine, key: String? = nil, isRepeated: Bool = false,
        allowing: ([Change]) throws -> Void = { _ in }
    ) throws {
        let head = try store.catalogueHead().revision
        guard revision > 0, revision <= head else {
            throw Refusal(reason: "there is no revision \(revision); the newest is \(head)")
        }
        guard let commit = try Self.reading({ try store.commits(after: revision - 1, limit: 1).first }) else {
            throw Refusal(reason: "the log doesn't reach back to revision \(revision) any more")
        }
        guard !commit.changes.contains(where: { $0.key == .time }) else {
            throw Refusal(reason: "revision \(revision) is the catalogue's time, which never goes back")
        }
        try allowing(commit.changes)
        // Sources stay where they are, so a source's next move doesn't prevent an undo.
        let touched = Set(commit.changes.map(\.key)).filter { if case .source = $0 { false } else { true } }
        let first = try Self.firstKnown(before: revision, in: store)
        var past = UndoPast(isComplete: first == 0)
        try Self.read(store, from: first, to: revision - 1) { commit in
            for change in commit.changes where touched.contains(change.key) { past.apply(change) }
        }
        self.revision = revision
        self.touched = touched
        checked = try Self.check(touched, in: store, after: revision, except: isRepeated ? nil : .some(key), revision)
        changes = try past.restoring(commit, logBegins: first + 1)
    }

    /// Makes the commit, unless another one has touched the same pieces meanwhile. Blocks; nothing else in this process
    /// may write until it returns.
    ///
    /// - Throws: when nothing was stored.
    package func commit(
        to store: some TransactionalStore, key: String?, mutation: MutationID?
    ) throws(StoreError) -> StoreOutcome {
        var checked = checked
        if changes.isEmpty { return .done(revision: checked, changed: false) }
        for _ in 0..<Self.attempts {
            var result: Result<StoreOutcome, StoreError> = .success(.done(revision: checked, changed: false))
            var isOvertaken = false
            try store.transaction { writer in
                do throws(StoreError) {
                    let write = StoreWrite.catalogue(key: key, changes: changes, mutation: mutation)
                    guard let outcome = try writer.write([write]).first else { return false }
                    result = .success(outcome)
                    switch outcome {
                    case .done(let revision, changed: true):
                        // Others have committed since the log was read.
                        isOvertaken = revision != checked + 1
                        return !isOvertaken
                    case .done, .repeated: return true
                    default: return false
                    }
                } catch {
                    result = .failure(error)
                    return false
                }
            }
            guard isOvertaken else { return try result.get() }
            do {
                checked = try Self.check(touched, in: store, after: checked, except: .some(key), revision)
            } catch let refusal as Refusal {
                return .refused(refusal.reason)
            } catch {
                throw (error as? StoreError) ?? StoreError(.io, "the log can't be read", cause: "\(error)")
            }
        }
        throw StoreError(.busy, "others commit too often for an undo to get a turn; try again")
    }

    // MARK: - The log

    /// - Returns: `nil` for commits that the log no longer has.
    private static func reading<Value>(_ body: () throws -> Value?) throws -> Value? {
        do { return try body() } catch let error as StoreError where error.code == .historyCut { return nil }
    }

    /// The lowest revision after which the log still has every commit before `revision`; 0 if it has all ever made.
    private static func firstKnown(before revision: UInt64, in store: some StoreEngine) throws -> UInt64 {
        func isKnown(_ first: UInt64) throws -> Bool {
            try reading { try store.commits(after: first, limit: 1) } != nil
        }
        var (unknown, known): (UInt64, UInt64) = (0, revision - 1)
        if try isKnown(0) { return 0 }
        while known - unknown > 1 {
            let middle = unknown + (known - unknown) / 2
            if try isKnown(middle) { known = middle } else { unknown = middle }
        }
        return known
    }

    /// Reads the commits after one revision up to another.
    private static func read(
        _ store: some StoreEngine, from first: UInt64, to last: UInt64, _ receive: (CatalogueCommit) throws -> Void
    ) throws {
        var position = first
        while position < last {
            let commits = try store.commits(after: position, limit: commitsAtOnce)
            guard let newest = commits.last else { return }
            for commit in commits where commit.revision <= last { try receive(commit) }
            position = newest.revision
        }
    }

    /// Looks for newer commits that touched the same pieces.
    ///
    /// - Parameter key: the key of the undoing commit, at which the search ends; `nil` to skip the search.
    /// - Returns: the revision up to which there is none.
    private static func check(
        _ touched: Set<CatalogueKey>, in store: some StoreEngine, after position: UInt64, except key: String??,
        _ revision: UInt64
    ) throws -> UInt64 {
        let head = try store.catalogueHead().revision
        guard let key else { return head }
        var newer: [(name: String, revision: UInt64)] = []
        // Commits after the undoing one don't matter to it.
        var isMade = false
        try read(store, from: position, to: head) { commit in
            if commit.key != nil, commit.key == key { isMade = true }
            guard !isMade else { return }
            for change in commit.changes where touched.contains(change.key) && newer.count <= maximumNames {
                newer.append((change.key.words, commit.revision))
            }
        }
        guard newer.isEmpty else {
            let names = newer.prefix(maximumNames).map { "\($0.name) in revision \($0.revision)" }
            throw Refusal(
                reason: "parts of revision \(revision) were changed again: \(names.joined(separator: ", "))"
                    + (newer.count > maximumNames ? " and more" : ""))
        }
        return head
    }
}

extension CatalogueKey {
    /// The piece's name in messages.
    var words: String {
        switch self {
        case .pool(let pool): "the choice of the pool '\(pool)'"
        case .page(let id): "the page '\(id)'"
        case .programme: "the programme"
        case .types: "the types"
        case .typed(let id): id.subject.name
        case .list(let name): "the list '\(name)'"
        case .time: "the time"
        case .source(let name): "the source '\(name)'"
        }
    }
}

@testable import MarqueeCatalogue
@testable import MarqueeModel
@testable import MarqueeStore

/// A store that makes its catalogue up as it is read, and keeps commits only: what is measured is not the store.
final class GeneratedStore: StoreEngine, @unchecked Sendable {
    // Unchecked: used by one thread.
    private let catalogue: GeneratedCatalogue
    private var commits: [CatalogueCommit] = []

    init(_ catalogue: GeneratedCatalogue) { self.catalogue = catalogue }

    let cluster = "generated"

    func commit(_ changes: [Change]) {
        commits.append(CatalogueCommit(revision: UInt64(commits.count) + 2, key: nil, changes: changes))
    }

    func catalogueHead() throws(StoreError) -> LogHead { LogHead(epoch: 1, revision: UInt64(commits.count) + 1) }

    func commits(after revision: UInt64, limit: Int) throws(StoreError) -> [CatalogueCommit] {
        Array(commits.dropFirst(Int(revision) - 1).prefix(limit))
    }

    func snapshot(_ receive: (Change) -> Void) throws(StoreError) -> LogHead {
        catalogue.forEach(receive)
        return LogHead(epoch: 1, revision: 1)
    }

    func userHead(_ user: String) throws(StoreError) -> LogHead { LogHead(epoch: 1, revision: 0) }

    func members(of user: String) throws(StoreError) -> (head: LogHead, members: [StoredMember]) {
        (LogHead(epoch: 1, revision: 0), [])
    }

    func lastMutation(of client: [UInt8]) throws(StoreError) -> UInt64? { nil }
    func write(_ writes: [StoreWrite]) throws(StoreError) -> [StoreOutcome] { [] }

    func search(
        _ query: String, in scope: SearchScope, offset: Int, limit: Int
    ) throws(StoreError) -> SearchMatches {
        SearchMatches(head: try catalogueHead(), total: 0, isCapped: false)
    }

    func onWake(_ wake: @escaping @Sendable () -> Void) {}
    func close() throws(StoreError) {}
}

import Foundation
import Synchronization

@testable import MarqueeCatalogue
@testable import MarqueeModel
@testable import MarqueeStore

/// A data folder whose log of the catalogue can be cut at any time: then whoever follows it has missed commits, and has
/// to read the whole catalogue again. Thread safe.
final class CutStore: StoreEngine {
    private struct State {
        var isCut = false
        var reloadBegan: ContinuousClock.Instant?
        var wake: (@Sendable () -> Void)?
    }

    private let store: SQLiteStore
    private let state = Mutex(State())
    private let reloaded: @Sendable (Duration) -> Void

    /// - Parameter reloaded: called when the catalogue has been read again, with the time that it took.
    init(_ store: SQLiteStore, reloaded: @escaping @Sendable (Duration) -> Void) {
        self.store = store
        self.reloaded = reloaded
    }

    /// Cuts the log in front of those who follow it, and wakes them.
    func cut() {
        let wake = state.withLock { state in
            state.isCut = true
            return state.wake
        }
        wake?()
    }

    func commits(after revision: UInt64, limit: Int) throws(StoreError) -> [CatalogueCommit] {
        let (isCut, began) = state.withLock { state -> (Bool, ContinuousClock.Instant?) in
            let before = (state.isCut, state.reloadBegan)
            (state.isCut, state.reloadBegan) = (false, state.isCut ? .now : nil)
            return before
        }
        if isCut { throw StoreError.historyCut(after: revision) }
        // The log is read on once the hub has taken the catalogue over.
        if let began { reloaded(.now - began) }
        return try store.commits(after: revision, limit: limit)
    }

    func onWake(_ wake: @escaping @Sendable () -> Void) {
        state.withLock { $0.wake = wake }
        store.onWake(wake)
    }

    var cluster: String { store.cluster }
    func snapshot(_ receive: (Change) -> Void) throws(StoreError) -> LogHead { try store.snapshot(receive) }
    func write(_ writes: [StoreWrite]) throws(StoreError) -> [StoreOutcome] { try store.write(writes) }
    func catalogueHead() throws(StoreError) -> LogHead { try store.catalogueHead() }
    func userHead(_ user: String) throws(StoreError) -> LogHead { try store.userHead(user) }
    func members(of user: String) throws(StoreError) -> (head: LogHead, members: [StoredMember]) {
        try store.members(of: user)
    }
    func lastMutation(of client: [UInt8]) throws(StoreError) -> UInt64? { try store.lastMutation(of: client) }
    func search(
        _ query: String, in scope: SearchScope, offset: Int, limit: Int
    ) throws(StoreError) -> SearchMatches {
        try store.search(query, in: scope, offset: offset, limit: limit)
    }
    func close() throws(StoreError) { try store.close() }
}

import Foundation
import MarqueeCatalogue
package import MarqueeStore
import Synchronization

/// The newest commits of a catalogue that this server has seen, for people who watch it: the records each of them
/// changed, and its publisher. Kept in memory, since the server's start. Thread safe.
///
/// The log brings commits and the committing thread brings their publishers, in either order. So a commit may change
/// once, when its publisher becomes known.
package final class CommitHistory: Sendable {
    /// The most commits that are remembered.
    package static let maximumCommits = 256
    /// The most changes of a commit that are named; the rest are only counted.
    package static let maximumNames = 64

    /// The publisher of a commit, as the audit log names it.
    package struct Publisher: Hashable, Sendable {
        package var user: String?
        /// The name of the publisher's token or certificate.
        package var by: String?
        package var agent: String?
        package var address: String?

        package init(user: String? = nil, by: String? = nil, agent: String? = nil, address: String? = nil) {
            self.user = user
            self.by = by
            self.agent = agent
            self.address = address
        }
    }

    /// One change, without its content.
    package struct Named: Hashable, Sendable {
        /// As in its JSON form: `put`, `merge`, `list`.
        package var change: String
        /// The record's type; `nil` for changes of something else.
        package var type: String?
        /// The record's id; or the name of the list, page or pool.
        package var id: String?
    }

    package struct Commit: Hashable, Sendable {
        package var revision: UInt64
        /// When this server saw it, in milliseconds since 1970.
        package var time: UInt64
        /// `nil` while it isn't known, and for commits by another program or by the server itself.
        package var publisher: Publisher?
        /// The key that makes the commit take effect only once.
        package var key: String?
        /// The first changes.
        package var changes: [Named]
        /// The number of all changes.
        package var count: Int
        /// Rises with each commit, and when a commit's publisher becomes known.
        fileprivate(set) package var version: UInt64
    }

    fileprivate struct State {
        /// By revision, ascending.
        var commits: [Commit] = []
        /// Publishers of revisions that the log hasn't brought yet, the first one in front.
        var early: [(revision: UInt64, publisher: Publisher)] = []
        var version: UInt64 = 0
        var listeners: [UInt64: @Sendable () -> Void] = [:]
        var nextListener: UInt64 = 0
    }

    private let state = Mutex(State())
    private let time: @Sendable () -> UInt64
    /// Distinguishes the versions of one server from those of another.
    package let epoch = UInt64.random(in: 1 ... .max)

    /// - Parameter time: milliseconds since 1970.
    package init(time: @escaping @Sendable () -> UInt64 = { UInt64(max(0, Date().timeIntervalSince1970 * 1_000)) }) {
        self.time = time
    }

    // MARK: - Writing

    /// Adds commits of the log, leaving out those already added.
    package func add(_ commits: [CatalogueCommit]) {
        let now = time()
        let wakes = state.withLock { state -> [@Sendable () -> Void] in
            var isNews = false
            for commit in commits where commit.revision > state.commits.last?.revision ?? 0 {
                state.version += 1
                state.commits.append(
                    Commit(
                        revision: commit.revision, time: now, publisher: state.takePublisher(of: commit.revision),
                        key: commit.key, changes: commit.changes.prefix(Self.maximumNames).map(\.named),
                        count: commit.changes.count, version: state.version))
                isNews = true
            }
            state.commits.removeFirst(max(0, state.commits.count - Self.maximumCommits))
            return isNews ? Array(state.listeners.values) : []
        }
        for wake in wakes { wake() }
    }

    /// Adds the publisher of a commit.
    package func add(_ publisher: Publisher, of revision: UInt64) {
        let wakes = state.withLock { state -> [@Sendable () -> Void] in
            guard let place = state.commits.lastIndex(where: { $0.revision == revision }) else {
                if state.early.count == Self.maximumCommits { state.early.removeFirst() }
                state.early.append((revision, publisher))
                return []
            }
            state.version += 1
            state.commits[place].publisher = publisher
            state.commits[place].version = state.version
            return Array(state.listeners.values)
        }
        for wake in wakes { wake() }
    }

    // MARK: - Reading

    /// The commits with a version above this one, in the order of their versions: those added since, and those whose
    /// publisher has become known since.
    package func commits(after version: UInt64 = 0, atMost limit: Int = maximumCommits) -> [Commit] {
        let commits = state.withLock { $0.commits }
        return Array(commits.filter { $0.version > version }.sorted { $0.version < $1.version }.prefix(limit))
    }

    /// Registers a function to be called after each change, on any thread, until `stopListening` is called with the
    /// number returned.
    package func listen(_ wake: @escaping @Sendable () -> Void) -> UInt64 {
        state.withLock { state in
            state.nextListener += 1
            state.listeners[state.nextListener] = wake
            return state.nextListener
        }
    }

    package func stopListening(_ number: UInt64) { state.withLock { $0.listeners[number] = nil } }
}

extension CommitHistory.State {
    fileprivate mutating func takePublisher(of revision: UInt64) -> CommitHistory.Publisher? {
        guard let place = early.firstIndex(where: { $0.revision == revision }) else { return nil }
        return early.remove(at: place).publisher
    }
}

extension Change {
    fileprivate var named: CommitHistory.Named {
        switch self {
        case .put(let id, _): CommitHistory.Named(change: "put", type: id.type, id: id.id)
        case .merge(let id, _, _, _): CommitHistory.Named(change: "merge", type: id.type, id: id.id)
        case .remove(let id): CommitHistory.Named(change: "remove", type: id.type, id: id.id)
        case .list(let list): CommitHistory.Named(change: "list", id: list.name.list)
        case .listItem(let edit): CommitHistory.Named(change: "listItem", id: edit.list.list)
        case .show(let list, _): CommitHistory.Named(change: "show", id: list)
        case .removeList(let name): CommitHistory.Named(change: "removeList", id: name.list)
        case .chooseEntry(let pool, _), .chooseRecord(let pool, _): CommitHistory.Named(change: "choose", id: pool)
        case .removeChoice(let pool): CommitHistory.Named(change: "removeChoice", id: pool)
        case .page(let page): CommitHistory.Named(change: "page", id: page.id)
        case .removePage(let id): CommitHistory.Named(change: "removePage", id: id)
        case .programme: CommitHistory.Named(change: "programme")
        case .types: CommitHistory.Named(change: "types")
        case .time(let moment): CommitHistory.Named(change: "time", id: moment.text)
        case .source(let position): CommitHistory.Named(change: "source", id: position.source)
        }
    }
}

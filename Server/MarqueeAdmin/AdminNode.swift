package import MarqueeServer
import Synchronization

/// What the process is doing, for those who ask. Thread safe.
package final class AdminNode: Sendable {
    /// A server, and what is to be known of its store.
    struct Serving: Sendable {
        var server: MarqueeServer
        /// What is wrong with the store, if anything.
        var storeProblem: @Sendable () -> String?
    }

    private struct Status {
        var state = NodeState.starting
        var serving: Serving?
    }

    private let status = Mutex(Status())

    package init() {}

    package var state: NodeState { status.withLock { $0.state } }
    /// The server that can be asked; `nil` before it serves and once it has ended.
    var serving: Serving? { status.withLock { $0.serving } }

    /// The server serves.
    /// - Parameter storeProblem: says what is wrong with the store, if anything.
    package func serves(_ server: MarqueeServer, storeProblem: @escaping @Sendable () -> String?) {
        status.withLock { $0 = Status(state: .serving, serving: Serving(server: server, storeProblem: storeProblem)) }
    }

    /// The server asks its clients to leave. It can still be asked.
    package func drains() { status.withLock { $0.state = .draining } }

    /// The server is about to end, and must not be asked any more.
    package func stops() { status.withLock { $0 = Status(state: .stopped) } }
}

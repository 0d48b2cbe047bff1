package import MarqueeServer
import Synchronization

/// The state of the process, for the endpoints that report it. Thread safe.
package final class AdminNode: Sendable {
    /// The source of a node's content.
    package enum Origin: String, Sendable {
        case store
        case upstream
    }

    /// A server, and the facts about its store.
    struct Serving: Sendable {
        var server: MarqueeServer
        var origin: Origin
        /// Why the server is about to end, if what it serves is gone; `nil` if nothing is wrong.
        var end: @Sendable () -> String?
    }

    private struct Status {
        var state = NodeState.starting
        var serving: Serving?
        /// The outage that a starting node waits out.
        var waiting: (reason: String, since: ContinuousClock.Instant)?
    }

    private let status = Mutex(Status())
    /// The files that the process uses.
    package let files = FileHealth()

    package init() {}

    package var state: NodeState { status.withLock { $0.state } }
    /// The server to query; `nil` before it serves and once it has ended.
    var serving: Serving? { status.withLock { $0.serving } }

    /// The outage that the node waits out while it starts, and its age.
    var waiting: SourceOutage? {
        status.withLock { $0.waiting }.map {
            SourceOutage(age: UInt64(max(0, $0.since.duration(to: .now) / .milliseconds(1))), reason: $0.reason)
        }
    }

    /// Records that the node can't serve yet, because the source of its content isn't available.
    /// - Parameter reason: one sentence.
    package func waits(_ reason: String) { status.withLock { $0.waiting = (reason, $0.waiting?.since ?? .now) } }

    /// Records that the server serves.
    /// - Parameter end: returns why it is about to end, if what it serves is gone.
    package func serves(
        _ server: MarqueeServer, from origin: Origin = .store, end: @escaping @Sendable () -> String? = { nil }
    ) {
        status.withLock { $0 = Status(state: .serving, serving: Serving(server: server, origin: origin, end: end)) }
    }

    /// Records that the server is asking its clients to leave. It can still be queried.
    package func drains() { status.withLock { $0.state = .draining } }

    /// Records that the server is about to end and must not be queried any more.
    package func stops() { status.withLock { $0 = Status(state: .stopped) } }
}

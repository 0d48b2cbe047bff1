package import MarqueeServer
import Synchronization

/// The state of the process, for those who ask. Thread safe.
package final class AdminNode: Sendable {
    /// The source of a node's content.
    package enum Origin: String, Sendable {
        case store
        case upstream
    }

    /// A server, and what is to be known of its store.
    struct Serving: Sendable {
        var server: MarqueeServer
        var origin: Origin
        /// Why it is about to end, as what it serves is gone; `nil` if nothing is wrong.
        var end: @Sendable () -> String?
    }

    private struct Status {
        var state = NodeState.starting
        var serving: Serving?
        /// The outage that a starting node waits out.
        var waiting: (reason: String, since: ContinuousClock.Instant)?
    }

    private let status = Mutex(Status())
    /// The files that the process goes by.
    package let files = FileHealth()

    package init() {}

    package var state: NodeState { status.withLock { $0.state } }
    /// The server that can be asked; `nil` before it serves and once it has ended.
    var serving: Serving? { status.withLock { $0.serving } }

    /// The outage that the node waits out while it starts, and its age.
    var waiting: SourceOutage? {
        status.withLock { $0.waiting }.map {
            SourceOutage(age: UInt64(max(0, $0.since.duration(to: .now) / .milliseconds(1))), reason: $0.reason)
        }
    }

    /// The node can't serve yet, as what it is to get its content from isn't there.
    /// - Parameter reason: one sentence.
    package func waits(_ reason: String) { status.withLock { $0.waiting = (reason, $0.waiting?.since ?? .now) } }

    /// The server serves.
    /// - Parameter end: says why it is about to end, if what it serves is gone.
    package func serves(
        _ server: MarqueeServer, from origin: Origin = .store, end: @escaping @Sendable () -> String? = { nil }
    ) {
        status.withLock { $0 = Status(state: .serving, serving: Serving(server: server, origin: origin, end: end)) }
    }

    /// The server asks its clients to leave. It can still be asked.
    package func drains() { status.withLock { $0.state = .draining } }

    /// The server is about to end, and must not be asked any more.
    package func stops() { status.withLock { $0 = Status(state: .stopped) } }
}

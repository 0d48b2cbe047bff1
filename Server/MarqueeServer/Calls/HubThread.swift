import MarqueeStore
import NIOCore
import Synchronization

/// A hub on a thread of its own: work submitted from one thread runs in order, until the hub is stopped. Thread safe.
final class HubThread: Sendable {
    let loop: any EventLoop
    private let hub = Mutex<NIOLoopBound<Hub>?>(nil)
    private let stopped = Atomic<Bool>(false)

    init(_ loop: any EventLoop) { self.loop = loop }

    /// Makes the hub on its thread.
    /// - Parameter made: called there with the hub; returns what the caller needs of it.
    func begin<Value: Sendable>(
        _ make: @escaping @Sendable () throws -> Hub, then made: @escaping @Sendable (Hub) -> Value
    ) async throws -> Value {
        try await loop.submit { [self] in
            let new = NIOLoopBound(try make(), eventLoop: loop)
            hub.withLock { $0 = new }
            return made(new.value)
        }.get()
    }

    /// Runs nothing any more.
    func stop() { stopped.store(true, ordering: .releasing) }

    var isStopped: Bool { stopped.load(ordering: .acquiring) }

    func run(_ work: @escaping @Sendable (Hub) -> Void) {
        guard !isStopped else { return }
        loop.execute { [self] in runNow(work) }
    }

    /// Runs `work` at once. Must be called on the hub's thread.
    func runNow(_ work: (Hub) -> Void) {
        guard let hub = hub.withLock({ $0 }) else { return }
        work(hub.value)
    }

    /// Runs `question` on the hub's thread.
    /// - Returns: its result; fails with `StoreError` if there is no hub yet, or with whatever `question` throws.
    func answer<Value: Sendable>(_ question: @escaping @Sendable (Hub) throws -> Value) -> EventLoopFuture<Value> {
        loop.submit { [self] in
            guard let hub = hub.withLock({ $0 }) else { throw StoreError(.closed, "the server isn't serving yet") }
            return try question(hub.value)
        }
    }
}

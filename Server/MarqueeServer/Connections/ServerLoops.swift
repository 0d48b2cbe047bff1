import MarqueeModel
import NIOCore
import Synchronization

/// A server's event loops: passes the hub's publications to all of them. Thread safe.
final class ServerLoops: Sendable {
    /// An event loop, the registry it owns, and its queue of publications.
    private struct Loop {
        let loop: any EventLoop
        let registry: NIOLoopBound<LoopRegistry>
        let publications: PublicationQueue
    }

    private let loops = Mutex<[Loop]>([])
    /// When the newest revisions were published.
    private let revisionTimes = Mutex(RevisionTimes())
    private let isStopped = Atomic<Bool>(false)

    /// - Parameter publications: the queue through which the hub's publications reach the loop.
    func add(_ loop: any EventLoop, _ registry: NIOLoopBound<LoopRegistry>, _ publications: PublicationQueue) {
        loops.withLock { $0.append(Loop(loop: loop, registry: registry, publications: publications)) }
    }

    /// The registry of a loop. Must be called on it.
    func registry(of loop: any EventLoop) -> LoopRegistry? {
        loops.withLock { $0.first { $0.loop === loop }?.registry }?.value
    }

    /// Passes a publication to every event loop.
    func publish(_ publication: Publication, now: UInt64) {
        guard !isStopped.load(ordering: .acquiring) else { return }
        revisionTimes.withLock { times in
            if publication.end != nil { times.startOver() }
            times.note(publication.catalogueRevision, at: now)
        }
        for loop in loops.withLock({ $0 }) { loop.publications.add(publication) }
    }

    /// Passes nothing on from now on, because the event loops are about to end.
    func stop() { isStopped.store(true, ordering: .releasing) }

    /// The users of all sessions.
    var users: Set<String> { loops.withLock { $0 }.reduce(into: []) { $0.formUnion($1.publications.users) } }

    /// How long ago the first revision after this one was published, in milliseconds; 0 if there is none.
    func age(after revision: UInt64, now: UInt64) -> UInt64 {
        revisionTimes.withLock { $0.age(after: revision, now: now) }
    }

    /// The event loops and their registries.
    var all: [(loop: any EventLoop, registry: NIOLoopBound<LoopRegistry>)] {
        loops.withLock { $0.map { ($0.loop, $0.registry) } }
    }

    func drain() {
        for (loop, registry) in all { loop.execute { registry.value.drain() } }
    }

    /// The load of each session.
    func sessionLoads() async throws -> [SessionLoad] {
        var loads: [SessionLoad] = []
        for (loop, registry) in all { loads += try await loop.submit { registry.value.loads }.get() }
        return loads
    }
}

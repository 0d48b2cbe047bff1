import Dispatch
import Logging
import MarqueeStore
import Synchronization

/// How a server's store is: since when it can't be reached, how large its write-ahead logs are, and which clients have
/// seen more than it has. Thread safe.
final class StoreCondition: Sendable {
    private let store: any StoreEngine
    private let logger: Logger
    private let clock: @Sendable () -> UInt64
    /// Why the store can't be reached, and when it last answered, by the clock.
    private let away = Mutex<(reason: String, since: UInt64)?>(nil)
    /// The last sizes of write-ahead logs that were logged as growing.
    private let grownLogs = Mutex<[StoreLog: GrownLog]>([:])
    private let clientsAhead = Mutex(ClientsAhead())

    /// - Parameter clock: a monotonic clock, in milliseconds.
    init(of store: any StoreEngine, logger: Logger, clock: @escaping @Sendable () -> UInt64) {
        self.store = store
        self.logger = logger
        self.clock = clock
    }

    /// Why the store can't be reached, and since when; `nil` if it can.
    var outage: SourceOutage? {
        let now = clock()
        return away.withLock { $0 }.map { SourceOutage(age: now - min(now, $0.since), reason: $0.reason) }
    }

    func unreachable(_ error: StoreError, since: ContinuousClock.Instant) {
        let silence = UInt64(max(0, since.duration(to: .now) / .milliseconds(1)))
        let now = clock()
        away.withLock { $0 = (error.description, now - min(now, silence)) }
        logger.error("can't reach the store: serving what is known, rejecting writes, retrying: \(error)")
    }

    func reachable() {
        let seconds = (outage?.age ?? 0) / 1_000
        away.withLock { $0 = nil }
        logger.notice("the store can be reached again, after \(seconds) s")
    }

    /// Handles a client that has seen more than the store has.
    func note(ahead client: ClientAhead) {
        guard store is any SharedStore else { return }
        clientsAhead.withLock { $0.add(client) }
    }

    /// Called about once a second.
    func tick() {
        noteClientsAhead()
        for log in StoreLog.allCases {
            let bytes = store.writeAheadBytes(of: log) ?? 0
            guard grownLogs.withLock({ $0[log, default: GrownLog()].isNews(bytes) }) else { continue }
            logger.warning(
                """
                the write-ahead log of \(log) has \(bytes >> 20) MiB: a backup or another program that reads the data \
                folder keeps it from being emptied
                """)
        }
    }

    /// Records in the store the clients that have seen more than it has. A failure is harmless: they are added again
    /// when they reconnect.
    private func noteClientsAhead() {
        guard let shared = store as? any SharedStore else { return }
        let clients = clientsAhead.withLock { $0.take() }
        guard !clients.isEmpty else { return }
        DispatchQueue.global(qos: .utility).async { [self] in
            do throws(StoreError) { try shared.note(ahead: clients) } catch {
                logger.debug(
                    "clients that have seen more than the store has can't be noted", metadata: ["reason": "\(error)"])
            }
            clientsAhead.withLock { $0.isWriting = false }
        }
    }
}

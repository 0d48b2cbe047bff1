import Synchronization

/// Ends the waiting of all connections of a store that is closed. Thread safe.
final class PostgresStop: Sendable {
    private let flag = Atomic<Bool>(false)

    var isSet: Bool { flag.load(ordering: .acquiring) }

    func set() { flag.store(true, ordering: .releasing) }
}

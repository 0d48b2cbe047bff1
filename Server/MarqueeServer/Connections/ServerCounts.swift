import Synchronization

/// The counters that all connections of a server share.
final class ServerCounts: Sendable {
    /// Data frames written since start.
    let deliveries = Atomic<UInt64>(0)
    /// Clients welcomed since start.
    let welcomes = Atomic<UInt64>(0)
    /// Live sessions, and their subscriptions.
    let sessions = Atomic<Int>(0)
    let subscriptions = Atomic<Int>(0)
    /// Readers that follow a screen through a door.
    let feedReaders = Atomic<Int>(0)
    /// Requests that came through a door and are being answered.
    let doorRequests = Atomic<Int>(0)
    let calls = CallTally()
}

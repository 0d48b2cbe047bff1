import NIOCore
import Synchronization

/// The event, sent through a connection's pipeline, that another connection needs its place.
struct RoomNeeded: Sendable {}

/// The open connections: decides which may stay when there are too many, and closes those that don't leave by
/// themselves. Thread safe.
final class ConnectionSet: Sendable {
    private struct State {
        var table: ConnectionTable
        var channels: [ConnectionID: any Channel] = [:]
        var next: ConnectionID = 1
    }

    private let state: Mutex<State>

    init(limit: Int) { state = Mutex(State(table: ConnectionTable(limit: limit))) }

    /// Connections with an open descriptor, including those about to close.
    var count: Int { state.withLock { $0.channels.count } }
    var limit: Int { state.withLock { $0.table.limit } }

    /// Admits an accepted connection, evicting an unused one if necessary.
    /// - Returns: its id; `nil` when there are too many, all of them in use.
    func add(_ channel: any Channel) -> ConnectionID? {
        let (id, evicted) = state.withLock { state -> (ConnectionID?, (any Channel)?) in
            let id = state.next
            state.next += 1
            switch state.table.admit(id) {
            case .refused: return (nil, nil)
            case .admitted:
                state.channels[id] = channel
                return (id, nil)
            case .inPlaceOf(let other):
                state.channels[id] = channel
                return (id, state.channels[other])
            }
        }
        evicted?.pipeline.fireUserInboundEventTriggered(RoomNeeded())
        guard let id else { return nil }
        channel.closeFuture.whenComplete { [weak self] _ in
            self?.state.withLock { state in
                state.table.remove(id)
                state.channels[id] = nil
            }
        }
        return id
    }

    func set(_ connection: ConnectionID, isUsed: Bool) {
        state.withLock { $0.table.set(connection, isUsed: isUsed) }
    }

    func closeAll() async {
        for channel in state.withLock({ Array($0.channels.values) }) { try? await channel.close() }
    }
}

import NIOCore
import Synchronization

/// An event sent through a connection's pipeline when another connection needs its place.
package struct RoomNeeded: Sendable {}

/// The open connections: decides which may stay when there are too many, and closes those that don't leave when asked.
/// Thread safe.
final class ConnectionSet: Sendable {
    private struct State {
        var table: ConnectionTable
        var channels: [ConnectionID: any Channel] = [:]
        var next: ConnectionID = 1
    }

    private let state: Mutex<State>
    private let hits: LimitHits
    let limits: ServerLimits

    init(limits: ServerLimits, hits: LimitHits) {
        state = Mutex(State(table: ConnectionTable(limits: limits)))
        self.hits = hits
        self.limits = limits
    }

    /// Connections with an open descriptor, including those about to close.
    var count: Int { state.withLock { $0.channels.count } }
    var limit: Int { state.withLock { $0.table.limit } }
    /// All connections accepted since start, including those that were closed at once.
    var accepted: UInt64 { state.withLock { $0.next - 1 } }

    /// Admits an accepted connection, evicting another one if necessary.
    /// - Parameter peer: the client's address.
    /// - Returns: its id; `nil` when there are too many.
    func add(_ channel: any Channel, from peer: SocketAddress?) -> ConnectionID? {
        let address = AddressKey(peer)
        let (id, admission, evicted) = state.withLock { state in
            let id = state.next
            state.next += 1
            let admission = state.table.admit(id, from: address)
            guard case .refused = admission else {
                state.channels[id] = channel
                guard case .inPlaceOf(let other, _) = admission else { return (id, admission, (any Channel)?.none) }
                return (id, admission, state.channels[other])
            }
            return (id, admission, nil)
        }
        evicted?.pipeline.fireUserInboundEventTriggered(RoomNeeded())
        switch admission {
        case .refused(let limit):
            hit(limit, by: peer)
            return nil
        case .inPlaceOf(_, let limit): hit(limit, by: peer)
        case .admitted: break
        }
        channel.closeFuture.whenComplete { [weak self] _ in
            self?.state.withLock { state in
                state.table.remove(id, from: address)
                state.channels[id] = nil
            }
        }
        return id
    }

    private func hit(_ limit: Limit, by peer: SocketAddress?) {
        hits.hit(limit, ["address": "\(peer?.ipAddress ?? "unknown")"])
    }

    /// Counts a connection that is about to be welcomed.
    /// - Returns: whether its user may have another connection. If so, `left` has to be called when it is gone.
    func welcome(_ connection: ConnectionID, user: String?) -> Bool {
        let isWelcome = state.withLock { $0.table.welcome(connection, user: user) }
        if !isWelcome {
            hits.hit(.connectionsPerUser, ["user": "\(user ?? "")"])
        }
        return isWelcome
    }

    /// Stops counting a user's welcomed connection that is gone.
    func left(user: String) { state.withLock { $0.table.left(user: user) } }

    func set(_ connection: ConnectionID, isUsed: Bool) {
        state.withLock { $0.table.set(connection, isUsed: isUsed) }
    }

    func closeAll() async {
        for channel in state.withLock({ Array($0.channels.values) }) { try? await channel.close() }
    }
}

/// Identifies a connection for as long as the server runs.
package typealias ConnectionID = UInt64

/// The connections, up to the limits. At the limit of all connections, a new one evicts the one that has been unused
/// for longest; at the limit of connections not yet welcomed, the oldest of these. A connection is unused while it has
/// no subscription and no call in flight.
package struct ConnectionTable {
    package enum Admission: Hashable {
        case admitted
        /// This connection must be closed to make room.
        case inPlaceOf(ConnectionID, Limit)
        case refused(Limit)
    }

    private let limits: ServerLimits
    private var all: Set<ConnectionID> = []
    private var unused = AgeQueue<ConnectionID>()
    private var unauthenticated = AgeQueue<ConnectionID>()
    private var perAddress: [AddressKey: Int] = [:]
    private var perUser: [String: Int] = [:]

    package init(limits: ServerLimits) { self.limits = limits }

    var count: Int { all.count }
    /// Connections that have not been welcomed.
    var unauthenticatedCount: Int { unauthenticated.count }
    var limit: Int { limits.connections }

    /// Admits an accepted connection, which counts as unauthenticated until `welcome`, and as unused until `set` says
    /// otherwise.
    /// - Parameter address: `nil` if the address isn't counted.
    package mutating func admit(_ connection: ConnectionID, from address: AddressKey? = nil) -> Admission {
        if let address, perAddress[address, default: 0] >= limits.connectionsPerAddress {
            return .refused(.connectionsPerAddress)
        }
        var admission = Admission.admitted
        if unauthenticated.count >= limits.unauthenticated, let oldest = unauthenticated.popFirst() {
            forget(oldest)
            admission = .inPlaceOf(oldest, .unauthenticated)
        } else if all.count >= limits.connections {
            guard let oldest = unused.popFirst() else { return .refused(.connections) }
            forget(oldest)
            admission = .inPlaceOf(oldest, .connections)
        }
        if let address { perAddress[address, default: 0] += 1 }
        all.insert(connection)
        unused.append(connection, at: 0)
        unauthenticated.append(connection, at: 0)
        return admission
    }

    /// Counts a connection that is about to be welcomed.
    /// - Returns: whether its user may have another connection. If so, `left` has to be called when it is gone.
    package mutating func welcome(_ connection: ConnectionID, user: String?) -> Bool {
        unauthenticated.remove(connection)
        guard let user else { return true }
        guard perUser[user, default: 0] < limits.connectionsPerUser else { return false }
        perUser[user, default: 0] += 1
        return true
    }

    /// Stops counting a user's welcomed connection that is gone.
    package mutating func left(user: String) { perUser[user] = Self.less(perUser[user]) }

    /// Marks a connection as used or unused.
    package mutating func set(_ connection: ConnectionID, isUsed: Bool) {
        guard all.contains(connection) else { return }
        if isUsed { unused.remove(connection) } else { unused.append(connection, at: 0) }
    }

    /// Removes a connection that has closed.
    /// - Parameter address: the address that it was admitted with.
    package mutating func remove(_ connection: ConnectionID, from address: AddressKey? = nil) {
        forget(connection)
        if let address { perAddress[address] = Self.less(perAddress[address]) }
    }

    private mutating func forget(_ connection: ConnectionID) {
        all.remove(connection)
        unused.remove(connection)
        unauthenticated.remove(connection)
    }

    private static func less(_ count: Int?) -> Int? { count.flatMap { $0 > 1 ? $0 - 1 : nil } }
}

import MarqueeServer
import NIOCore

// The table of connections that ships, asked at the same moments as by the shipping shell.

extension Node {
    /// - Returns: whether the connection may stay. Another one may have to go for it.
    func admit(_ connection: Connection) -> Bool {
        let number = connection.number
        judge.record(.arrived(connection: number, node: self.number, address: connection.address))
        switch table.admit(connection.id, from: connection.key) {
        case .admitted: return true
        case .inPlaceOf(let other, let limit):
            let session = sessions.first { $0.connection.id == other }
            judge.record(.hit(limit, connection: number, evicted: session?.connection.number))
            session?.makeRoom()
            return true
        case .refused(let limit):
            judge.record(.hit(limit, connection: number, evicted: nil))
            connection.finish()
            judge.record(.ended(connection: number))
            return false
        }
    }

    /// A connection is to be welcomed.
    /// - Returns: whether its user may have another one.
    func welcome(_ connection: Connection, user: String?) -> Bool {
        if table.welcome(connection.id, user: user) { return true }
        judge.record(.hit(.connectionsPerUser, connection: connection.number, evicted: nil))
        return false
    }

    func set(_ connection: Connection, isUsed: Bool) { table.set(connection.id, isUsed: isUsed) }

    func removeFromTable(_ session: NodeSession) {
        if let user = session.countedUser { table.left(user: user) }
        table.remove(session.connection.id, from: session.connection.key)
    }
}

extension Connection {
    fileprivate var id: ConnectionID { ConnectionID(number) }
    fileprivate var key: AddressKey? { AddressKey(try? SocketAddress(ipAddress: address, port: 1)) }
}

import SeededRandom

// Connections that only take up room, so that limits are hit.

extension Schedule {
    /// The most of them at once.
    private static let crowdLimit = 24

    /// A network each for the devices of a user, and others for the crowd, each of which counts as one address.
    func address(of user: String?, _ number: Int) -> String {
        let network = user == nil ? 3 : user == "ana" ? 1 : 2
        return "2001:db8:0:\(network)::\(String(number + 1, radix: 16))"
    }

    /// More of them come to a node.
    func gather() {
        guard let node = random.pick(nodes.filter(\.isUp)), crowd.count < Self.crowdLimit else { return }
        // Some share a network with devices.
        let network = random.chance(25) ? random.int(1...3) : random.int(8...9)
        let count = random.int(2...6)
        judge.note("\(count) connections of nobody come to node \(node.number)")
        for _ in 0..<count {
            connections += 1
            let connection = Connection(
                number: connections, device: Connection.nobody, node: node.number,
                address: "2001:db8:0:\(network)::f\(String(random.int(0...255), radix: 16))", capacity: plan.capacity)
            crowd.append(connection)
            node.accept(connection, now: now)
        }
    }

    /// All of them go.
    func scatter() {
        for connection in crowd { connection.cut() }
        crowd.removeAll()
        for node in nodes {
            for session in node.sessions where session.connection.device == Connection.nobody {
                session.read(now: now)
            }
        }
    }
}

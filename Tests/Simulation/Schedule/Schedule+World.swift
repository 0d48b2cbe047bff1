import MarqueeModel
import NIOCore
import SeededRandom

extension Schedule: DeviceWorld {
    func carried(_ frame: ByteBuffer, on connection: Connection) -> ByteBuffer {
        if let onTheWay { return onTheWay(frame, connection, true) }
        guard connection.damagesNextToServer, let result = Damage.bit.applied(to: frame, &random) else { return frame }
        connection.damagesNextToServer = false
        connection.isGarbled = true
        judge.count(.bitDamagedToServer)
        judge.note("a bit of a frame to the server flips on connection \(connection.number)")
        return result
    }

    func fraction() -> Double { random.fraction() }

    var usesTokens: Bool { authority != nil }

    func token(for device: Device) -> String {
        authority?.issue(to: device.user, device: device.number) ?? ""
    }

    /// Returns the permissions that the token in use gives a device.
    func permissions(of device: Device) -> Permissions {
        device.connection.flatMap { judge.scene.connections[$0.number]?.tokens.last }
            .flatMap { authority?.permissions(of: $0) } ?? .everything
    }

    func allows(_ device: Device, _ screen: String) -> Bool { permissions(of: device).allowsReading(screen) }

    /// Increases with each call, so that no two operations share one.
    func wallTime() -> Double {
        stamps += 1
        return Double(now) / 1_000 + Double(stamps) / 1_048_576
    }

    func tornBytes() -> [UInt8] {
        guard random.chance(50) else { return [] }
        judge.count(.tornLog)
        return (0..<random.int(1...6_000)).map { UInt8(truncatingIfNeeded: $0 &* 151) }
    }

    func attempt(_ device: Device) -> (pause: UInt64, connect: () -> Connection?) {
        let node = nodes[arrivals.removeValue(forKey: device.number) ?? random.int(0...nodes.count - 1)]
        let pause = UInt64(random.int(0...60))
        return (
            pause,
            { [unowned self, unowned device] in
                guard node.isUp else {
                    judge.count(.connectionRefused)
                    return nil
                }
                connections += 1
                let connection = Connection(
                    number: connections, device: device.number, node: node.number,
                    address: address(of: device.user, device.number), capacity: plan.capacity)
                judge.record(.connected(connection: connections, device: device.number, node: node.number))
                node.accept(connection, now: now)
                return connection
            }
        )
    }
}

extension Schedule: RelayWorld {
    func upstream(of relay: Node) -> Connection? {
        // Relays stand behind servers, and behind relays that come before them.
        var candidates = nodes.filter { $0.number < relay.number && $0.isUp }
        if plan.isChain, random.chance(Self.chainPercent) {
            // The first one is behind a server.
            candidates = candidates.filter { $0.stored != nil ? relay.number == plan.servers : $0 === before(relay) }
        }
        guard let node = random.pick(candidates) else { return nil }
        connections += 1
        let connection = Connection(
            number: connections, device: Connection.nobody, node: node.number, address: Self.relayAddress,
            capacity: plan.capacity)
        judge.note("connection \(connections): relay \(relay.number) to node \(node.number)")
        node.accept(connection, now: now)
        return connection
    }

    func isRelay(_ connection: Connection) -> Bool { nodes[connection.node].relayed != nil }

    /// Percent chance that a relay in a chain considers only the one before it.
    private static let chainPercent = 80

    private func before(_ relay: Node) -> Node { nodes[relay.number - 1] }

    private static let relayAddress = "2001:db8:0:4::1"
}

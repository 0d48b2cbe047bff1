import MarqueeWire
import NIOCore

/// A connection between a device, or a relay, and a node.
final class Connection {
    /// Numbered from 1 in the order they are opened.
    let number: Int
    /// `nobody` if no device has opened it.
    let device: Int
    /// The relay that has opened it, if one has.
    weak var relay: RelayContent?
    /// The guests of that relay.
    var guests: RelayGuests?
    /// The numbers of guests at that relay, by their numbers on this connection.
    var guestNumbers: [UInt32: UInt32] = [:]
    let node: Int
    /// The IP address that the node sees.
    let address: String
    let toServer: BytePipe
    let toClient: BytePipe
    /// The damage to apply to the next suitable frame to the client.
    var damage: Damage?
    /// Whether a bit flips in the next frame to the server.
    var damagesNextToServer = false
    /// Whether bytes on their way were made unreadable. If they said how long a frame is, the other side waits for the
    /// rest of it.
    var isGarbled = false
    /// An observer's decoder for what the client has read.
    var tap = FrameDecoder(maximumLength: Frame.maximumLength)
    /// The client reads nothing until this step.
    var stalledUntil = 0

    static let nobody = -1

    init(number: Int, device: Int, node: Int, address: String, capacity: Int) {
        self.number = number
        self.device = device
        self.node = node
        self.address = address
        toServer = BytePipe(capacity: capacity)
        toClient = BytePipe(capacity: capacity)
    }

    /// Whether it will end, perhaps only once one side finds the other silent.
    var isDoomed: Bool { isGarbled || toServer.isBlackHole }

    /// The origin of the client's own requests.
    var origin: Origin { Origin(device: device, connection: number) }

    /// The origin of a guest's requests, if a relay has opened the connection.
    func origin(of number: UInt32) -> Origin { guestNumbers[number].flatMap { guests?.origins[$0] }?() ?? origin }

    /// Breaks the connection: bytes in transit are lost, at any byte boundary.
    func cut() {
        toServer.cut()
        toClient.cut()
    }

    /// Clears its faults.
    func recover() {
        damage = nil
        damagesNextToServer = false
        stalledUntil = 0
    }

    /// One side closes cleanly: what it wrote still arrives.
    func finish() {
        toServer.finish()
        toClient.finish()
    }

    /// Both sides still believe the connection is up.
    func becomeHalfOpen() {
        toServer.vanish()
        toClient.vanish()
    }
}

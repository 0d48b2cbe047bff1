import MarqueeWire
import NIOCore

/// A connection between a device and a node.
final class Connection {
    /// Numbered from 1 in the order in which they are opened.
    let number: Int
    let device: Int
    let node: Int
    let toServer: BytePipe
    let toClient: BytePipe
    /// What happens to the next frame to the client that it can happen to.
    var damage: Damage?
    /// A bit of the next frame to the server arrives as another one.
    var damagesNextToServer = false
    /// What somebody on the line has read of what the client took.
    var tap = FrameDecoder(maximumLength: Frame.maximumLength)
    /// The client takes nothing until this step.
    var stalledUntil = 0

    init(number: Int, device: Int, node: Int, capacity: Int) {
        self.number = number
        self.device = device
        self.node = node
        toServer = BytePipe(capacity: capacity)
        toClient = BytePipe(capacity: capacity)
    }

    /// It breaks: bytes on their way are lost, at whatever byte that is.
    func cut() {
        toServer.cut()
        toClient.cut()
    }

    /// One side closes in order: what it wrote still arrives.
    func finish() {
        toServer.finish()
        toClient.finish()
    }

    /// Both sides believe that it is up.
    func becomeHalfOpen() {
        toServer.vanish()
        toClient.vanish()
    }
}

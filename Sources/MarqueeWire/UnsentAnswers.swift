/// Unsent frames that the other side has asked for, such as pongs and acks: they pile up for a peer that asks and never
/// reads.
package struct UnsentAnswers: Sendable {
    /// The most frames. A peer that reads leaves a few.
    package static let maximumFrames = 4_096
    /// The most bytes: room for the manifests of everything that a client may show.
    package static let maximumBytes = 32 << 20

    private var frames = 0
    private var bytes = 0

    package init() {}

    /// Counts a frame that is about to be written.
    /// - Returns: `false` if it would be too many; the connection ends then.
    package mutating func add(bytes size: Int) -> Bool {
        guard frames < Self.maximumFrames, size <= Self.maximumBytes - bytes else { return false }
        frames += 1
        bytes += size
        return true
    }

    /// A frame was sent.
    package mutating func sent(bytes size: Int) {
        frames -= 1
        bytes -= size
    }
}

extension Message {
    /// Whether clients and relays send it in response to the server's messages, as often as those come.
    package var isProvoked: Bool {
        switch self {
        case .pong, .ack, .nack, .manifest: true
        default: false
        }
    }
}

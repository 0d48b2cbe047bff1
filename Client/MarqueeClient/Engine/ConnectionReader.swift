import MarqueeModel
import MarqueeWire
package import NIOCore

/// Turns bytes into messages, for one connection of an engine.
package final class ConnectionReader {
    private let engine: ClientEngine
    private let attempt: Int
    private let token: String?
    private var frames = FrameDecoder(maximumLength: WireLimits.client.frameBytes)
    /// Whether the other side is a web server; `nil` before its first bytes.
    private var isWeb: Bool?

    init(engine: ClientEngine, attempt: Int, token: String?) {
        self.engine = engine
        self.attempt = attempt
        self.token = token
    }

    /// Called when the connection is open.
    package func opened(_ link: any ClientLink) { engine.connected(link, attempt: attempt, token: token) }

    /// Called when bytes arrive.
    package func received(_ bytes: ByteBuffer) {
        engine.heard(attempt: attempt)
        isWeb = isWeb ?? WebPort.answers(with: bytes.readableBytesView)
        frames.append(bytes)
        var taken = 0
        defer { engine.received(frames: taken, isWithinFrame: frames.pendingBytes > 0, attempt: attempt) }
        do throws(WireError) {
            while let frame = try frames.next() {
                taken += 1
                guard let message = try MessageCodec.decode(frame, limits: .client) else { continue }
                engine.received(message, flags: frame.flags, bytes: frame.wireBytes, attempt: attempt)
            }
        } catch {
            guard isWeb != true else { return engine.connectionLost(attempt: attempt, WebPort.advice) }
            engine.receivedGarbage(error, attempt: attempt)
        }
    }

    /// Called when the other side has closed the connection, or it broke.
    package func closed(_ reason: String) { engine.connectionLost(attempt: attempt, reason) }
}

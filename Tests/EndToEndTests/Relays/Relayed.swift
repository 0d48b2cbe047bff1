import Logging
import MarqueeModel
import MarqueeRelay
import MarqueeServer
import MarqueeTLS

@testable import MarqueeClient

/// A server, and relays behind it, one behind the other. The link between the server and the first one can be cut.
final class Relayed {
    let origin: Harness
    let link: Relay
    /// The first is connected to the server.
    let relays: [MarqueeServer]

    /// - Parameters:
    ///   - count: of relays.
    ///   - token: the relays', upstream.
    ///   - transform: the change made to each frame on its way to the first relay.
    init(
        _ origin: Harness, count: Int = 1, token: String? = nil,
        transform: @escaping Relay.Transform = { $0 }
    ) async throws {
        self.origin = origin
        link = try await Relay.start(to: origin.server.summary.port, transform: transform)
        var relays: [MarqueeServer] = []
        for _ in 0..<count {
            relays.append(try await Self.start(behind: relays.last?.summary.port ?? link.port, token: token))
        }
        self.relays = relays
    }

    static func start(behind port: Int, token: String? = nil) async throws -> MarqueeServer {
        let relay = RelayServer.Configuration(
            upstream: [UpstreamAddress(host: "127.0.0.1", port: port)], security: { _ in .unencrypted },
            token: { token })
        var serving = MarqueeServer.Configuration(host: "127.0.0.1", port: 0)
        serving.adjustSettings = Harness.bePatient
        return try await RelayServer.start(
            relay, serving: serving, logger: Logger(label: "relay") { _ in SwiftLogNoOpLogHandler() })
    }

    /// A client of the last relay.
    func client(user: String? = nil, mirror: String? = nil, token: String? = nil) throws -> MarqueeClient {
        try origin.client(user: user, mirror: mirror, port: relays.last?.summary.port, token: token)
    }

    func stop() async {
        for relay in relays.reversed() { await relay.drain(grace: .milliseconds(200)) }
        await link.stop()
        await origin.stop()
    }
}

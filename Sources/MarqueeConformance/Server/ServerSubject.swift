import MarqueeWire
import Synchronization

/// The server under test, and those of its resources that the checks may use.
package struct ServerSubject: Sendable {
    package var host: String
    package var port: Int
    /// The path at which the server speaks the protocol over WebSocket; `nil` for TCP.
    package var webSocketPath: String?
    /// The screen that the checks use.
    package var screen: String
    /// The user whose collections the checks change; `nil` for none.
    package var user: String?
    package var token: String?
    /// Whether the checks may publish changes to records that don't exist.
    package var mayPublish: Bool
    package var deadlines = Deadlines()

    package init(
        host: String, port: Int, screen: String = "home", user: String? = nil, token: String? = nil,
        mayPublish: Bool = false
    ) {
        self.host = host
        self.port = port
        self.screen = screen
        self.user = user
        self.token = token
        self.mayPublish = mayPublish
    }

    /// Connects once, to find out before any check runs whether a server listens.
    /// - Throws: `PeerUnreachable`.
    package func reach() async throws {
        do {
            await (try await connect(limits: .client, within: deadlines.start)).close()
        } catch {
            throw PeerUnreachable(message: "can't reach a server at \(host):\(port): \(error)")
        }
    }

    func connect(limits: WireLimits, within limit: Duration) async throws -> Line {
        try await Line.connect(host: host, port: port, webSocketPath: webSocketPath, limits: limits, within: limit)
    }

    package func runner(width: Int = 4) -> CheckRunner<ServerStage> {
        let turns = Atomic(0)
        return CheckRunner(width: width) {
            ServerStage(self, turn: turns.add(1, ordering: .relaxed).oldValue)
        }
    }
}

/// Thrown when no server listens at the address.
package struct PeerUnreachable: Error, Hashable, Sendable, CustomStringConvertible {
    /// A human-readable message.
    package var message: String
    package var description: String { message }
}

import MarqueeWire
import NIOCore
import NIOPosix

/// The local port of a scripted server, to which a client under test connects.
final class ScriptedPort: Sendable {
    /// The most connections that wait for the script.
    private static let maximumWaiting = 64

    private let listener: any Channel
    private let accepted: Inbox<Line>

    private init(_ listener: any Channel, _ accepted: Inbox<Line>) {
        self.listener = listener
        self.accepted = accepted
    }

    /// Listens on a free port.
    static func open() async throws -> ScriptedPort {
        let accepted = Inbox<Line>(maximumCost: maximumWaiting)
        let listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let inbox = Inbox.ofArrivals()
                    try channel.pipeline.syncOperations.addHandler(FrameReader(inbox, limits: .server))
                    if !accepted.append(Line(channel: channel, inbox: inbox, peer: "client")) {
                        channel.close(promise: nil)
                    }
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return ScriptedPort(listener, accepted)
    }

    var number: Int { listener.localAddress?.port ?? 0 }

    /// The next connection; `nil` if none is made in time.
    func next(within limit: Duration) async -> Line? {
        await accepted.next(within: limit, on: listener.eventLoop)
    }

    func close() async { try? await listener.close() }
}

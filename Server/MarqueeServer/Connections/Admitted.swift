import MarqueeTLS
import NIOCore

/// A connection that was admitted, with the first handlers of its pipeline in place.
struct Admitted {
    let registry: LoopRegistry
    let connection: ConnectionID
    /// `nil` if bytes written past the pipeline would not be encrypted, or there is no socket.
    let direct: DirectOutput?

    /// Admits a connection and builds the beginning of its pipeline. Must be called on its event loop.
    /// - Parameter isWeb: whether HTTP is spoken over it.
    /// - Returns: `nil` if there are too many connections; this one is closed then.
    init?(
        _ channel: any Channel, from peer: SocketAddress?, forWeb isWeb: Bool = false, _ services: ServerServices
    ) throws {
        guard let registry = services.loops.registry(of: channel.eventLoop) else { return nil }
        guard let connection = services.connections.add(channel, from: peer) else {
            channel.close(promise: nil)
            return nil
        }
        self.registry = registry
        self.connection = connection
        let pipeline = channel.pipeline.syncOperations
        direct = services.identities.tls == nil ? try DirectOutput.add(to: channel) : nil
        if let tls = services.identities.tls {
            let gate = HandshakeGate(turns: registry.handshakes, address: AddressKey(peer))
            try pipeline.addHandler(gate)
            try pipeline.addHandlers(tls.handlers(forWeb: isWeb) { gate.open() })
        }
    }
}

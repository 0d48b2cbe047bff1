import MarqueeWire
package import NIOCore

/// Another way into a server, besides the protocol's own port.
package protocol Door: Sendable {
    /// Builds the rest of the pipeline of an admitted connection. Called on its event loop.
    func serve(_ connection: DoorConnection) throws
}

/// A door, and the address it listens on.
package struct DoorPlace: Sendable {
    package var host: String
    /// 0 means any free port.
    package var port: Int
    package var door: any Door

    package init(host: String, port: Int, door: any Door) {
        self.host = host
        self.port = port
        self.door = door
    }
}

/// The error when a door can't listen on its address.
package struct DoorFailure: Error {
    package var place: DoorPlace
    package var cause: any Error

    package init(_ place: DoorPlace, cause: any Error) {
        self.place = place
        self.cause = cause
    }
}

/// A connection that came through a door, with everything the door may do with it. Belongs to the connection's event
/// loop.
package final class DoorConnection {
    package let channel: any Channel
    /// When it was accepted, by the server's clock.
    package let opened: UInt64
    /// Called when the server asks its clients to leave.
    package var onDrain: () -> Void = {}
    /// The next part of a long piece of work.
    private var part: (() -> Bool)?

    let peer: SocketAddress?
    let admitted: Admitted
    let services: ServerServices
    /// Identifies the connection where mutations are counted: on the server upstream of a relay.
    let clientID = Hello.newClientID()
    private var lastPublication: UInt64 = 0
    /// Whether the connection is still open and has no session.
    private(set) var isHere = true

    init(_ channel: any Channel, from peer: SocketAddress?, _ admitted: Admitted, _ services: ServerServices) {
        self.channel = channel
        self.peer = peer
        self.admitted = admitted
        self.services = services
        opened = services.now()
        admitted.registry.add(self)
        let me = NIOLoopBound(self, eventLoop: channel.eventLoop)
        channel.closeFuture.whenComplete { _ in me.value.end() }
    }

    /// The server's clock, in milliseconds.
    package func now() -> UInt64 { services.now() }

    /// Whether this server encrypts the connection.
    package var isEncrypted: Bool { services.identities.tls != nil }

    package var isDraining: Bool { services.isDraining.load(ordering: .acquiring) }

    /// How long a client may take to identify itself, in milliseconds.
    package var helloTimeoutMilliseconds: UInt64 { UInt64(services.settings.helloTimeoutMilliseconds) }

    /// Records that a limit was hit.
    package func hit(_ limit: Limit, _ why: @autoclosure () -> String) {
        services.hits.hit(limit, ["peer": "\(peer?.text ?? "unknown")", "reason": "\(why())"])
    }

    /// Makes the connection speak Marquee's protocol from here on, by adding a session at the end of its pipeline.
    /// - Parameters:
    ///   - opened: the start of the time in which the client has to identify itself.
    ///   - sendsMessages: whether bytes written past the pipeline are wrapped in WebSocket messages.
    package func beginSession(opened: UInt64, inMessages sendsMessages: Bool) throws {
        admitted.direct?.sendsMessages = sendsMessages
        leave()
        try channel.pipeline.syncOperations.addHandler(
            SessionHandler(
                services: services, registry: admitted.registry, connection: admitted.connection, peer: peer,
                direct: admitted.direct, opened: opened))
    }

    /// The number of the connection's next publication.
    func nextPublication() -> UInt64 {
        lastPublication += 1
        return lastPublication
    }

    /// Drops the work for a connection that has closed.
    private func end() {
        guard isHere else { return }
        leave()
        services.source.drop(admitted.connection)
    }

    /// Ends the door's part in the connection.
    private func leave() {
        isHere = false
        admitted.registry.remove(self)
        onDrain = {}
        part = nil
    }

    /// Does a part of a long piece of work when it is the connection's turn. Connections that need little go first, and
    /// the event loop reads in between. Until the work is done, the connection counts as one that needs much.
    /// - Parameter work: returns whether it was the last part.
    package func takeTurn(_ work: @escaping () -> Bool) {
        guard isHere else { return }
        part = work
        admitted.registry.askLater(for: self)
    }

    /// - Parameter limit: the most steps of the turn; each part is charged that many.
    func takeTurn(steps limit: Int) -> LoopTurns<ObjectIdentifier>.Turn {
        let work = part
        part = nil
        return .init(steps: limit, isDone: work?() ?? true)
    }

    func drain() { onDrain() }
}

import Foundation
import Logging
import MarqueeModel
import MarqueeServer
import MarqueeTLS
import MarqueeWire
import NIOCore

/// Runs a relay's core on the relay's loop: connects it to the connection upstream, the relay's sessions and the log.
final class RelayShell {
    private unowned let source: RelaySource
    let core: RelayCore
    private let upstream: Upstream
    private let clock: @Sendable () -> UInt64
    private let welcomed: EventLoopPromise<Welcome>
    /// Publishes to the relay's own sessions; `nil` until `begin`.
    private var publish: (@Sendable (Publication) -> Void)?

    /// Must be called on the loop.
    init(
        _ relay: RelayServer.Configuration, _ addresses: [(address: UpstreamAddress, tls: TLSClient?)],
        source: RelaySource,
        library: VersionLibrary, variantLimit: Int, loop: any EventLoop, logger: Logger
    ) {
        self.source = source
        clock = MarqueeServer.clock
        welcomed = loop.makePromise(of: Welcome.self)
        let unconnected = RelayCore.Outlet(
            send: { _ in }, disconnect: { _ in }, publish: { _ in },
            guestEnded: { [unowned source] in source.guestEnded($0) }, report: { logger.error("\($0)") })
        var bounds = relay.bounds
        bounds.variants = variantLimit
        core = RelayCore(
            library: library, bounds: bounds, token: relay.token,
            clientID: Hello.newClientID(),
            agent: "marquee-relay/\(MarqueeServer.version)", now: clock(), outlet: unconnected)
        var onEvent: () -> Void = {}
        upstream = Upstream(
            loop: loop, addresses: addresses, core: core, logger: logger, clock: clock, onEvent: { onEvent() })
        core.direct(
            to: RelayCore.Outlet(
                send: { [upstream] in upstream.send($0) }, disconnect: { [upstream] in upstream.disconnect($0) },
                publish: { [weak self] in self?.publish?($0) }, guestEnded: unconnected.guestEnded,
                report: unconnected.report))
        onEvent = { [weak self] in self?.coreChanged() }
    }

    func connect() { upstream.connect() }

    /// The first welcome from upstream.
    func firstWelcome() -> EventLoopFuture<Welcome> { welcomed.futureResult }

    /// Stops waiting for the first welcome.
    func giveUp() { welcomed.fail(CancellationError()) }

    /// Ends the connection permanently.
    func end() {
        upstream.end()
        core.disconnected(now: clock())
        giveUp()
    }

    /// Begins to publish to the server's sessions.
    /// - Returns: counts, which are zero because a relay has no store, and the revision of the catalogue upstream.
    func begin(_ audience: Audience) -> (counts: CatalogueCounts, revision: UInt64) {
        publish = audience.publish
        audience.publish(Publication(catalogueRevision: core.revision, changes: [:]))
        return (CatalogueCounts(), core.revision)
    }

    private func coreChanged() {
        source.note(core, now: clock())
        if let welcome = core.welcome { welcomed.succeed(welcome) }
    }
}

import Foundation
import Logging
import MarqueeCatalogue
import MarqueePresetRecords
import MarqueeRelay
import MarqueeScreens
import MarqueeServer
import MarqueeStore
import MarqueeTLS
import MarqueeTypes
import MarqueeWeb
import Testing

/// A real server with a web door, over a store in memory with the sample catalogue.
final class WebWorld: Sendable {
    let server: MarqueeServer
    let hub: HubSource

    init(
        _ gate: WebGate = WebGate(), hooks: HookFile = HookFile(),
        authenticator: any Authenticator = OpenAuthenticator(), tls: TLSServer? = nil,
        adjust: @escaping @Sendable (inout MarqueeServer.Configuration) -> Void = { _ in }
    ) async throws {
        let store = MemoryStore()
        _ = try store.write([.catalogue(key: nil, changes: Self.sample.get(), mutation: nil)])
        var configuration = MarqueeServer.Configuration(host: "127.0.0.1", port: 0)
        configuration.authenticator = authenticator
        configuration.tls = tls
        configuration.adjustSettings = { $0.helloTimeoutMilliseconds = 300_000 }
        configuration.door = DoorPlace(host: "127.0.0.1", port: 0, door: WebDoor(gate, hooks: hooks))
        adjust(&configuration)
        let programme = try Programme.parse(
            text: PresetCatalogue.programme, file: "programme.yaml",
            types: TypeSet(PresetCatalogue.types, file: "types.yaml"))
        (server, hub) = try await MarqueeServer.start(
            configuration, store: store, programme: programme, logger: Self.logger)
    }

    static let logger: Logger = {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        return logger
    }()

    /// A relay of this server, with a web door of its own.
    func relay() async throws -> MarqueeServer {
        var serving = MarqueeServer.Configuration(host: "127.0.0.1", port: 0)
        serving.adjustSettings = { $0.helloTimeoutMilliseconds = 300_000 }
        serving.door = DoorPlace(host: "127.0.0.1", port: 0, door: WebDoor(WebGate()))
        let upstream = UpstreamAddress(host: "127.0.0.1", port: server.summary.port)
        return try await RelayServer.start(
            RelayServer.Configuration(upstream: [upstream], security: { _ in .unencrypted }, token: { nil }),
            serving: serving, logger: Self.logger)
    }

    var port: Int { server.summary.door?.port ?? 0 }

    func stop() async { await server.drain(grace: .milliseconds(200)) }

    func commit(_ changes: [Change]) async throws {
        _ = try await hub.committer.commit(.catalogue(key: nil, changes: changes, mutation: nil))
    }

    /// Sends a request on a connection of its own and returns the answer.
    func ask(_ request: String, _ fields: String...) async throws -> WebReply {
        try await Self.ask(request, fields, port: port)
    }

    /// Sends a request to any door.
    static func ask(_ request: String, _ fields: [String], port: Int, body: String = "") async throws -> WebReply {
        let socket = try await WebSocketBytes(port: port)
        let fields = fields.contains { $0.hasPrefix("Host:") } ? fields : ["Host: 127.0.0.1"] + fields
        try await socket.send(([request] + fields).joined(separator: "\r\n") + "\r\n\r\n" + body)
        return try await socket.reply()
    }

    private static let sample = Result {
        let samples = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Samples/catalogue")
        var changes: [Change] = [.types(PresetCatalogue.types)]
        for name in ["catalogue.ndjson", "chart.ndjson"] {
            let lines = try String(contentsOf: samples.appending(path: name), encoding: .utf8).split(separator: "\n")
            changes += try lines.map { try Change(document: Array($0.utf8)) }
        }
        return changes
    }
}

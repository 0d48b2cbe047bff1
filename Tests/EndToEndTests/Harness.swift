import Foundation
import Logging
import MarqueeCatalogue
import MarqueeModel
import MarqueePresetRecords
import MarqueeScreens
import MarqueeServer
import MarqueeStore
import MarqueeTLS
import MarqueeTypes
import NIOCore
import Testing

@testable import MarqueeClient

/// A real server on a real socket over a store, and clients that talk to it.
final class Harness {
    static let samples = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Samples/catalogue")

    let store: any StoreEngine
    private(set) var server: MarqueeServer
    private(set) var hub: HubSource
    let folder: URL

    static func programme() throws -> Programme {
        try Programme.parse(
            text: PresetCatalogue.programme, file: "programme.yaml",
            types: TypeSet(PresetCatalogue.types, file: "types.yaml"))
    }

    /// - Parameters:
    ///   - store: `nil` for one in memory, filled with the sample catalogue.
    ///   - authenticator: until the server is started again.
    init(
        store: (any StoreEngine)? = nil, programme: Programme? = nil, authenticator: (any Authenticator)? = nil,
        tls: TLSServer? = nil, adjust: (@Sendable (inout SessionSettings) -> Void)? = nil
    ) async throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "marquee-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        if let store {
            self.store = store
        } else {
            self.store = MemoryStore()
            try Self.fill(self.store)
        }
        (server, hub) = try await Self.start(
            self.store, port: 0, programme: programme ?? Self.programme(), authenticator: authenticator, tls: tls,
            adjust: adjust)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Puts the sample catalogue and its types into a store.
    static func fill(_ store: any StoreEngine) throws {
        try write(sample.get(), to: store)
    }

    /// The sample catalogue and its types, read once for all tests.
    private static let sample = Result {
        var changes: [Change] = [.types(PresetCatalogue.types)]
        for name in ["catalogue.ndjson", "chart.ndjson"] {
            let lines = try String(contentsOf: samples.appending(path: name), encoding: .utf8).split(separator: "\n")
            changes += try lines.map { try Change(document: Array($0.utf8)) }
        }
        let store = MemoryStore()
        try write(changes, to: store)
        var canonical: [Change] = []
        _ = try store.snapshot { canonical.append($0) }
        return canonical
    }

    private static func write(_ changes: [Change], to store: any StoreEngine) throws {
        let outcomes = try store.write([.catalogue(key: nil, changes: changes, mutation: nil)])
        guard case .done? = outcomes.first else { throw Overdue(description: "\(outcomes)") }
    }

    static let chart = "chart/boxoffice"

    /// A line to publish that changes fields of a movie, given as JSON without the braces.
    static func update(_ movie: UInt64, _ fields: String) -> String {
        #"{"merge": {"type": "movie", "id": "\#(movie)", "record": {\#(fields)}}}"#
    }

    /// The records of a type among a store's changes, by id.
    static func records<Value: Decodable>(_ type: String, in changes: [Change]) throws -> [String: Value] {
        let coder = try #require(TypeSet(PresetCatalogue.types, file: "types.yaml").type(type)).coder
        var values: [String: Value] = [:]
        for case .put(let id, .bytes(let bytes)) in changes where id.type == type {
            values[id.id] = try JSONDecoder().decode(Value.self, from: Data(coder.json(of: bytes).utf8))
        }
        return values
    }

    /// A line to publish that puts the day of the chart that is shown, with entries in JSON.
    static func chart(_ entries: [String]) -> String {
        let entries = entries.joined(separator: ",")
        return #"{"list": {"list": "\#(chart)", "edition": "2024-05-01", "entries": [\#(entries)]}}"#
    }

    /// All tests share one process and its few threads: others may run for long between a connection and its hello.
    @Sendable static func bePatient(_ settings: inout SessionSettings) {
        settings.helloTimeoutMilliseconds = 300_000
    }

    /// For connections of tests, which answer no pings and acknowledge nothing: they may be silent for long.
    @Sendable static func bearSilence(_ settings: inout SessionSettings) {
        bePatient(&settings)
        settings.dataTimeoutMilliseconds = 3_600_000
        settings.pingIntervalMilliseconds = 3_600_000
    }

    private static func start(
        _ store: any StoreEngine, port: Int, programme: Programme, authenticator: (any Authenticator)?,
        tls: TLSServer? = nil, adjust: (@Sendable (inout SessionSettings) -> Void)?
    ) async throws -> (server: MarqueeServer, hub: HubSource) {
        var configuration = MarqueeServer.Configuration(host: "127.0.0.1", port: port)
        configuration.adjustSettings = { settings in
            Harness.bePatient(&settings)
            adjust?(&settings)
        }
        if let authenticator { configuration.authenticator = authenticator }
        configuration.tls = tls
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        return try await MarqueeServer.start(
            configuration, store: store, programme: programme, logger: logger)
    }

    /// Stops the server and starts another one on the same store and port.
    func restart() async throws {
        await server.drain(grace: .milliseconds(200))
        try await startAgain()
    }

    /// Starts another server in place of one that has stopped.
    func startAgain() async throws {
        let port = server.summary.port
        for attempt in 1... {
            do {
                (server, hub) = try await Self.start(
                    store, port: port, programme: Self.programme(), authenticator: nil, adjust: nil)
                return
            } catch let error as IOError where error.errnoCode == EADDRINUSE && attempt < Self.attempts {
                // A process that another test starts holds copies of this one's sockets until it executes its own
                // program.
                try await Task.sleep(for: .milliseconds(100))
            }
        }
    }

    /// For listening on a port that was just released.
    private static let attempts = 300

    func stop() async { await server.drain(grace: .milliseconds(200)) }

    func client(
        user: String? = nil, mirror: String? = nil, locale: String = "en", port: Int? = nil,
        security: TransportSecurity? = nil, token: String? = nil
    ) throws -> MarqueeClient {
        var configuration = ClientConfiguration(
            host: "127.0.0.1", port: port ?? server.summary.port, security: security, user: user, locale: locale,
            mirror: .memory)
        if let token { configuration.token = { token } }
        if let mirror { configuration.mirror = .file(folder.appending(path: mirror).path) }
        configuration.backoff = .milliseconds(10)...(.milliseconds(100))
        configuration.callTimeout = .seconds(300)
        configuration.tokenTimeout = .seconds(300)
        return MarqueeClient(configuration)
    }

    @discardableResult
    func commit(_ changes: [Change]) async throws -> StoreOutcome {
        try await hub.committer.commit(.catalogue(key: nil, changes: changes, mutation: nil))
    }

    /// The day that the chart shows next.
    func showChart(_ day: String) async throws {
        try await commit([.show(list: Self.chart, edition: day)])
    }
}

extension ScreenUpdates.Iterator {
    /// Reads until a state meets the condition.
    mutating func first(where condition: (ScreenUpdate) -> Bool) async throws -> ScreenUpdate {
        while let update = try await next() {
            if condition(update) { return update }
        }
        throw ClientError(.closed, "the sequence ended")
    }
}

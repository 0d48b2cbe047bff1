import Foundation
import Logging
import MarqueeAdmin
import MarqueeRelay
import MarqueeServer
import MarqueeTLS
import UnixSignals

/// Relays a server until the process is told to stop.
struct Relaying {
    let options: RelayCommand

    func run() async throws(CommandFailure) {
        Console.surviveClosedPipes()
        let log = options.logging.log()
        if log.isJSON { Console.complain(in: log) }
        for file in [options.tokenFile, options.key].compactMap({ $0 }) { Console.warn(about: file) }
        if let file = options.tokenFile {
            do throws(SecretFileProblem) { _ = try SecretFile.read(file) } catch {
                throw CommandFailure(.noInput, "the token can't be read: \(error.description)")
            }
        } else {
            _ = try TokenVariable.value(in: ProcessInfo.processInfo.environment)
        }
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint, .sighup)
        let protection = try options.protection.protection()
        let socket = try PassedSocket.taken(for: options.listen)
        let node = AdminNode()
        // Started before there is a connection, which may take a while: operators may already be watching the node.
        let admin = try await options.admin.start(node, log: log)
        let failure = await withTaskGroup(of: Void.self) { group -> CommandFailure? in
            let (stops, stopping) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingOldest(1))
            let files = (protection?.files(node.files) ?? []) + options.admin.files(of: admin, node.files)
            group.addTask {
                await signals.obey(
                    readAgain: { for file in files { await file.read() } }, stop: { stopping.yield() })
            }
            for files in files { group.addTask { await files.watch() } }
            defer { group.cancelAll() }
            return await relay(protection?.tls, socket, node, admin, log, until: stops)
        }
        await admin?.stop()
        if let failure { throw failure }
    }

    /// - Returns: why it ended; `nil` if that was requested.
    private func relay(
        _ tls: TLSServer?, _ socket: PassedSocket?, _ node: AdminNode, _ admin: AdminServer?, _ log: ServerLog,
        until stops: AsyncStream<Void>
    ) async -> CommandFailure? {
        let logger = log.logger(label: MarqueeServerCommand.name)
        let upstream = options.upstream.map(\.description).joined(separator: ", ")
        Console.say("relaying \(upstream)")
        // A server upstream that can't be reached is not a failure of this service, however long that lasts.
        let manager = ServiceManager()
        manager?.tell(.ready(status: "Connecting to \(upstream)"))
        node.waits("connecting to \(upstream)")
        let connecting = Task { await manager?.keepTold {} }
        defer { connecting.cancel() }
        let starting = Task { try await start(tls, socket, node, logger) }
        let stopped = Task {
            for await _ in stops { break }
            starting.cancel()
        }
        let server: MarqueeServer
        do {
            server = try await starting.value
        } catch is CancellationError {
            manager?.tell(.stopping(delay: 0))
            return nil
        } catch let problem as TLSProblem {
            return CommandFailure(.noInput, problem.description)
        } catch {
            return CommandFailure(starting: error, on: options.listen)
        }
        let address = ListenAddress(host: server.summary.host, port: server.summary.port)
        node.serves(server, from: .upstream)
        if let line = WebOptions.line(server.summary, isEncrypted: tls != nil) { Console.say(line) }
        Console.say(
            "\(MarqueeServerCommand.name) \(MarqueeServer.version) ready on \(address): revision \(server.summary.revision)"
        )
        connecting.cancel()
        manager?.tell(.ready(status: "Relaying on \(address)"))
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await server.keepTelling(manager) }
            await stopped.value
            group.cancelAll()
        }
        await server.stop(node, admin, after: options.running.drainDelay, telling: manager, logger)
        return nil
    }

    private func start(
        _ tls: TLSServer?, _ socket: PassedSocket?, _ node: AdminNode, _ logger: Logger
    ) async throws -> MarqueeServer {
        var serving = MarqueeServer.Configuration(
            host: options.listen.host, port: options.listen.port, threads: options.running.threadCount)
        serving.socket = socket?.descriptor
        serving.tls = tls
        serving.limits = options.limits.limits
        serving.proxies = options.running.proxies?.all ?? []
        serving.adjustSettings = options.running.adjustSettings
        serving.door = try options.web.place()
        let (security, token) = (options.security, options.token(node.files))
        let relay = RelayServer.Configuration(
            upstream: options.upstream.map { UpstreamAddress(host: $0.host, port: $0.port) }, security: security,
            token: token)
        return try await RelayServer.start(relay, serving: serving, logger: logger)
    }
}

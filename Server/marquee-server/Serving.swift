import Foundation
import Logging
import MarqueeAdmin
import MarqueeCatalogue
import MarqueeModel
import MarqueeScreens
import MarqueeServer
import MarqueeStore
import MarqueeTypes
import Synchronization
import UnixSignals

/// Opens a store, serves it, and shuts down when the process is told to.
struct Serving {
    /// The reason why a server stops.
    private enum Stop {
        case signal
        case replayed
        case failed(CommandFailure)
    }

    let options: ServingOptions
    let replay: ReplayRequest?
    private let log: ServerLog
    private let node = AdminNode()

    /// The settings at the start, from the file of settings and the other sources; `nil` without such a file.
    private let settings: Settings?

    init(options: ServingOptions, replay: ReplayRequest?, settings: Settings? = nil) {
        self.options = options
        self.settings = settings
        self.replay = replay
        log = options.logging.log()
    }

    private var place: StorePlace { options.store.place }

    /// Returns when the server has shut down.
    func run() async throws(CommandFailure) {
        Console.surviveClosedPipes()
        if log.isJSON { Console.complain(in: log) }
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint, .sighup)
        // Checked before the store is touched: wrong types or a wrong programme change nothing.
        let types = try options.types.map { file throws(CommandFailure) in
            try ProgrammeSource.types(file: file, wrong: .configuration)
        }
        // A programme may refer to the types in the store.
        let isComplete = types != nil || !place.mayHoldCatalogue
        let programme = isComplete ? try Starting.programme(of: options, types) : nil
        let given = Starting.Given(types: types, programme: programme, isComplete: isComplete)
        let access = try await Access(options, node.files)
        let socket = try PassedSocket.taken(for: options.listen)
        // Started before the catalogue is read, which may take a while: operators may already be watching the node.
        let admin = try await options.admin.start(node, log: log)
        let files = access.files + options.admin.files(of: admin, node.files)
        let failure = await run(given, try configuration(access, socket), files, admin, signals)
        await admin?.stop()
        if let failure { throw failure }
    }

    /// - Returns: why it ended; `nil` if that was requested.
    private func run(
        _ given: Starting.Given, _ configuration: MarqueeServer.Configuration, _ files: [WatchedFiles],
        _ admin: AdminServer?, _ signals: UnixSignalsSequence
    ) async -> CommandFailure? {
        await withTaskGroup(of: Void.self) { group in
            let (stops, stopping) = AsyncStream.makeStream(of: Stop.self, bufferingPolicy: .bufferingOldest(1))
            let (occasions, reading) = AsyncStream.makeStream(
                of: ProgrammeFile.Occasion.self, bufferingPolicy: .bufferingNewest(1))
            let manager = ServiceManager()
            let starting = Starting(options: options, replay: replay, log: log, node: node, given: given)
            let start = Task { try await starting.started(configuration, telling: manager) }
            group.addTask {
                await signals.obey(
                    readAgain: { await readAgain(files, reading) },
                    stop: {
                        stopping.yield(.signal)
                        start.cancel()
                    })
            }
            for files in files { group.addTask { await files.watch() } }
            defer { group.cancelAll() }
            let started: Starting.Started?
            do { started = try await start.value } catch {
                return error as? CommandFailure ?? CommandFailure(.system, "\(error)")
            }
            guard let started else {
                manager?.tell(.stopping(delay: 0))
                return nil
            }
            let failure = await serve(started, admin, manager, until: (stops, stopping), (occasions, reading))
            do throws(StoreError) { try started.store.store.close() } catch {
                return failure ?? CommandFailure(error, at: place)
            }
            return failure
        }
    }

    // MARK: - While serving

    /// - Returns: why it ended; `nil` if that was requested.
    private func serve(
        _ started: Starting.Started, _ admin: AdminServer?, _ manager: ServiceManager?,
        until stops: (stream: AsyncStream<Stop>, source: AsyncStream<Stop>.Continuation),
        _ occasions: (
            stream: AsyncStream<ProgrammeFile.Occasion>, source: AsyncStream<ProgrammeFile.Occasion>.Continuation
        )
    ) async -> CommandFailure? {
        let (server, hub, store) = (started.server, started.hub, started.store.store)
        let summary = server.summary
        let address = ListenAddress(host: summary.host, port: summary.port)
        node.serves(server) {
            do throws(StoreError) {
                try store.check()
                return nil
            } catch {
                return error.code.isFinal ? error.description : nil
            }
        }
        store.announce(address: ListenAddress(host: address.reachableHost, port: address.port).description)
        let isEncrypted = options.protection.hasTLS
        if let line = WebOptions.windowLine(summary, isEncrypted: isEncrypted) { Console.say(line) }
        if let line = WebOptions.line(summary, isEncrypted: isEncrypted) { Console.say(line) }
        Console.say(
            "\(MarqueeServerCommand.name) \(MarqueeServer.version) ready on \(address): "
                + "\(summary.counts.summary.map { "\($0), " } ?? "")revision \(summary.revision)")
        manager?.tell(.ready(status: "Ready on \(address)"))

        return await withTaskGroup(of: Void.self) { group in
            group.addTask { await watch(store, stops.source) }
            if let path = options.programme {
                hub.expect(programme: started.store.programme.text)
                let file = ProgrammeFile(
                    path: path, types: started.store.types, manager: manager, health: node.files)
                group.addTask { await file.watch(occasions.source) }
                group.addTask { await file.load(at: occasions.stream, into: hub) }
            }
            let stop = await firstStop(
                of: stops.stream, showing: started.store.editions, by: server, hub, telling: manager, stops.source)
            // A store that is gone leaves nothing to wait for.
            var delay = options.running.drainDelay
            if case .failed = stop { delay = 0 }
            let end = Task {
                try await Task.sleep(for: .seconds(delay) + Serving.storePatience)
                if let database = store as? PostgresStore { try database.close() }
            }
            await server.stop(
                node, admin, after: delay, telling: manager, log.logger(label: MarqueeServerCommand.name))
            end.cancel()
            group.cancelAll()
            if case .failed(let failure) = stop { return failure }
            return nil
        }
    }

    /// Runs everything that asks the hub, until `editions` have run out or something stops the server. All of it has
    /// ended when this returns: once the server drains, the hub may never answer.
    private func firstStop(
        of stops: AsyncStream<Stop>, showing editions: Replay?, by server: MarqueeServer, _ hub: HubSource,
        telling manager: ServiceManager?, _ stopping: AsyncStream<Stop>.Continuation
    ) async -> Stop? {
        await withTaskGroup(of: Void.self) { group in
            if let editions { group.addTask { await show(editions, on: hub, stopping) } }
            for rotation in options.rotations { group.addTask { await rotate(rotation, on: hub, stopping) } }
            group.addTask { await server.keepTelling(manager) }
            let stop = await stops.first { _ in true }
            group.cancelAll()
            return stop
        }
    }

    private func configuration(
        _ access: Access, _ socket: PassedSocket?
    ) throws(CommandFailure) -> MarqueeServer.Configuration {
        var configuration = MarqueeServer.Configuration(
            host: options.listen.host, port: options.listen.port, threads: options.running.threadCount)
        configuration.socket = socket?.descriptor
        configuration.tls = access.tls
        configuration.limits = options.limits.limits
        configuration.proxies = options.running.proxies?.all ?? []
        configuration.imageBaseURL = options.imageBaseURL
        configuration.adjustSettings = options.running.adjustSettings
        configuration.authenticator = access.authenticator
        configuration.door = try options.web.place()
        return configuration
    }

    /// Reads the programme file, the certificate, the tokens and the settings again.
    private func readAgain(
        _ files: [WatchedFiles], _ reading: AsyncStream<ProgrammeFile.Occasion>.Continuation
    ) async {
        for file in files { await file.read() }
        readSettings()
        if options.programme == nil, files.isEmpty, settings == nil {
            Console.complain(
                "there is no file to read again; serve with --programme, --tls-cert, --tokens, --jwt-keys, --admin-tokens "
                    + "or --admin-tls-cert to have one"
            )
        }
        reading.yield(.asked)
    }

    private static let settingsName = "settings"

    /// Reads the file of settings again: takes the level of the log from it, and says what needs a restart.
    private func readSettings() {
        guard let settings else { return }
        do throws(CommandFailure) {
            let fresh = try ServeSettings.current()
            let changes = settings.changes(in: fresh)
            let level = fresh.values["log-level"]?.values.last ?? Logger.Level.notice.rawValue
            guard let level = Logger.Level(rawValue: level) else {
                throw CommandFailure(.configuration, "there is no log level '\(level)'")
            }
            log.level.now = level
            node.files.isFine(Self.settingsName)
            let waiting = changes.filter { $0 != "log-level" }
            if !waiting.isEmpty {
                Console.complain("changed settings that need a restart: \(waiting.joined(separator: ", "))")
            }
        } catch {
            node.files.isUnusable(Self.settingsName, error.message)
            Console.complain("\(error.message); the previous settings stay in force", .error)
        }
    }

    /// Stops the server when its store is gone: whatever it stored would be lost.
    private func watch(_ store: any ServedStore, _ stopping: AsyncStream<Stop>.Continuation) async {
        while true {
            do throws(StoreError) {
                try store.check()
            } catch {
                // A database that doesn't answer may come back.
                if error.code.isFinal { stopping.yield(.failed(CommandFailure(error, at: place))) }
                if error.code.isFinal || error.code == .closed { return }
            }
            do { try await Task.sleep(for: Serving.checkInterval) } catch { return }
        }
    }

    /// How long a server that shuts down waits for a database that doesn't answer. Nothing is confirmed any more by
    /// then, and clients resend what wasn't.
    private static let storePatience = Duration.seconds(15)

    /// The pause between two checks of the store. Each commit checks as well.
    private static let checkInterval = Duration.seconds(1)

    private func rotate(
        _ rotation: Rotation, on hub: HubSource, _ stopping: AsyncStream<Stop>.Continuation
    ) async {
        // Reported once, until there has been a choice again.
        let isIdle = Mutex(false)
        do {
            try await rotation.run(on: hub) { event in
                switch event {
                case .nothingToChoose:
                    let isNew = isIdle.withLock { idle in
                        defer { idle = true }
                        return !idle
                    }
                    if isNew { Console.say("pool \(rotation.pool): the programme has nothing else to choose") }
                case .putOff(let error): Console.complain("pool \(rotation.pool) waits: \(error)")
                case .chosen: isIdle.withLock { $0 = false }
                case .chosenBefore: break
                }
            }
        } catch let error as StoreError {
            stopping.yield(.failed(CommandFailure(error, at: place)))
        } catch {
            // Cancelled: the server shuts down.
        }
    }

    private func show(_ editions: Replay, on hub: HubSource, _ stopping: AsyncStream<Stop>.Continuation) async {
        let list = editions.list
        do {
            try await editions.run(on: hub.committer) { event in
                switch event {
                case .shown(let edition, let revision): Console.say("\(list) \(edition): revision \(revision)")
                case .refused(let edition, let reason): Console.complain("\(list) \(edition) is left out: \(reason)")
                case .putOff(let edition, let error): Console.complain("\(list) \(edition) waits: \(error)")
                case .finished(let number): Console.say("\(list): all \(counted(number, "edition")) shown")
                }
            }
            if replay?.exits == true { stopping.yield(.replayed) }
        } catch let error as StoreError {
            stopping.yield(.failed(CommandFailure(error, at: place)))
        } catch {
            // Cancelled: the server shuts down.
        }
    }
}

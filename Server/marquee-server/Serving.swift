import Foundation
import Logging
import MarqueeCatalogue
import MarqueeModel
import MarqueeScreens
import MarqueeServer
import MarqueeStore
import MarqueeTypes
import UnixSignals

/// Opens a data folder, serves it, and shuts down when the process is told to.
struct Serving {
    /// What makes a server stop.
    private enum Stop {
        case signal
        case replayed
        case failed(CommandFailure)
    }

    let options: ServingOptions
    let replay: ReplayRequest?

    private var folder: String { options.data.folder }

    /// Returns when the server has shut down.
    func run() async throws(CommandFailure) {
        Console.surviveClosedPipes()
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint, .sighup)
        // Checked before the folder is touched: wrong types or a wrong programme change nothing.
        let types = try options.types.map { file throws(CommandFailure) in
            try ProgrammeSource.types(file: file, wrong: .configuration)
        }
        // A programme may refer to the types in the folder.
        let isEarly = types != nil || !SQLiteStore.isThere(folder)
        let early = isEarly ? try programmeGiven(types) : nil
        let store = try open()
        let failure: CommandFailure?
        do throws(CommandFailure) {
            var typesInForce = types
            if types == nil { typesInForce = try ProgrammeSource.storedTypes(in: store, folder: folder) }
            let given = isEarly ? early : try programmeGiven(typesInForce)
            let programme = try settle(given, types, in: store)
            try dropOldEditions(in: store)
            let shown = try replay.map { request throws(CommandFailure) in try self.editions(of: request, in: store) }
            failure = await serve(programme, typesInForce, shown, store, signals)
        } catch {
            failure = error
        }
        do throws(StoreError) {
            try store.close()
        } catch {
            throw failure ?? CommandFailure(error, folder: folder)
        }
        if let failure { throw failure }
    }

    // MARK: - Before serving

    private func programmeGiven(_ types: TypeSet?) throws(CommandFailure) -> ProgrammeSource? {
        guard let file = options.programme else { return nil }
        return try ProgrammeSource(file: file, types: types, wrong: .configuration)
    }

    private func open() throws(CommandFailure) -> SQLiteStore {
        do throws(StoreError) {
            var limits = StoreLimits()
            limits.listEditions = options.keptEditions
            return try SQLiteStore(folder: folder, limits: limits, programmeCheck: ProgrammeJudge.check)
        } catch {
            throw CommandFailure(error, folder: folder)
        }
    }

    /// Decides which programme is served, and makes it part of the catalogue's log, from which all screens are made.
    ///
    /// - Parameter types: types to put in force along with it, if any were given.
    private func settle(
        _ given: ProgrammeSource?, _ types: TypeSet?, in store: SQLiteStore
    ) throws(CommandFailure) -> ProgrammeSource {
        let stored = given == nil ? try ProgrammeSource.stored(in: store, folder: folder) : nil
        if types == nil, let stored { return stored }
        let programme: ProgrammeSource
        if let known = given ?? stored { programme = known } else { programme = try ProgrammeSource.builtIn() }
        var changes: [Change] = []
        if let types { changes.append(.types(types.document)) }
        changes.append(.programme(programme.text))
        do throws(StoreError) {
            // The store makes no commit for a programme that it already holds.
            let outcomes = try store.write([.catalogue(key: nil, changes: changes, mutation: nil)])
            if case .refused(let reason)? = outcomes.first { throw StoreError(.invalid, reason) }
        } catch {
            throw CommandFailure(error, folder: folder)
        }
        return programme
    }

    private func dropOldEditions(in store: SQLiteStore) throws(CommandFailure) {
        do throws(StoreError) {
            let count = try store.dropOldEditions()
            if count > 0 { Console.say("\(counted(count, "old edition")) removed") }
        } catch {
            throw CommandFailure(error, folder: folder)
        }
    }

    private func editions(of request: ReplayRequest, in store: SQLiteStore) throws(CommandFailure) -> Replay {
        let replay: Replay?
        do throws(StoreError) {
            replay = try Replay(list: request.list, speed: request.speed, store: store)
        } catch {
            throw CommandFailure(error, folder: folder)
        }
        guard let replay else {
            throw CommandFailure(
                .noInput,
                "\(folder) has no editions of a list '\(request.list)'; import some with 'import chart', whose lists are "
                    + "called chart/<id>, or with 'import ndjson'")
        }
        return replay
    }

    // MARK: - While serving

    /// - Returns: why it ended, if that was not on request.
    private func serve(
        _ programme: ProgrammeSource, _ types: TypeSet?, _ editions: Replay?, _ store: SQLiteStore,
        _ signals: UnixSignalsSequence
    ) async -> CommandFailure? {
        let logger = makeLogger()
        let server: MarqueeServer
        do {
            server = try await MarqueeServer.start(configuration(programme), store: store, logger: logger)
        } catch let error as StoreError {
            return CommandFailure(error, folder: folder)
        } catch {
            return CommandFailure(listening: error, on: options.listen)
        }
        let summary = server.summary
        let address = ListenAddress(host: summary.host, port: summary.port)
        store.announce(address: ListenAddress(host: address.reachableHost, port: address.port).description)
        Console.say(
            "\(MarqueeServerCommand.name) \(MarqueeServer.version) ready on \(address): "
                + "\(summary.counts.summary.map { "\($0), " } ?? "")revision \(summary.revision)")

        return await withTaskGroup(of: Void.self) { group in
            let (stops, stopping) = AsyncStream.makeStream(of: Stop.self, bufferingPolicy: .bufferingOldest(1))
            let (occasions, reading) = AsyncStream.makeStream(
                of: ProgrammeFile.Occasion.self, bufferingPolicy: .bufferingNewest(1))
            group.addTask { await watch(signals, stopping, reading) }
            group.addTask { await watch(store, stopping) }
            if let file = options.programme.map({ ProgrammeFile(path: $0, types: types) }) {
                group.addTask { await file.watch(reading) }
                group.addTask { await file.load(at: occasions, into: server.committer) }
            }
            let stop = await firstStop(of: stops, showing: editions, on: server, stopping)
            logger.notice("shutting down: telling clients to leave")
            await server.drain()
            group.cancelAll()
            if case .failed(let failure) = stop { return failure }
            return nil
        }
    }

    /// Shows `editions` until they run out or something stops the server.
    private func firstStop(
        of stops: AsyncStream<Stop>, showing editions: Replay?, on server: MarqueeServer,
        _ stopping: AsyncStream<Stop>.Continuation
    ) async -> Stop? {
        await withTaskGroup(of: Void.self) { group in
            if let editions { group.addTask { await show(editions, on: server, stopping) } }
            for rotation in options.rotations { group.addTask { await rotate(rotation, on: server, stopping) } }
            let stop = await stops.first { _ in true }
            group.cancelAll()
            return stop
        }
    }

    private func configuration(_ programme: ProgrammeSource) -> MarqueeServer.Configuration {
        var configuration = MarqueeServer.Configuration(
            host: options.listen.host, port: options.listen.port, programme: programme.programme,
            threads: options.threadCount)
        configuration.imageBaseURL = options.imageBaseURL
        configuration.adjustSettings = { [pingInterval = options.pingInterval] settings in
            settings.pingIntervalMilliseconds = UInt32(clamping: pingInterval * 1_000)
            // Pings sent one interval apart may arrive closer together.
            settings.pingMinimumMilliseconds = min(
                settings.pingMinimumMilliseconds, settings.pingIntervalMilliseconds / 2)
        }
        configuration.authenticator = options.open ? OpenAuthenticator() : ReadOnlyAuthenticator()
        return configuration
    }

    private func makeLogger() -> Logger {
        var logger = Logger(label: MarqueeServerCommand.name) { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = options.logLevel
        return logger
    }

    /// The first signal asks for an orderly shutdown; a second one means that the sender doesn't want to wait for it.
    ///
    /// SIGHUP asks for the programme file to be read again, unless it means that the server's terminal is gone.
    private func watch(
        _ signals: UnixSignalsSequence, _ stopping: AsyncStream<Stop>.Continuation,
        _ reading: AsyncStream<ProgrammeFile.Occasion>.Continuation
    ) async {
        let hadTerminal = Console.hasTerminal
        var isStopping = false
        for await signal in signals {
            if signal == .sighup, !isStopping, !hadTerminal || Console.hasTerminal {
                if options.programme == nil {
                    Console.complain("there is no programme file to read again; serve with --programme to have one")
                }
                reading.yield(.asked)
                continue
            }
            if isStopping { _exit(CommandFailure.Code.interrupted) }
            isStopping = true
            stopping.yield(.signal)
        }
    }

    /// Stops the server when its data folder is gone: whatever it stored would be lost.
    private func watch(_ store: SQLiteStore, _ stopping: AsyncStream<Stop>.Continuation) async {
        while true {
            do throws(StoreError) {
                try store.checkFolder()
            } catch {
                if error.code == .lost { stopping.yield(.failed(CommandFailure(error, folder: folder))) }
                return
            }
            do { try await Task.sleep(for: Serving.folderCheckInterval) } catch { return }
        }
    }

    /// The pause between two checks of the data folder. Each commit checks as well.
    private static let folderCheckInterval = Duration.seconds(1)

    private func rotate(
        _ rotation: Rotation, on server: MarqueeServer, _ stopping: AsyncStream<Stop>.Continuation
    ) async {
        do {
            try await rotation.run(on: server) { event in
                switch event {
                case .nothingToChoose: Console.say("pool \(rotation.pool): the programme has nothing else to choose")
                case .putOff(let error): Console.complain("pool \(rotation.pool) waits: \(error)")
                case .chosen, .chosenBefore: break
                }
            }
        } catch let error as StoreError {
            stopping.yield(.failed(CommandFailure(error, folder: folder)))
        } catch {
            // Cancelled: the server shuts down.
        }
    }

    private func show(_ editions: Replay, on server: MarqueeServer, _ stopping: AsyncStream<Stop>.Continuation) async {
        let list = editions.list
        do {
            try await editions.run(on: server.committer) { event in
                switch event {
                case .shown(let edition, let revision): Console.say("\(list) \(edition): revision \(revision)")
                case .refused(let edition, let reason): Console.complain("\(list) \(edition) is left out: \(reason)")
                case .putOff(let edition, let error): Console.complain("\(list) \(edition) waits: \(error)")
                case .finished(let number): Console.say("\(list): all \(counted(number, "edition")) shown")
                }
            }
            if replay?.exits == true { stopping.yield(.replayed) }
        } catch let error as StoreError {
            stopping.yield(.failed(CommandFailure(error, folder: folder)))
        } catch {
            // Cancelled: the server shuts down.
        }
    }
}

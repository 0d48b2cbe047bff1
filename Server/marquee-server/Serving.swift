import Foundation
import Logging
import MarqueeAdmin
import MarqueeCatalogue
import MarqueeModel
import MarqueeScreens
import MarqueeServer
import MarqueeStore
import MarqueeTypes
import UnixSignals

/// Opens a store, serves it, and shuts down when the process is told to.
struct Serving {
    /// What makes a server stop.
    private enum Stop {
        case signal
        case replayed
        case failed(CommandFailure)
    }

    let options: ServingOptions
    let replay: ReplayRequest?
    private let log: ServerLog
    private let node = AdminNode()

    /// What the file of settings and the rest said at the start; `nil` without such a file.
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
        let isEarly = types != nil || !place.mayHoldCatalogue
        let early = isEarly ? try programmeGiven(types) : nil
        let access = try await Access(options)
        // Before the catalogue is read, which may take a while: somebody may wait for the node.
        let admin = try await options.admin.start(node, log: log)
        let failure: CommandFailure?
        do throws(CommandFailure) {
            try await run(types, early, isEarly, access, admin, signals)
            failure = nil
        } catch {
            failure = error
        }
        await admin?.stop()
        if let failure { throw failure }
    }

    private func run(
        _ types: TypeSet?, _ early: ProgrammeSource?, _ isEarly: Bool, _ access: Access, _ admin: AdminServer?,
        _ signals: UnixSignalsSequence
    ) async throws(CommandFailure) {
        let store = try open()
        let failure: CommandFailure?
        do throws(CommandFailure) {
            var typesInForce = types
            if types == nil { typesInForce = try ProgrammeSource.storedTypes(in: store, at: place) }
            let given = isEarly ? early : try programmeGiven(typesInForce)
            let programme = try settle(given, types, in: store)
            try dropOldEditions(in: store)
            let shown = try replay.map { request throws(CommandFailure) in try self.editions(of: request, in: store) }
            failure = await serve(programme, typesInForce, shown, store, access, admin, signals)
        } catch {
            failure = error
        }
        do throws(StoreError) {
            try store.close()
        } catch {
            throw failure ?? CommandFailure(error, at: place)
        }
        if let failure { throw failure }
    }

    // MARK: - Before serving

    private func programmeGiven(_ types: TypeSet?) throws(CommandFailure) -> ProgrammeSource? {
        guard let file = options.programme else { return nil }
        return try ProgrammeSource(file: file, types: types, wrong: .configuration)
    }

    private func open() throws(CommandFailure) -> any ServedStore {
        do throws(StoreError) {
            var limits = StoreLimits()
            limits.listEditions = options.keptEditions
            return try place.open(limits, allowLostCommits: options.allowLostCommits)
        } catch {
            throw CommandFailure(error, at: place)
        }
    }

    /// Decides which programme is served, and makes it part of the catalogue's log, from which all screens are made.
    ///
    /// - Parameter types: types to put in force along with it, if any were given.
    private func settle(
        _ given: ProgrammeSource?, _ types: TypeSet?, in store: any ServedStore
    ) throws(CommandFailure) -> ProgrammeSource {
        let stored = given == nil ? try ProgrammeSource.stored(in: store, at: place) : nil
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
            throw CommandFailure(error, at: place)
        }
        return programme
    }

    private func dropOldEditions(in store: any ServedStore) throws(CommandFailure) {
        do throws(StoreError) {
            let count = try store.dropOldEditions()
            if count > 0 { Console.say("\(counted(count, "old edition")) removed") }
        } catch {
            throw CommandFailure(error, at: place)
        }
    }

    private func editions(of request: ReplayRequest, in store: any ServedStore) throws(CommandFailure) -> Replay {
        let replay: Replay?
        do throws(StoreError) {
            replay = try Replay(list: request.list, speed: request.speed, store: store)
        } catch {
            throw CommandFailure(error, at: place)
        }
        guard let replay else {
            throw CommandFailure(
                .noInput,
                "\(place.name) has no editions of a list '\(request.list)'; import some with 'import chart', whose lists are "
                    + "called chart/<id>, or with 'import ndjson'")
        }
        return replay
    }

    // MARK: - While serving

    /// - Returns: why it ended, if that was not on request.
    private func serve(
        _ programme: ProgrammeSource, _ types: TypeSet?, _ editions: Replay?, _ store: any ServedStore,
        _ access: Access, _ admin: AdminServer?, _ signals: UnixSignalsSequence
    ) async -> CommandFailure? {
        let logger = log.logger(label: MarqueeServerCommand.name)
        let (server, hub): (MarqueeServer, HubSource)
        do {
            (server, hub) = try await MarqueeServer.start(
                configuration(access), store: store, programme: programme.programme, logger: logger)
        } catch let error as StoreError {
            return CommandFailure(error, at: place)
        } catch {
            return CommandFailure(listening: error, on: options.listen)
        }
        let summary = server.summary
        let address = ListenAddress(host: summary.host, port: summary.port)
        node.serves(server) {
            do throws(StoreError) {
                try store.check()
                return nil
            } catch {
                return error.description
            }
        }
        store.announce(address: ListenAddress(host: address.reachableHost, port: address.port).description)
        Console.say(
            "\(MarqueeServerCommand.name) \(MarqueeServer.version) ready on \(address): "
                + "\(summary.counts.summary.map { "\($0), " } ?? "")revision \(summary.revision)")
        let manager = ServiceManager()
        manager?.tell(.ready(status: "Ready on \(address)"))

        return await withTaskGroup(of: Void.self) { group in
            let (stops, stopping) = AsyncStream.makeStream(of: Stop.self, bufferingPolicy: .bufferingOldest(1))
            let (occasions, reading) = AsyncStream.makeStream(
                of: ProgrammeFile.Occasion.self, bufferingPolicy: .bufferingNewest(1))
            group.addTask {
                await signals.obey(
                    readAgain: { await readAgain(access.files, reading) }, stop: { stopping.yield(.signal) })
            }
            for files in access.files { group.addTask { await files.watch() } }
            group.addTask { await watch(store, stopping) }
            if let file = options.programme.map({ ProgrammeFile(path: $0, types: types, manager: manager) }) {
                group.addTask { await file.watch(reading) }
                group.addTask { await file.load(at: occasions, into: hub.committer) }
            }
            let stop = await firstStop(of: stops, showing: editions, by: server, hub, telling: manager, stopping)
            await server.stop(node, admin, telling: manager, logger)
            group.cancelAll()
            if case .failed(let failure) = stop { return failure }
            return nil
        }
    }

    /// Runs everything that asks the hub, until `editions` have run out or something stops the server. Nothing of it
    /// is left when this returns: once the server drains, the hub may never answer.
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

    private func configuration(_ access: Access) -> MarqueeServer.Configuration {
        var configuration = MarqueeServer.Configuration(
            host: options.listen.host, port: options.listen.port, threads: options.running.threadCount)
        configuration.tls = access.tls
        configuration.limits = options.limits.limits
        configuration.imageBaseURL = options.imageBaseURL
        configuration.adjustSettings = options.running.adjustSettings
        configuration.authenticator = access.authenticator
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
                "there is no file to read again; serve with --programme, --tls-cert, --tokens or --jwt-keys to have one"
            )
        }
        reading.yield(.asked)
    }

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
            let waiting = changes.filter { $0 != "log-level" }
            if !waiting.isEmpty {
                Console.complain("changed settings that need a restart: \(waiting.joined(separator: ", "))")
            }
        } catch {
            Console.complain("\(error.message); the previous settings stay in force")
        }
    }

    /// Stops the server when its store is gone: whatever it stored would be lost.
    private func watch(_ store: any ServedStore, _ stopping: AsyncStream<Stop>.Continuation) async {
        while true {
            do throws(StoreError) {
                try store.check()
            } catch {
                // A database that doesn't answer comes back.
                if error.code.isFinal { stopping.yield(.failed(CommandFailure(error, at: place))) }
                if error.code.isFinal || error.code == .closed { return }
            }
            do { try await Task.sleep(for: Serving.checkInterval) } catch { return }
        }
    }

    /// The pause between two checks of the store. Each commit checks as well.
    private static let checkInterval = Duration.seconds(1)

    private func rotate(
        _ rotation: Rotation, on hub: HubSource, _ stopping: AsyncStream<Stop>.Continuation
    ) async {
        do {
            try await rotation.run(on: hub) { event in
                switch event {
                case .nothingToChoose: Console.say("pool \(rotation.pool): the programme has nothing else to choose")
                case .putOff(let error): Console.complain("pool \(rotation.pool) waits: \(error)")
                case .chosen, .chosenBefore: break
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

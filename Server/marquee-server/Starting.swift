import Dispatch
import MarqueeAdmin
import MarqueeCatalogue
import MarqueeModel
import MarqueeScreens
import MarqueeServer
import MarqueeStore
import MarqueeTypes

/// Opens and checks a store and starts a server for it.
///
/// Waits for a database that can't be reached, however long that takes. Each attempt opens and checks everything again,
/// so a database that comes late passes the same checks as one that is there at once.
struct Starting: Sendable {
    /// The content of files that were read before the store was opened.
    struct Given: Sendable {
        var types: TypeSet?
        var programme: ProgrammeSource?
        /// Whether the programme was read; otherwise it may refer to the types in the store.
        var isComplete: Bool
    }

    struct Started: Sendable {
        var store: Prepared
        var server: MarqueeServer
        var hub: HubSource
    }

    /// A store that is ready to be served.
    struct Prepared: Sendable {
        var store: any ServedStore
        var types: TypeSet?
        var programme: ProgrammeSource
        /// The editions to be shown, if any are.
        var editions: Replay?
    }

    /// The pauses between two attempts, in seconds: drawn between zero and a bound, which doubles up to the longest.
    private static let pauses = (first: 0.1, longest: 5.0)

    let options: ServingOptions
    let replay: ReplayRequest?
    let log: ServerLog
    let node: AdminNode
    let given: Given

    private var place: StorePlace { options.store.place }

    /// - Parameter manager: told at once that the service runs if it has to wait for a database: that may take longer
    ///   than the manager lets a service start.
    /// - Returns: `nil` if the task was cancelled meanwhile.
    func started(
        _ configuration: MarqueeServer.Configuration, telling manager: ServiceManager?
    ) async throws(CommandFailure) -> Started? {
        let logger = log.logger(label: MarqueeServerCommand.name)
        let begin = ContinuousClock.now
        var bound = Self.pauses.first
        var problem: String?
        var waiting: Task<Void, Never>?
        defer { waiting?.cancel() }
        while !Task.isCancelled {
            do throws(CommandFailure) {
                let started = try await attempt(configuration)
                if started != nil, problem != nil {
                    let seconds = Int(begin.duration(to: .now) / .seconds(1))
                    logger.notice("the store can be reached, after \(seconds) s")
                }
                return started
            } catch {
                guard error.passes else { throw error }
                if waiting == nil {
                    manager?.tell(.ready(status: "Waiting for \(place.name)"))
                    waiting = Task { await manager?.keepTold {} }
                }
                if problem != error.message { logger.error("waiting for the store, trying again: \(error.message)") }
                problem = error.message
                node.waits("waiting for the store: \(error.message)")
            }
            try? await Task.sleep(for: .seconds(.random(in: 0...bound)))
            bound = min(Self.pauses.longest, 2 * bound)
        }
        return nil
    }

    /// - Returns: `nil` if the task was cancelled.
    private func attempt(_ configuration: MarqueeServer.Configuration) async throws(CommandFailure) -> Started? {
        let place = place
        let prepared = await AbandonableJob.run { () -> Result<Prepared, CommandFailure> in
            do throws(CommandFailure) { return .success(try prepare()) } catch { return .failure(error) }
        } discard: { late in
            try? late.get().store.close()
        }
        guard let prepared = try prepared?.get() else { return nil }
        do {
            let (server, hub) = try await MarqueeServer.start(
                configuration, store: prepared.store, programme: prepared.programme.programme,
                logger: log.logger(label: MarqueeServerCommand.name))
            return Started(store: prepared, server: server, hub: hub)
        } catch {
            try? prepared.store.close()
            if let error = error as? StoreError { throw CommandFailure(error, at: place) }
            throw CommandFailure(starting: error, on: options.listen)
        }
    }

    // MARK: - The store

    /// Opens and checks the store. Blocks.
    private func prepare() throws(CommandFailure) -> Prepared {
        let store = try open()
        do throws(CommandFailure) {
            var types = given.types
            if types == nil { types = try ProgrammeSource.storedTypes(in: store, at: place) }
            let programme = given.isComplete ? given.programme : try Self.programme(of: options, types)
            let settled = try settle(programme, in: store)
            try checkPools(of: settled.programme)
            try dropOldEditions(in: store)
            let editions = try replay.map { request throws(CommandFailure) in try self.editions(of: request, in: store)
            }
            return Prepared(store: store, types: types, programme: settled, editions: editions)
        } catch {
            try? store.close()
            throw error
        }
    }

    /// Refuses a rotation of a pool that the programme doesn't have.
    private func checkPools(of programme: Programme) throws(CommandFailure) {
        let pools = programme.pools
        for rotation in options.rotations where !pools.contains(rotation.pool) {
            let hint = NearestName.hint(for: rotation.pool, among: pools)
            let known = pools.isEmpty ? "none" : Array(Set(pools)).sorted().prefix(24).joined(separator: ", ")
            throw CommandFailure(
                .configuration,
                "--rotate \(rotation.pool): the programme has no such pool\(hint.isEmpty ? "; it has \(known)" : hint)")
        }
    }

    static func programme(of options: ServingOptions, _ types: TypeSet?) throws(CommandFailure) -> ProgrammeSource? {
        guard let file = options.programme else { return nil }
        return try ProgrammeSource(file: file, types: types, wrong: .configuration)
    }

    private func open() throws(CommandFailure) -> any ServedStore {
        do throws(StoreError) {
            var limits = StoreLimits()
            limits.listEditions = options.keptEditions
            limits.observationBytes = options.seenBytes
            return try place.open(limits, allowLostCommits: options.allowLostCommits)
        } catch {
            throw CommandFailure(error, at: place)
        }
    }

    /// Decides which programme is served, and makes it part of the catalogue's log, from which all screens are made,
    /// along with the types that were given, if any were.
    private func settle(
        _ programme: ProgrammeSource?, in store: any ServedStore
    ) throws(CommandFailure) -> ProgrammeSource {
        let stored = programme == nil ? try ProgrammeSource.stored(in: store, at: place) : nil
        if given.types == nil, let stored { return stored }
        let settled: ProgrammeSource
        if let known = programme ?? stored { settled = known } else { settled = try ProgrammeSource.builtIn() }
        var changes: [Change] = []
        if let types = given.types { changes.append(.types(types.document)) }
        changes.append(.programme(settled.text))
        do throws(StoreError) {
            // The store makes no commit for a programme that it already holds.
            let outcomes = try store.write([.catalogue(key: nil, changes: changes, mutation: nil)])
            if case .refused(let reason)? = outcomes.first { throw StoreError(.invalid, reason) }
            if case .database = place, case .done(let revision, true)? = outcomes.first, programme != nil,
                revision > 1
            {
                Console.say("\(options.programme ?? "the programme"): in force on all servers, revision \(revision)")
            }
        } catch {
            throw CommandFailure(error, at: place)
        }
        return settled
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
}

/// Work that blocks, on a thread of its own: tasks share one thread per processor.
private enum AbandonableJob {
    /// - Parameters:
    ///   - work: goes on if the task is cancelled.
    ///   - discard: called with its result then.
    /// - Returns: `nil` as soon as the task is cancelled.
    static func run<Value: Sendable>(
        _ work: @escaping @Sendable () -> Value, discard: @escaping @Sendable (Value) -> Void
    ) async -> Value? {
        // Ends when the task is cancelled.
        let (results, result) = AsyncStream.makeStream(of: Value.self, bufferingPolicy: .bufferingOldest(1))
        DispatchQueue.global().async {
            let value = work()
            guard case .enqueued = result.yield(value) else { return discard(value) }
        }
        return await results.first { _ in true }
    }
}

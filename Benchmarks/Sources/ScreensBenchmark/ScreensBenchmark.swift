import CMeasuring
import Foundation
import MarqueeCatalogue
import Measuring

@testable import MarqueeModel
@testable import MarqueeScreens
@testable import MarqueeServer
@testable import MarqueeStore
@testable import MarqueeTypes

/// What screens cost.
///
///     ScreensBenchmark commits [records] MOVIES…            what a change of popularity costs, by catalogue and views
///     ScreensBenchmark catalogue [bare|records] MOVIES      start, memory and first snapshots of a catalogue
///     ScreensBenchmark store [bare|records] MOVIES FOLDER   the same from a data folder, which is filled first
///     ScreensBenchmark count [records] MOVIES CHANGES       for `instructions.sh`: the first, under valgrind
///
/// `bare` leaves credits and people out; `records` has each movie as a record of an operator's own type.
@main
enum ScreensBenchmark {
    static func main() throws {
        var arguments = Array(CommandLine.arguments.dropFirst())
        let content = arguments.dropFirst().first.flatMap(GeneratedCatalogue.Content.init)
        if content != nil { arguments.remove(at: 1) }
        let numbers = arguments.dropFirst().compactMap { Int($0) }
        guard numbers.allSatisfy({ $0 >= leastMovies || arguments[0] == "count" }) else {
            return fail("a catalogue of at least \(leastMovies) movies is needed")
        }
        switch (arguments.first, numbers.count) {
        case ("commits", 1...): try commits(sizes: numbers, content ?? .movies)
        case ("catalogue", 1): try catalogue(movies: numbers[0], content ?? .movies)
        case ("store", 1) where arguments.count == 3:
            try store(movies: numbers[0], content ?? .movies, folder: arguments[2])
        // Popularity is of no matter to credits, and loading takes valgrind long enough.
        case ("count", 2): try count(movies: numbers[0], content ?? .bare, changes: numbers[1])
        default:
            fail(
                "usage: ScreensBenchmark commits [records] MOVIES… | catalogue [bare|records] MOVIES | "
                    + "store [bare|records] MOVIES FOLDER")
        }
    }

    private static func fail(_ message: String) {
        FileHandle.standardError.write(Data("\(message)\n".utf8))
        exit(64)
    }

    // MARK: - One change

    /// So that there can be as many views as the tables ask for.
    private static let leastMovies = 1_000
    private static let liveViews = [10, 1_000, 10_000]
    private static let warmUps = 50
    private static let changes = 500

    private static func commits(sizes: [Int], _ content: GeneratedCatalogue.Content) throws {
        var table = Table(
            "One change of popularity of \(content == .records ? "records" : "movies"): medians of \(changes), CPU time of the hub's thread; work counted",
            columns: [
                "movies", "live views", "change", "commit µs", "comparisons", "renewals", "members", "items made",
                "heads",
                "patches", "bytes", "patches µs",
            ])
        for size in sizes {
            progress("one change among \(grouped(size)) \(content)")
            let world = try World(movies: size, content: content)
            for views in liveViews {
                try world.open(views: views)
                for kind in World.Change.allCases { table.add(try row(of: kind, in: world)) }
            }
        }
        table.print()
    }

    private static func row(of kind: World.Change, in world: World) throws -> [String] {
        for _ in 0..<warmUps {
            world.commit(kind)
            try world.hub.catchUp()
            _ = world.makePatches()
        }
        var (commits, patches): ([Double], [Double]) = ([], [])
        var made = (count: 0, bytes: 0)
        let before = world.hub.counters
        for _ in 0..<changes {
            world.commit(kind)
            commits.append(try CPUTime.measure { try world.hub.catchUp() }.microseconds)
            let (patch, microseconds) = CPUTime.measure { world.makePatches() }
            patches.append(microseconds)
            made.count += patch.count
            made.bytes += patch.bytes
        }
        let after = world.hub.counters
        func mean(_ sum: UInt64) -> String { decimal(Double(sum) / Double(changes)) }
        func mean(_ field: KeyPath<ScreenCounters, UInt64>) -> String {
            mean(after[keyPath: field] - before[keyPath: field])
        }
        return [
            grouped(world.catalogue.movieCount), grouped(world.views), kind.rawValue, decimal(commits.median),
            mean(\.comparisons), mean(\.renewals), mean(\.members), mean(\.items), mean(\.heads),
            mean(UInt64(made.count)), mean(UInt64(made.bytes)), decimal(patches.median),
        ]
    }

    /// Run under callgrind: counts what happens between two toggles, and names each count as the table's rows are
    /// named.
    private static func count(movies: Int, _ content: GeneratedCatalogue.Content, changes: Int) throws {
        let world = try World(movies: movies, content: content)
        for views in liveViews {
            progress("counting instructions: \(grouped(movies)) movies, \(grouped(views)) views")
            try world.open(views: views)
            for kind in World.Change.allCases {
                callgrind_start()
                for counted in [Counted.nothing, .commit, .patches] {
                    for _ in 0..<changes {
                        world.commit(kind)
                        if counted == .commit { callgrind_toggle() }
                        try world.hub.catchUp()
                        if counted != .nothing { callgrind_toggle() }
                        _ = world.makePatches()
                        if counted == .patches { callgrind_toggle() }
                    }
                    if counted != .nothing {
                        callgrind_name("\(grouped(views)) live views, \(kind.rawValue): \(counted)")
                    }
                }
                callgrind_stop()
            }
        }
    }

    private enum Counted {
        /// To warm up.
        case nothing
        case commit
        case patches
    }

    // MARK: - A large catalogue

    private static func catalogue(movies: Int, _ content: GeneratedCatalogue.Content) throws {
        let title =
            switch content {
            case .movies: "\(grouped(movies)) movies, with credits and people"
            case .bare: "\(grouped(movies)) movies alone"
            case .records: "\(grouped(movies)) records of a movie's size"
            }
        progress("starting with \(title)")
        let generated = GeneratedCatalogue(movieCount: movies, content: content)
        // What it takes to make the catalogue up is no part of the start.
        let generating = CPUTime.measure { generated.forEach { _ in } }.microseconds
        let before = Memory.now
        let (world, starting) = try CPUTime.measure { try World(movies: movies, content: content) }
        let memory = Memory.now
        var table = Table(
            "A catalogue of \(title)",
            columns: ["", ""])
        table.add(["start, without reading it from anywhere", "\(decimal((starting - generating) / 1e6, 2)) s CPU"])
        table.add(["memory allocated", "\(grouped((memory.allocated - before.allocated) / movies)) bytes each"])
        table.add(["memory resident", "\(grouped((memory.resident - before.resident) / movies)) bytes each"])
        table.add(["memory resident at most, while starting", "\(grouped(memory.peak / movies)) bytes each"])
        try addFirstSnapshots(of: world.hub, content, to: &table)
        table.print()
    }

    private static func addFirstSnapshots(
        of hub: Hub, _ content: GeneratedCatalogue.Content, to table: inout Table
    ) throws {
        for screen in ["home", "genre/28", content == .records ? "film/77" : "detail/77"] {
            for time in ["first", "second"] {
                let request = OpenRequest(screen: screen, locale: "en", parameters: [], user: nil)
                let (view, microseconds) = try CPUTime.measure { try hub.open(request).get() }
                table.add(["\(time) snapshot of \(screen)", "\(decimal(microseconds)) µs CPU"])
                hub.release(view.handles)
            }
        }
    }

    private static let changesPerCommit = 20_000

    private static func store(movies: Int, _ content: GeneratedCatalogue.Content, folder: String) throws {
        let store = try SQLiteStore(folder: folder)
        var table = Table("A data folder", columns: ["", ""])
        if try store.catalogueHead().revision == 0 {
            progress("filling \(folder) with \(grouped(movies)) movies")
            let start = WallTime.seconds
            try fill(store, with: GeneratedCatalogue(movieCount: movies, content: content))
            table.add([
                "filled, in commits of \(grouped(changesPerCommit)) records", "\(decimal(WallTime.seconds - start)) s",
            ])
        }
        progress("starting from \(folder)")
        let before = Memory.now
        let wall = WallTime.seconds
        let types = content == .records ? try TypeSet(FilmCatalogue.types, file: "bench") : nil
        let programme = try Programme.parse(text: World.programme(of: content), file: "bench", types: types)
        let (hub, starting) = try CPUTime.measure {
            try Hub(
                store: store, library: VersionLibrary(), programme: programme, now: 0, publish: { _ in },
                report: { progress($0) })
        }
        table.add(["\(content)", grouped(movies)])
        table.add(["start", "\(decimal(WallTime.seconds - wall)) s, \(decimal(starting / 1e6)) s CPU"])
        let memory = Memory.now
        table.add(["one change of popularity, stored", "\(decimal(try writing(to: store, movies, content))) µs CPU"])
        table.add(["memory resident", "\(grouped((memory.resident - before.resident) / movies)) bytes each"])
        table.add(["memory resident at most, ever", "\(grouped(memory.peak / movies)) bytes each"])
        try addFirstSnapshots(of: hub, content, to: &table)
        table.print()
        try store.close()
    }

    /// The mean of changes that are a commit each, without what the disk takes.
    private static func writing(
        to store: SQLiteStore, _ movies: Int, _ content: GeneratedCatalogue.Content
    ) throws -> Double {
        let catalogue = GeneratedCatalogue(movieCount: movies, content: content)
        let writes = (1...UInt64(changes)).map { id in
            var update = MovieUpdate(id: id)
            update.popularity = Double(movies) + Double(id)
            guard content == .records else { return Change.movieUpdate(update) }
            return FilmCatalogue.put(catalogue.movie(id).merged(with: update))
        }
        return try CPUTime.measure {
            for change in writes { _ = try store.write([.catalogue(key: nil, changes: [change], mutation: nil)]) }
        }.microseconds / Double(changes)
    }

    private static func fill(_ store: SQLiteStore, with catalogue: GeneratedCatalogue) throws {
        var batch: [Change] = []
        var written = 0
        var failure: (any Error)?
        func flush() {
            guard failure == nil else { return }
            do {
                for outcome in try store.write([.catalogue(key: nil, changes: batch, mutation: nil)]) {
                    if case .done = outcome { continue }
                    throw StoreFailure(outcome: outcome)
                }
            } catch {
                failure = error
            }
            written += batch.count
            if written.isMultiple(of: 10 * changesPerCommit) { progress("\(grouped(written)) records") }
            batch.removeAll(keepingCapacity: true)
        }
        catalogue.forEach { change in
            batch.append(change)
            if batch.count == changesPerCommit { flush() }
        }
        flush()
        if let failure { throw failure }
    }
}

/// A write that came to nothing.
private struct StoreFailure: Error {
    var outcome: StoreOutcome
}

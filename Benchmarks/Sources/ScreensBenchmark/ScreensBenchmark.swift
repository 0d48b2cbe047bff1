import CMeasuring
import Foundation
import Measuring

@testable import MarqueeCatalogue
@testable import MarqueeModel
@testable import MarqueeScreens
@testable import MarqueeServer
@testable import MarqueeStore
@testable import MarqueeTypes

/// Measures the cost of screens over films as records of an operator's own type.
///
///     ScreensBenchmark commits RECORDS…        what a change of popularity costs, by catalogue and views
///     ScreensBenchmark catalogue RECORDS       start, memory and first snapshots of a catalogue
///     ScreensBenchmark store RECORDS FOLDER    the same from a data folder, which is filled first
///     ScreensBenchmark windows RECORDS…        windows anywhere in a list of all films
///     ScreensBenchmark count RECORDS CHANGES   for `instructions.sh`: the first, under valgrind
@main
enum ScreensBenchmark {
    static func main() throws {
        var arguments = Array(CommandLine.arguments.dropFirst())
        let mode = arguments.isEmpty ? nil : arguments.removeFirst()
        let folder = mode == "store" ? arguments.popLast() : nil
        let numbers = arguments.compactMap { Int($0) }
        guard numbers.count == arguments.count else { return fail(usage) }
        guard (mode == "count" ? numbers.prefix(1) : numbers[...]).allSatisfy({ $0 >= leastRecords }) else {
            return fail("a catalogue of at least \(leastRecords) records is needed")
        }
        switch (mode, numbers.count, folder) {
        case ("commits", 1..., _): try commits(sizes: numbers)
        case ("windows", 1..., _): try Windows.measure(sizes: numbers)
        case ("catalogue", 1, _): try catalogue(records: numbers[0])
        case ("store", 1, let folder?): try store(records: numbers[0], folder: folder)
        case ("count", 2, _): try count(records: numbers[0], changes: numbers[1])
        default: fail(usage)
        }
    }

    private static let usage =
        "usage: ScreensBenchmark commits RECORDS… | windows RECORDS… | catalogue RECORDS | store RECORDS FOLDER "
        + "| count RECORDS CHANGES"

    private static func fail(_ message: String) {
        FileHandle.standardError.write(Data("\(message)\n".utf8))
        exit(64)
    }

    // MARK: - One change

    /// So that there can be as many views as the tables ask for.
    private static let leastRecords = 1_000
    private static let liveViews = [10, 1_000, 10_000]
    private static let warmUps = 50
    private static let changes = 500

    private static func commits(sizes: [Int]) throws {
        var table = Table(
            "One change of popularity: medians of \(changes), CPU time of the hub's thread; work counted",
            columns: [
                "records", "live views", "change", "commit µs", "comparisons", "renewals", "members", "items made",
                "heads",
                "patches", "bytes", "patches µs",
            ])
        for size in sizes {
            progress("one change among \(grouped(size)) records")
            let world = try World(records: size)
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
            try world.catchUp()
            _ = world.makePatches()
        }
        var (commits, patches): ([Double], [Double]) = ([], [])
        var made = (count: 0, bytes: 0)
        let before = world.hub.counters
        for _ in 0..<changes {
            world.commit(kind)
            commits.append(try CPUTime.measure { try world.catchUp() }.microseconds)
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
            grouped(world.catalogue.filmCount), grouped(world.views), kind.rawValue, decimal(commits.median),
            mean(\.comparisons), mean(\.renewals), mean(\.members), mean(\.items), mean(\.heads),
            mean(UInt64(made.count)), mean(UInt64(made.bytes)), decimal(patches.median),
        ]
    }

    /// Run under callgrind: counts what happens between two toggles, and names each count as the table's rows are
    /// named.
    private static func count(records: Int, changes: Int) throws {
        let world = try World(records: records)
        for views in liveViews {
            progress("counting instructions: \(grouped(records)) records, \(grouped(views)) views")
            try world.open(views: views)
            for kind in World.Change.allCases {
                callgrind_start()
                for counted in [Counted.nothing, .commit, .patches] {
                    for _ in 0..<changes {
                        world.commit(kind)
                        if counted == .commit { callgrind_toggle() }
                        try world.catchUp()
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

    private static func catalogue(records: Int) throws {
        let title = "\(grouped(records)) records"
        progress("starting with \(title)")
        let generated = GeneratedCatalogue(filmCount: records)
        // Making up the catalogue isn't part of the start.
        let generating = CPUTime.measure { generated.forEach { _ in } }.microseconds
        let before = Memory.now
        let (world, starting) = try CPUTime.measure { try World(records: records) }
        let memory = Memory.now
        var table = Table(
            "A catalogue of \(title)",
            columns: ["", ""])
        table.add(["start, without reading it from anywhere", "\(decimal((starting - generating) / 1e6, 2)) s CPU"])
        table.add(["memory allocated", "\(grouped((memory.allocated - before.allocated) / records)) bytes each"])
        table.add(["memory resident", "\(grouped((memory.resident - before.resident) / records)) bytes each"])
        table.add(["memory resident at most, while starting", "\(grouped(memory.peak / records)) bytes each"])
        try addFirstSnapshots(of: world.hub, to: &table)
        table.print()
    }

    private static func addFirstSnapshots(of hub: Hub, to table: inout Table) throws {
        for screen in ["home", "genre/28", "film/77"] {
            for time in ["first", "second"] {
                let request = OpenRequest(screen: screen, locale: "en", parameters: [], user: nil)
                let (view, microseconds) = try CPUTime.measure { try hub.open(request).get() }
                table.add(["\(time) snapshot of \(screen)", "\(decimal(microseconds)) µs CPU"])
                hub.release(view.handles)
            }
        }
    }

    private static let changesPerCommit = 20_000

    private static func store(records: Int, folder: String) throws {
        let store = try SQLiteStore(folder: folder)
        var table = Table("A data folder", columns: ["", ""])
        if try store.catalogueHead().revision == 0 {
            progress("filling \(folder) with \(grouped(records)) records")
            let start = WallTime.seconds
            try fill(store, with: GeneratedCatalogue(filmCount: records))
            table.add([
                "filled, in commits of \(grouped(changesPerCommit)) records", "\(decimal(WallTime.seconds - start)) s",
            ])
        }
        progress("starting from \(folder)")
        let before = Memory.now
        let wall = WallTime.seconds
        let programme = try World.programme()
        let (hub, starting) = try CPUTime.measure {
            try Hub(
                store: store, library: VersionLibrary(), programme: programme, now: 0, publish: { _ in },
                report: { progress($0) })
        }
        table.add(["records", grouped(records)])
        table.add(["start", "\(decimal(WallTime.seconds - wall)) s, \(decimal(starting / 1e6)) s CPU"])
        let memory = Memory.now
        table.add(["one change of popularity, stored", "\(decimal(try writing(to: store, records))) µs CPU"])
        table.add(["memory resident", "\(grouped((memory.resident - before.resident) / records)) bytes each"])
        table.add(["memory resident at most, ever", "\(grouped(memory.peak / records)) bytes each"])
        try addFirstSnapshots(of: hub, to: &table)
        table.print()
        try store.close()
    }

    /// The mean of changes that are a commit each, without what the disk takes.
    private static func writing(to store: SQLiteStore, _ records: Int) throws -> Double {
        let catalogue = GeneratedCatalogue(filmCount: records)
        let writes = (1...UInt64(changes)).map { id in
            var film = catalogue.film(id)
            film.popularity = Double(records) + Double(id)
            return FilmCatalogue.put(film)
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

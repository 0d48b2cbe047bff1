import CCallgrind
import Foundation

@testable import MarqueeModel
@testable import MarqueeScreens
@testable import MarqueeServer
@testable import MarqueeStore

/// What screens cost. Without arguments everything but instruction counts, which `instructions.sh` has valgrind take.
///
///     ScreensBenchmark commits [MOVIES…]          what a change of popularity costs, by catalogue and live views
///     ScreensBenchmark catalogue MOVIES           start, memory and first snapshot of a catalogue in memory
///     ScreensBenchmark store MOVIES FOLDER        the same from a data folder, which is filled first
///     ScreensBenchmark count MOVIES VIEWS CHANGES inside|outside
@main
enum ScreensBenchmark {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        let numbers = arguments.compactMap { Int($0) }
        switch arguments.first {
        case nil:
            try commits(sizes: [1_000, 100_000, 1_000_000])
            try catalogue(movies: 1_000_000)
        case "commits": try commits(sizes: numbers.isEmpty ? [1_000, 100_000, 1_000_000] : numbers)
        case "catalogue": try catalogue(movies: numbers.first ?? 1_000_000)
        case "store": try store(movies: numbers.first ?? 1_000_000, folder: arguments.last ?? "")
        case "count":
            try count(
                movies: numbers[0], views: numbers[1], changes: numbers[2],
                arguments.contains("inside") ? .inside : .outside)
        default: print("unknown: \(arguments.joined(separator: " "))")
        }
    }

    // MARK: - One change

    private static let warmUps = 50
    private static let changes = 500

    private static func commits(sizes: [Int]) throws {
        print("One change of popularity, taken in by the hub: medians of \(changes), CPU time of its thread")
        var table = Table([
            "movies", "live views", "change", "µs", "comparisons", "renewals", "members", "items made", "heads",
        ])
        for size in sizes {
            for views in [10, 1_000, 10_000] {
                let world = try World(movies: size, views: views)
                for kind in World.Change.allCases {
                    for step in 0..<warmUps { try world.change(kind, step: step) }
                    var times: [Double] = []
                    let before = world.hub.counters
                    for step in 0..<changes {
                        let start = Process.cpuMicroseconds
                        try world.change(kind, step: step)
                        times.append(Process.cpuMicroseconds - start)
                    }
                    let after = world.hub.counters
                    func mean(_ field: KeyPath<ScreenCounters, UInt64>) -> String {
                        format(Double(after[keyPath: field] - before[keyPath: field]) / Double(changes))
                    }
                    table.add([
                        "\(size)", "\(views)", "\(kind)", format(times.median), mean(\.comparisons), mean(\.renewals),
                        mean(\.members), mean(\.items), mean(\.heads),
                    ])
                }
            }
        }
        table.print()
    }

    /// Run under callgrind, which counts between the two switches only.
    private static func count(movies: Int, views: Int, changes: Int, _ kind: World.Change) throws {
        let world = try World(movies: movies, views: views)
        for step in 0..<warmUps { try world.change(kind, step: step) }
        callgrind_begin()
        for step in 0..<changes { try world.change(kind, step: step) }
        callgrind_end()
    }

    // MARK: - A large catalogue

    private static func catalogue(movies: Int) throws {
        print("\nA catalogue of \(movies) movies in memory")
        for hasCredits in [false, true] {
            let empty = Process.residentBytes
            let cpu = Process.cpuMicroseconds
            GeneratedCatalogue(movieCount: movies, hasCredits: hasCredits).forEach { _ in }
            let generating = (Process.cpuMicroseconds - cpu) / 1e6
            let started = Process.cpuMicroseconds
            let world = try World(movies: movies, views: 0, hasCredits: hasCredits)
            let starting = (Process.cpuMicroseconds - started) / 1e6 - generating
            let bytes = Process.residentBytes - empty
            print(
                """
                  \(hasCredits ? "with 4 of the cast, a director and a fifth of a person each" : "movies alone"): \
                \(bytes / movies) bytes a movie, started in \(format(starting, 2)) s CPU (beside \(format(generating, 2)) s to make it up)
                """)
            try firstSnapshots(of: world.hub)
        }
    }

    private static func firstSnapshots(of hub: Hub) throws {
        for screen in ["home", "genre/28", "detail/77", "home"] {
            let start = Process.cpuMicroseconds
            let request = OpenRequest(screen: screen, locale: "en", parameters: [], user: nil)
            let view = try hub.open(request).get()
            print("    first snapshot of \(screen): \(format(Process.cpuMicroseconds - start)) µs CPU")
            hub.release(view.handles)
        }
    }

    private static let changesPerCommit = 20_000

    private static func store(movies: Int, folder: String) throws {
        let store = try SQLiteStore(folder: folder)
        let catalogue = GeneratedCatalogue(movieCount: movies)
        if try store.catalogueHead().revision == 0 {
            let start = Process.wallSeconds
            var batch: [Change] = []
            func flush() throws {
                _ = try store.write([.catalogue(key: nil, changes: batch, mutation: nil)])
                batch.removeAll()
            }
            var failure: (any Error)?
            catalogue.forEach { change in
                batch.append(change)
                guard batch.count == changesPerCommit, failure == nil else { return }
                do { try flush() } catch { failure = error }
            }
            if let failure { throw failure }
            try flush()
            print("filled in \(format(Process.wallSeconds - start)) s")
        }
        let empty = Process.residentBytes
        let (wall, cpu) = (Process.wallSeconds, Process.cpuMicroseconds)
        let programme = try Programme.parse(text: World.programme, file: "bench")
        let hub = try Hub(
            store: store, library: VersionLibrary(), programme: programme, publish: { _ in }, report: { print($0) })
        print(
            """
            started from \(folder): \(format(Process.wallSeconds - wall)) s, \(format((Process.cpuMicroseconds - cpu) / 1e6)) s CPU, \
            \((Process.residentBytes - empty) / movies) bytes a movie
            """)
        try firstSnapshots(of: hub)
        try store.close()
    }
}

import Foundation
import MarqueeCatalogue
import MarqueeDiff
import MarqueeImport
import MarqueeMirror
import MarqueeModel
import MarqueePresetRecords
import MarqueeStore
import SeededRandom
import Testing

@testable import MarqueeClient

@Suite(
    "A year of real charts", .enabled(if: RealData.isPresent, Comment(rawValue: RealData.howToSet)),
    .timeLimit(.minutes(10)))
struct YearOfChartsTests {
    @Test func `After daily charts, mirrors that joined on different days equal a snapshot`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "marquee-year-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try SQLiteStore(folder: folder.path)
        _ = try store.write([.catalogue(key: nil, changes: RealData.tmdb5000.get(), mutation: nil)])
        let charts = try Importer(store: store).chart(
            file: RealData.path("rank_series/us_boxoffice_daily_2014.csv.gz"), id: "boxoffice")
        #expect(charts.bad == 0)
        var days: [String] = []
        for case .list(let list) in try Self.changes(store) { days += [list.name.edition].compactMap(\.self) }
        #expect(days.count == 365)
        days = Array(days.sorted().prefix(Extent.of(60, full: 365)))

        let harness = try await Harness(store: store)
        #expect(harness.server.summary.counts.of("movie") == 4_803)
        // One client is watched on the wire all year.
        let relay = try await Relay.start(to: harness.server.summary.port)
        let witness = try harness.client(port: relay.port)
        var seen = witness.screen(.home).makeAsyncIterator()
        _ = try await seen.first { $0.origin == .live }
        let snapshotBytes = relay.passed.withLock { $0[.stage] ?? 0 }
        var clients: [(client: MarqueeClient, updates: ScreenUpdates.Iterator)] = []
        func join(_ mirror: String?) async throws {
            let client = try harness.client(mirror: mirror)
            var updates = client.screen(.home).makeAsyncIterator()
            _ = try await updates.first { $0.origin == .live }
            clients.append((client, updates))
        }
        for (index, day) in days.enumerated() {
            switch index {
            case 0: try await join("first.sqlite")
            case days.count / 4: try await join(nil)
            case days.count / 2: try await join("third.sqlite")
            case days.count * 2 / 3:
                // The first one is restarted from its mirror.
                await clients[0].client.close()
                clients.removeFirst()
                try await join("first.sqlite")
            case days.count - 1: try await join(nil)
            default: break
            }
            let outcome = try await harness.commit([.show(list: Harness.chart, edition: day)])
            // The witness sees every day, so that the bytes don't depend on how busy the machine is; the others skip
            // what they miss.
            guard case .done(let shown, changed: true) = outcome else { continue }
            _ = try await seen.first { $0.screen.revision.catalogueRevision == shown }
        }
        let revision = try store.catalogueHead().revision
        let patchBytes = relay.passed.withLock { $0[.data] ?? 0 }
        let snapshots = days.count * snapshotBytes
        print("\(days.count) days of charts: \(patchBytes) bytes as patches, \(snapshots) as snapshots")
        #expect(patchBytes * 3 < snapshots)
        await witness.close()
        await relay.stop()
        let fresh = try harness.client()
        let truth = try await fresh.fetchScreen(.home)
        #expect(truth.revision.catalogueRevision == revision)
        let chart = try #require(truth.sections.first { $0.kind == .chart })
        #expect(chart.items.count == 10)

        for (number, var entry) in clients.enumerated() {
            let sums = truth.sections.map(\.sum)
            let last = try await entry.updates.first { $0.screen.sections.map(\.sum) == sums }
            for (mine, theirs) in zip(last.screen.sections, truth.sections) {
                #expect(mine.items.map(\.item) == theirs.items.map(\.item), "client \(number), section \(mine.id)")
            }
            // The disk has the same, every sum recomputed from its bytes.
            let stored = try await entry.client.onLoop { engine in
                try? engine.mirror.view(ViewID(screen: "home", locale: "en"))
            }
            let view = try #require(stored)
            #expect(view.damaged.isEmpty)
            for section in truth.sections {
                let version = try #require(view.sections[section.id])
                #expect(version.sum == section.sum)
                #expect(Array(version.items) == section.items.map(\.item))
            }
            await entry.client.close()
        }
        await fresh.close()
        await harness.stop()
        try store.close()
    }

    @Test func `Sample movies that TMDB-5000 knows have its year, director and runtime within 3 minutes`() throws {
        let (movies, credits) = try Self.catalogue(RealData.tmdb5000.get())
        let samples = MemoryStore()
        try Harness.fill(samples)
        let (mine, myCredits) = try Self.catalogue(Self.changes(samples))
        #expect(mine.count >= 40)
        var compared = 0
        for (id, movie) in mine {
            guard let known = movies[id] else { continue }
            compared += 1
            #expect(movie.releaseDate?.prefix(4) == known.releaseDate?.prefix(4), "\(id)")
            if let runtime = movie.runtime, let theirs = known.runtime {
                #expect(abs(runtime - theirs) <= 3, "\(id): \(runtime) against \(theirs) minutes")
            }
            let directors = Set((myCredits[id]?.directors ?? []).map(\.person))
            let theirs = Set((credits[id]?.directors ?? []).map(\.person))
            #expect(!directors.isEmpty && directors.isSubset(of: theirs), "\(id): \(directors)")
        }
        #expect(compared >= 40)
    }

    private struct Facts: Decodable {
        var releaseDate: String?
        var runtime: Int?
    }

    private struct Makers: Decodable {
        struct Director: Decodable { var person: String }

        var directors: [Director]?
    }

    private static func catalogue(_ changes: [Change]) throws -> ([String: Facts], [String: Makers]) {
        (try Harness.records("movie", in: changes), try Harness.records("credits", in: changes))
    }

    private static func changes(_ store: any StoreEngine) throws -> [Change] {
        var changes: [Change] = []
        _ = try store.snapshot { changes.append($0) }
        return changes
    }
}

import Dispatch
import Foundation
import MarqueeCatalogue
import MarqueeModel
import MarqueePresetRecords
import MarqueePublisher
import MarqueeStore
import MarqueeWire
import Synchronization
import Testing

/// `marquee-server import … --to HOST:PORT`
@Suite("Imports into a running server", .timeLimit(.minutes(10)))
struct ImportToServerTests {
    private static let movieColumns =
        "id,title,original_title,original_language,release_date,runtime,genres,production_countries,popularity,revenue,"
        + "vote_average,vote_count,tagline,overview\n"
    private static let chartColumns =
        "date,rank,release_id,title,gross_usd,theaters,gross_to_date_usd,days_in_release,distributor\n"

    private let folder = FileManager.default.temporaryDirectory.appending(path: "marquee-import-\(UUID().uuidString)")

    private func file(_ name: String, _ text: String) throws -> String {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appending(path: name)
        try text.write(to: file, atomically: true, encoding: .utf8)
        return file.path
    }

    private func run(_ arguments: [String]) async throws -> (status: Int32?, output: String, errors: String) {
        let process = try RunningProcess("marquee-server", ["import"] + arguments, in: folder)
        let status = try await process.ended()
        return (status, process.output, process.errors)
    }

    /// The contents of the server's folder, read while the server runs.
    private func stored(_ server: ServerProcess) throws -> [Change] {
        var changes: [Change] = []
        try StoredCatalogue.read(server.data.path) { changes.append($0) }
        return changes
    }

    /// The numbers that tests read of a movie.
    private struct Numbers: Decodable {
        var popularity: Double?
        var voteCount: UInt32?
    }

    private func movie(_ id: UInt64, _ changes: [Change]) throws -> Numbers? {
        try Harness.records("movie", in: changes)["\(id)"]
    }

    /// A line that puts a movie.
    private static func put(_ id: UInt64, _ title: String, _ more: String = "") -> String {
        #"{"put": {"type": "movie", "id": "\#(id)", "record": {"id": \#(id), "title": {"en": "\#(title)"}\#(more)}}}"#
    }

    @Test func `Subscribers see imported rows at once`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try ServerProcess(in: folder)
        try await server.start()
        let subscriber = try RunningProcess(
            "marquee",
            [
                "subscribe", "home", "--server", server.address, "--output", "ndjson", "--count", "2", "--mirror",
                folder.appending(path: "mirror.sqlite").path,
            ], in: folder)
        _ = try await subscriber.line(with: "\"snapshot\"")

        let changes = try file(
            "changes.ndjson",
            """
            \(Self.put(700_001, "Zebra Crossing", #", "popularity": 9999"#))
            \(Harness.update(700_001, #""popularity": 9998"#))

            """)
        let first = try await run(["ndjson", changes, "--to", server.address])
        #expect(first.status == 0, "\(first.errors)")
        #expect(first.output.hasPrefix("2 rows: 2 imported (movie 2), 0 unchanged, 0 bad; 1 publication, "))
        let update = try await subscriber.line(with: "\"update\"")
        #expect(update.contains("movie/700001"))
        #expect(try await subscriber.ended() == 0)
        #expect(try movie(700_001, stored(server))?.popularity == 9_998)

        // CSV: movies with credits, then a chart whose title is matched with the server's movies.
        let movies = try file(
            "movies.csv",
            Self.movieColumns + "700002,Quilted Moon,Quilted Moon,en,2024-04-20,90,[],[],1,0,1,1,,\n")
        let credits = try file("credits.csv", "movie_id,cast,crew\n700002,[],[]\n")
        let data = try await run(["tmdb5000", movies, credits, "--to", server.address])
        #expect(data.status == 0, "\(data.errors)")
        let again = try await run(["tmdb5000", movies, credits, "--to", server.address])
        #expect(again.output.hasPrefix("2 rows: 0 imported, 2 unchanged, 0 bad; "), "importing twice changes nothing")
        let chart = try file(
            "chart.csv",
            Self.chartColumns + "2024-05-01,1,r1,Quilted Moon,10,1,10,11,\n2024-05-02,1,r1,Quilted Moon,9,1,19,12,\n")
        let days = try await run(
            ["chart", chart, "--id", "moon", "--to", server.address, "--catalogue", server.data.path])
        #expect(days.status == 0, "\(days.errors)")
        let shown = try stored(server).contains { change in
            change == .show(list: "chart/moon", edition: "2024-05-01")
        }
        #expect(shown, "a chart that shows nothing yet shows its first day")
        let entries = try stored(server).compactMap { change in
            if case .list(let day) = change, day.name.list == "chart/moon" { day.entries.first?.record } else { nil }
        }
        #expect(entries == [.movie(700_002), .movie(700_002)])
        #expect(try await server.stop() == 0)
    }

    @Test func `Bad rows are judged as for a folder, before anything is sent`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try ServerProcess(in: folder)
        try await server.start()
        let before = try stored(server).count
        let changes = try file(
            "changes.ndjson",
            """
            \(Self.put(700_001, "Zebra Crossing"))
            {"put": {"type": "movie", "record": {}}}
            \(Self.put(700_002, "Zebra Crossing", #", "titel": """#))
            \(Self.put(700_003, "Last"))

            """)
        let mistakes = [
            "changes.ndjson:2: put: the field 'id' is missing",
            "changes.ndjson:3: movie.titel: there is no field 'titel' here; did you mean 'title'?",
        ]
        let empty = folder.appending(path: "empty").path
        let store = try SQLiteStore(folder: empty)
        _ = try store.write([.catalogue(key: nil, changes: [.types(PresetCatalogue.types)], mutation: nil)])
        try store.close()

        let known = try await run(["ndjson", changes, "--to", server.address, "--catalogue", server.data.path])
        let ofFolder = try await run(["ndjson", changes, "--data", empty])
        #expect(known.status == 65 && ofFolder.status == 65)
        #expect(known.errors == ofFolder.errors, "the same is said of the same rows")
        for mistake in mistakes { #expect(known.errors.contains(mistake)) }
        #expect(try stored(server).count == before)

        let rehearsal = try await run([
            "ndjson", changes, "--to", server.address, "--catalogue", server.data.path, "--max-bad", "2", "--dry-run",
        ])
        #expect(
            rehearsal.status == 0
                && rehearsal.output.contains(
                    "4 rows: 2 imported (movie 2), 0 unchanged, 2 bad; nothing was published (--dry-run)")
        )
        #expect(try stored(server).count == before)

        // Without the catalogue the server itself refuses the third row, and the others go without it.
        let few = try await run(["ndjson", changes, "--to", server.address, "--max-bad", "1"])
        #expect(few.status == 65 && few.errors.contains("nothing was imported"))
        #expect(try stored(server).count == before)
        let blind = try await run(["ndjson", changes, "--to", server.address, "--max-bad", "2"])
        #expect(blind.status == 0)
        for mistake in mistakes { #expect(blind.errors.contains(mistake)) }
        #expect(blind.output.hasPrefix("4 rows: 2 imported (movie 2), 0 unchanged, 2 bad"))
        #expect(try movie(700_003, stored(server)) != nil)
        #expect(try await server.stop() == 0)
    }

    @Test(arguments: [false, true])
    func `A preset brings its types to a server that has none, and a programme unless one was given`(
        isGiven: Bool
    ) async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let movies = try file(
            "movies.csv", Self.movieColumns + "700002,Quilted Moon,Quilted Moon,en,2024-04-20,90,[],[],1,0,1,1,,\n")
        let credits = try file("credits.csv", "movie_id,cast,crew\n700002,[],[]\n")
        let own =
            "locales: [en]\nscreens:\n  home:\n    title: Mine\n    sections:\n"
            + "      - {id: a, kind: list, source: {items: [{id: a, card: {title: A}}]}}\n"
        let programme = try file("own.yaml", own)
        let data = folder.appending(path: "data").path
        let server = try RunningProcess(
            "marquee-server",
            ["serve", "--data", data, "--listen", "127.0.0.1:0", "--threads", "1", "--open"]
                + (isGiven ? ["--programme", programme] : []), in: folder)
        let ready = try await server.line(with: " ready on ")
        let address = String(
            try #require(ready.split(separator: " ").first { $0.hasPrefix("127.0.0.1:") }.map { $0.dropLast() }))

        let first = try await run(["tmdb5000", movies, credits, "--to", address])
        #expect(first.status == 0, "\(first)")
        #expect(first.output.hasPrefix("2 rows: 2 imported"), "\(first)")
        #expect(first.output.contains("; 1 publication, "), "types, programme and rows are one commit")
        var changes: [Change] = []
        try StoredCatalogue.read(data) { changes.append($0) }
        #expect(changes.contains(.types(PresetCatalogue.types)))
        #expect(changes.contains(.programme(isGiven ? own : PresetCatalogue.programme)))
        #expect(try movie(700_002, changes) != nil)
        let again = try await run(["tmdb5000", movies, credits, "--to", address])
        #expect(again.output.hasPrefix("2 rows: 0 imported, 2 unchanged, 0 bad; "), "\(again)")
        try await server.stop(SIGTERM)
    }

    @Test func `An absent or unwilling server is reported, and nothing is imported`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let changes = try file("changes.ndjson", #"{"page": {"id": "home", "sections": []}}"# + "\n")
        let data = folder.appending(path: "data").path
        #expect(try await run(["ndjson", changes, "--data", data]).status == 0)
        let server = try RunningProcess(
            "marquee-server", ["serve", "--data", data, "--listen", "127.0.0.1:0", "--threads", "1"], in: folder)
        let ready = try await server.line(with: " ready on ")
        let address = try #require(
            ready.split(separator: " ").first { $0.hasPrefix("127.0.0.1:") }.map { $0.dropLast() })

        // The folder's owner file names the address.
        let owned = try await run(["ndjson", changes, "--data", data])
        #expect(owned.status == 75)
        #expect(owned.errors.contains("import with --to \(address) --catalogue \(data)"), "\(owned.errors)")

        let denied = try await run(["ndjson", changes, "--to", String(address)])
        #expect(denied.status == 77)
        #expect(denied.errors.contains("accept publications") && denied.errors.contains("nothing was imported"))

        try await server.stop(SIGTERM)
        let absent = try await run(["ndjson", changes, "--to", String(address)])
        #expect(absent.status == 69)
        #expect(absent.errors.contains("\(address) can't be reached: Connection refused; nothing was imported"))

        let chart = try await run(["chart", changes, "--id", "c", "--to", String(address)])
        #expect(chart.status == 64 && chart.errors.contains("--to needs --catalogue here"))
    }

    @Test func `An import waits for a server killed in the meantime`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try ServerProcess(in: folder)
        try await server.start()
        // The import has connected when it opens the pipe, and has nothing to publish before the pipe ends.
        let pipe = folder.appending(path: "changes.pipe").path
        #expect(mkfifo(pipe, 0o600) == 0)
        let process = try RunningProcess(
            "marquee-server", ["import", "ndjson", pipe, "--to", server.address], in: folder)
        let writer = try await Task.detached { try FileHandle(forWritingTo: URL(filePath: pipe)) }.value
        try await server.kill()
        // Two publications' worth of bytes.
        let overview = String(repeating: "o", count: 2_000)
        let count: UInt64 = 6_000
        try await Task.detached {
            for id in 1...count {
                let line = Self.put(800_000 + id, "M\(id)", #", "overview": "\#(overview)""#) + "\n"
                try writer.write(contentsOf: Data(line.utf8))
            }
            try writer.close()
        }.value
        try await server.start()
        #expect(try await process.ended() == 0, "\(process.errors)")
        #expect(
            process.output.hasPrefix("6000 rows: 6000 imported (movie 6000), 0 unchanged, 0 bad; 2 publications"),
            "\(process.output)")
        let found = try stored(server).count { change in
            if case .put(let id, _) = change { id.type == "movie" && UInt64(id.id) ?? 0 > 800_000 } else { false }
        }
        #expect(found == Int(count))
        #expect(try await server.stop() == 0)
    }

    /// The commit is made and its answer is lost: a change that somebody else makes in between must not be undone.
    @Test func `A publication whose answer is lost is made once`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let harness = try await Harness()
        let lost = Atomic<Int>(0)
        let relay = try await Relay.start(to: harness.server.summary.port) { frame in
            frame.kind == .answer && lost.add(1, ordering: .relaxed).oldValue == 0 ? nil : frame
        }
        let port = relay.port
        let publication = Task {
            try await blocking {
                var patience = MarqueePublisher.Publisher.RetryPolicy()
                patience.answer = 120_000
                let publisher = MarqueePublisher.Publisher(
                    host: "127.0.0.1", port: port, agent: "test", retryPolicy: patience, shouldContinue: { true })
                return try publisher.publish([Array(Harness.update(13, #""voteCount": 1"#).utf8)], key: "k")
            }
        }
        try await eventually("the lost answer") { lost.load(ordering: .relaxed) > 0 }
        var update = MovieUpdate(id: 13)
        update.voteCount = 2
        _ = try await harness.hub.committer.commit(
            .catalogue(key: nil, changes: [update.change], mutation: nil))
        await relay.cut()
        let receipt = try await publication.value
        #expect(receipt.isNew)
        var changes: [Change] = []
        _ = try harness.store.snapshot { changes.append($0) }
        #expect(try movie(13, changes)?.voteCount == 2)
        #expect(try harness.store.catalogueHead().revision == receipt.revision + 1)
        await harness.stop()
    }
}

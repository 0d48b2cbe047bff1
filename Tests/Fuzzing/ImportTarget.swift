import Foundation
import MarqueeCatalogue
import MarqueeImport
import MarqueeModel
import MarqueePresetRecords
import MarqueeStore

extension FuzzTarget {
    /// Files to be imported. The first byte chooses the importer. Every row is counted once, and importing a file again
    /// changes nothing more.
    static let importers = FuzzTarget(name: "import", maximumBytes: 16 << 10, seeds: ImportFuzzing.seeds) { bytes in
        var input = FuzzInput(bytes)
        let format = ImportFuzzing.Format.allCases[input.below(ImportFuzzing.Format.allCases.count)]
        ImportFuzzing.judge(input.remainder(), format)
    }
}

private enum ImportFuzzing {
    enum Format: CaseIterable {
        case csv, tsv, ndjson, json, guessed, changes, courses, plist, chart, movies, credits, rss

        /// Whether it is the format of a known source, whose rows become records of the presets' types.
        var isPreset: Bool {
            switch self {
            case .csv, .tsv, .ndjson, .json, .rss, .guessed, .changes: false
            case .courses, .plist, .chart, .movies, .credits: true
            }
        }
    }

    /// A catalogue of the presets' types.
    private static let presets: MemoryStore = {
        let store = MemoryStore(seed: 1, clock: { 0 })
        let changes: [Change] = [.types(PresetCatalogue.types), .programme(PresetCatalogue.programme)]
        let outcome = FuzzServer.reading { () throws(StoreError) in
            try store.write([.catalogue(key: nil, changes: changes, mutation: nil)])
        }
        guard case .done? = outcome.first else { fatalError("\(outcome)") }
        return store
    }()

    /// Importers read files; this one is written again for each input.
    private static let file = FileManager.default.temporaryDirectory.appending(
        path: "marquee-fuzz-\(ProcessInfo.processInfo.processIdentifier)-\(UUID().uuidString)")
    private static let empty = FuzzServer.reading {
        let empty = FileManager.default.temporaryDirectory.appending(path: file.lastPathComponent + "-movies")
        try Data(header.utf8).write(to: empty)
        return empty
    }
    private static let header =
        "budget,genres,homepage,id,keywords,original_language,original_title,overview,popularity,"
        + "production_companies,production_countries,release_date,revenue,runtime,spoken_languages,status,tagline,"
        + "title,vote_average,vote_count\n"

    /// Held while the file is written and read: tests run at the same time.
    private static let lock = NSLock()

    static func judge(_ content: [UInt8], _ format: Format) {
        lock.lock()
        defer { lock.unlock() }
        FuzzServer.reading { try Data(content).write(to: file) }
        let start = format.isPreset ? presets : PodcastWorld.store
        let store = FuzzServer.reading { () throws(StoreError) in try MemoryStore(restoring: start, seed: 2) }
        guard let report = run(format, in: store) else { return }
        judge(report)
        let first = snapshot(store)
        guard let again = run(format, in: store) else { fatalError("a file can be imported twice") }
        judge(again)
        require(again.rows == report.rows && again.bad == report.bad, "a file has as many rows the second time")
        require(snapshot(store) == first, "a file that is imported twice has its effect once")
    }

    private static func judge(_ report: ImportReport) {
        require(
            report.rows == report.imported + report.repeated + report.unchanged + report.bad, "each row is counted once"
        )
        require(report.problems.count <= ImportReport.detailedProblems)
        require(report.notes.count <= ImportReport.detailedProblems && report.notes.count <= report.noteCount)
    }

    /// - Returns: `nil` if the import had to stop.
    private static func run(_ format: Format, in store: MemoryStore) -> ImportReport? {
        let importer = Importer(store: store, types: format.isPreset ? PresetCatalogue.types : nil)
        switch format {
        case .csv: return records(.csv, importer)
        case .tsv: return records(.tsv, importer)
        case .ndjson: return records(.ndjson, importer)
        case .json: return records(.json, importer)
        case .rss: return records(.rss, importer)
        case .guessed: return records(nil, importer)
        case .changes: return try? importer.ndjson(file: file.path)
        case .courses: return try? importer.courses(file: file.path, page: "home")
        case .plist: return try? importer.plist(file: file.path, page: "home")
        case .chart: return try? importer.chart(file: file.path, id: "top")
        case .movies: return try? importer.tmdb5000(movies: file.path, credits: file.path)
        case .credits: return try? importer.tmdb5000(movies: empty.path, credits: file.path)
        }
    }

    private static func records(_ format: RecordFile.Format?, _ importer: Importer) -> ImportReport? {
        var file = RecordFile(path: file.path)
        file.format = format
        var request = RecordImport(file: file, type: "episode")
        if format == .rss { request.mapping.columns = [RecordMapping.Entry("guid=id")].compactMap(\.self) }
        request.declared = PodcastWorld.typeSet
        return try? importer.records(request)
    }

    private static func snapshot(_ store: MemoryStore) -> [Change] {
        var changes: [Change] = []
        FuzzServer.reading { () throws(StoreError) in _ = try store.snapshot { changes.append($0) } }
        return changes
    }

    // MARK: - Seeds

    @Sendable static func seeds() throws -> [[UInt8]] {
        let table = #"""
            guid,show,title[en],published,plays,minutes,rating,topics,chapters
            a,s1,"A, quoted ""title""",2026-01-01,5,7,4.5,"[""x""]",
            b,s2,"two
            lines",2026-01-02T10:00:00Z,,,,,"[{""start"":""0:00"",""title"":""x""}]"
            ,s2,none,x,y,z,,,
            """#
        let rows = #"{"guid": "a", "show": "s1", "title": {"en": "A"}, "plays": "12", "hosts": [{"person": "p"}]}"#
        let chart = """
            date,rank,release_id,title,gross_usd,theaters,gross_to_date_usd,days_in_release,distributor
            2026-01-01,1,rl1,A Film,1000,10,1000,1,D
            2026-01-01,2,rl2,Another Film,900,10,900,1,D
            2026-01-02,1,rl2,Another Film,800,10,1700,2,D
            """
        let weekly = """
            week\tcategory\tweekly_rank\tshow_title\tseason_title\tweekly_hours_viewed\tcumulative_weeks_in_top_10
            2026-01-04\tFilms (English)\t1\tA Film\tN/A\t1000\t1
            """
        let movie =
            header
            + #"1,"[{""id"": 28, ""name"": ""Action""}]",,7,[],en,A,An overview,1.5,[],[],2010-07-14,5,148.0,[],"#
            + "Released,,A Film,8.1,12\n"
        let credits =
            "movie_id,title,cast,crew\n"
            + #"7,A Film,"[{""name"": ""P"", ""character"": ""C"", ""order"": 0, ""id"": 1}]","[]""# + "\n"
        let news = """
            <rss version="2.0"><channel><item><guid>a</guid><title>A &amp; B</title><link>https://a.example/</link>
            <pubDate>Wed, 02 Oct 2002 13:00:00 GMT</pubDate><category>x</category></item></channel></rss>
            """
        let entries = """
            <feed xmlns="http://www.w3.org/2005/Atom"><entry><id>a</id><updated>2026-01-01T00:00:00Z</updated>
            <author><name>P</name></author><content type="xhtml"><p>Text</p></content></entry></feed>
            """
        let texts: [(Format, String)] = [
            (.rss, news), (.rss, entries),
            (.csv, table), (.tsv, table.replacing(",", with: "\t")), (.guessed, table), (.ndjson, "\(rows)\n\(rows)\n"),
            (.json, "[\(rows), \(rows)]"), (.guessed, "{\"rows\": [\(rows)]}"), (.chart, chart), (.chart, weekly),
            (.movies, movie), (.credits, credits),
        ]
        let files: [(Format, String)] = [
            (.changes, "Samples/podcasts/live.ndjson"), (.courses, "Samples/d-courses/home.json"),
            (.plist, "Samples/a-streaming/Content.plist"), (.csv, "Samples/dives/dives.csv"),
        ]
        return texts.map { seed($0, Array($1.utf8)) } + (try files.map { seed($0, try RepositoryFiles.bytes($1)) })
    }

    private static func seed(_ format: Format, _ content: [UInt8]) -> [UInt8] {
        [UInt8(Format.allCases.firstIndex(of: format) ?? 0)] + content
    }
}

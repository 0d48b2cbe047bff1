import ArgumentParser
import Foundation
import MarqueeImport
import MarqueeModel
import MarqueePresets
import MarqueeStore
import MarqueeTypes

/// `marquee-server scaffold`
struct ScaffoldCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scaffold",
        abstract: "Write the files for existing data: types, where the records come from, and screens.",
        discussion: """
            Looks at a file (CSV, TSV, NDJSON, RSS, or JSON with a list of objects), an address that answers with one, \
            an SQLite database, or a PostgreSQL database: at the names and types of columns, at keys and references, and at up to \(Sampler.rows) rows of each \
            table. It writes \(ScaffoldFiles.typesName), \(ScaffoldFiles.sourceName) and \
            \(ScaffoldFiles.programmeName), which are yours to change, and prints the commands that lead from there to a \
            live screen. Databases are only read.

              marquee-server scaffold airports.csv --into airports
              marquee-server scaffold readings.csv --key station,time --into readings
              marquee-server scaffold https://api.example/products --path items --into shop
              marquee-server scaffold shop.db --into shop
              marquee-server scaffold postgres://reader@db.example/shop --table product --table category --into shop
            """)

    @Argument(help: ArgumentHelp("A file, an address, or the URL of a PostgreSQL database.", valueName: "source"))
    var source: String

    @Option(help: ArgumentHelp("The folder to write to; created if it is missing.", valueName: "folder"))
    var into: String

    @Option(
        help: ArgumentHelp(
            "A table of a database, or a view; may be repeated. (default: all tables)", valueName: "table"))
    var table: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            The column that tells rows apart, or several, separated by commas; for one table among \
            many: public.product=sku. (default: the table's key, else a column whose values are all different)
            """, valueName: "column,…"))
    var key: [String] = []

    @Option(help: ArgumentHelp("JSON: the names on the path to the rows, such as matches or result.items."))
    var path: String?

    @Option(
        help: ArgumentHelp(
            "The encoding of a file's text, as in 'import records'. (default: what a byte order mark says, else utf-8)",
            valueName: "name"),
        transform: { text in
            guard let encoding = TextEncoding(text) else {
                throw ValidationError(
                    "'\(text)' is not a known encoding; some are utf-8, euc-kr, cp949, utf-16le, latin1")
            }
            return encoding
        })
    var encoding: TextEncoding?

    @Flag(help: "Overwrite the files if they are there.")
    var force = false

    private var isDatabase: Bool { PostgresURL.isPostgresURL(source) || Sampler.isSQLite(source) }

    func validate() throws {
        if into.isEmpty { throw ValidationError("--into is empty") }
        if source == "-" {
            throw ValidationError("standard input can't be read again by the import: save it as a file, and name that")
        }
        guard isDatabase else {
            if !table.isEmpty { throw ValidationError("--table is for databases, and \(source) isn't one") }
            return
        }
        if path != nil || encoding != nil { throw ValidationError("--path and --encoding are about files") }
    }

    func run() throws {
        Console.surviveClosedPipes()
        let files = ScaffoldFolder(path: into)
        if !force { try files.checkRoom() }
        let sample = try sample(try place())
        let keys = try keys(for: sample.tables)
        let origin = ScaffoldFiles.Origin(sample.source, into: into)
        let plan = ScaffoldPlan(sample.tables, keys: keys, isFromDatabase: origin.isDatabase)
        try check(plan, of: sample)
        let written = ScaffoldFiles(plan, origin)
        try ScaffoldFolder.check(written)
        try files.write(written)
        for line in ScaffoldAnswer(plan, sample, origin, folder: into).lines { Console.say(line) }
        if case .database(.postgres(let url)) = sample.source, url.hasPassword {
            Console.complain(
                "the password isn't in \(into)/\(ScaffoldFiles.sourceName); leave it to ~/.pgpass or PGPASSWORD")
        }
    }

    private func place() throws -> Sampler.Source {
        if PostgresURL.isPostgresURL(source) { return .database(.postgres(try PostgresURL(argument: source, of: ""))) }
        if Sampler.isSQLite(source) { return .database(.sqlite(source)) }
        if isAddress {
            do throws(FeedAddress.Mistake) {
                var feed = HTTPFeed(try FeedAddress(source))
                feed.file = settled(feed.file)
                return .address(feed)
            } catch {
                throw CommandFailure(.usage, "\(source): \(error.reason)")
            }
        }
        return .file(settled(RecordFile(path: source)))
    }

    private var isAddress: Bool { ["http://", "https://"].contains { source.lowercased().hasPrefix($0) } }

    private func settled(_ file: RecordFile) -> RecordFile {
        var file = file
        file.hasOptions = false
        file.encoding = encoding
        file.rows = path?.split(separator: ".").map(String.init) ?? []
        return file
    }

    /// The answer of an address.
    private func pages(_ place: Sampler.Source, shouldContinue: @escaping () -> Bool) throws -> FeedPages? {
        guard case .address(let feed) = place else { return nil }
        let reading = HTTPReading(feed, validators: FeedValidators(), shouldContinue: shouldContinue)
        while shouldContinue() {
            switch reading.next() {
            case .rows(let pages, _): return pages
            case .goOn: continue
            case .failed(let failure): throw CommandFailure(failure)
            case .again(let reason): throw CommandFailure(.unavailable, reason)
            case .unchanged, .wait: throw CommandFailure(.unavailable, "\(feed.address) has no rows now")
            }
        }
        Console.complain("stopped; nothing was written")
        throw Interruption.Ended()
    }

    private func sample(_ place: Sampler.Source) throws -> Sampler.Sample {
        let progress = ProgressLine()
        let interruption = Interruption()
        let pages = try pages(place) { interruption.isAbsent }
        let sampler = Sampler(pages, shouldContinue: { interruption.isAbsent }) { progress.show(ProgressLine.text($0)) }
        defer { progress.end() }
        do throws(ImportError) {
            return try sampler.sample(place, tables: table)
        } catch {
            progress.end()
            guard error.code != .cancelled else {
                Console.complain("stopped; nothing was written")
                throw Interruption.Ended()
            }
            throw CommandFailure(error.code == .noInput ? .noInput : .badData, error.message)
        }
    }

    /// The keys that were named, by table.
    private func keys(for tables: [SampledTable]) throws(CommandFailure) -> [String: [String]] {
        var keys: [String: [String]] = [:]
        for text in key {
            let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
            let columns = (parts.last ?? "").split(separator: ",").map(String.init)
            let names = tables.map(\.name)
            guard let name = parts.count == 2 ? parts[0] : names.count == 1 ? names[0] : nil else {
                throw CommandFailure(
                    .usage, "--key needs a table here, such as --key \(names.first ?? "table")=\(text)")
            }
            guard let table = tables.first(where: { $0.name == name || $0.name.hasSuffix(".\(name)") }) else {
                throw CommandFailure(
                    .badData, "--key \(text): there is no table '\(name)'\(NearestName.hint(for: name, among: names))")
            }
            let known = table.columns.map(\.name)
            if let unknown = columns.first(where: { !known.contains($0) }) {
                throw CommandFailure(
                    .badData,
                    "--key \(text): \(table.name) has no column '\(unknown)'"
                        + NearestName.hint(for: unknown, among: known))
            }
            keys[table.name] = columns
        }
        return keys
    }

    /// - Throws: when nothing can be written, or a question has to be answered first.
    private func check(_ plan: ScaffoldPlan, of sample: Sampler.Sample) throws(CommandFailure) {
        guard plan.isEmpty else { return }
        let reasons = (sample.leftOut + plan.leftOut).map { "\($0.subject): \($0.text)" }
        guard let question = plan.questions.first else {
            throw CommandFailure(.badData, "\(source) has nothing that a screen could show", details: reasons)
        }
        let columns = question.columns.prefix(12).joined(separator: ", ")
        throw CommandFailure(
            .badData,
            "nothing tells the rows of \(question.table) apart: no column has a different value in each row. Say which "
                + "columns do together, such as --key \(question.columns.prefix(2).joined(separator: ",")); there is \(columns)",
            details: reasons)
    }
}

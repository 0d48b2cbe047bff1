import MarqueeCatalogue
import MarqueeImport
import MarqueeModel
import MarqueePublisher
import MarqueeScreens
import MarqueeStore

/// Runs one import and reports its progress. An import that can't be kept whole is discarded.
struct Importing {
    let options: ImportOptions
    /// How many bad rows are allowed by default.
    let tolerance: ImportTolerance
    /// The files that are read while the import writes.
    var files: [String] = []

    /// - Parameter work: the import.
    /// - Throws: when nothing was imported, or not all of it.
    func run(_ work: (Importer) throws(ImportError) -> ImportReport) throws {
        Console.surviveClosedPipes()
        if let server = options.server {
            try publish(to: server, work)
        } else if let place = options.place {
            try write(to: place, work)
        }
    }

    private var importRun: ImportRun {
        ImportRun(tolerance: options.tolerance(tolerance), isRehearsal: options.isDryRun)
    }

    // MARK: - To a store

    private func write(to place: StorePlace, _ work: (Importer) throws(ImportError) -> ImportReport) throws {
        guard place.mayHoldCatalogue || !options.isDryRun else { return try rehearse(for: place, work) }
        let store = try open(place)
        let types: TypesDocument?
        do throws(StoreError) { types = try store.types() } catch { throw CommandFailure(error, at: place) }
        let result = try judged(in: place, Interruption(), types: types) { (importer) throws(ImportError) in
            try importRun.run(in: store) { (writer) throws(ImportError) in try work(importer(writer, Importing.keepAll))
            }
        }
        do throws(StoreError) {
            let revision = try store.catalogueHead().revision
            let outcome = options.isDryRun ? Importing.unchanged : "the catalogue is at revision \(revision)"
            Console.say("\(Importing.summary(of: result.report)); \(outcome)")
            try store.close()
        } catch {
            throw CommandFailure(error, at: place)
        }
    }

    private static let unchanged = "nothing was changed (--dry-run)"

    /// Imports into a catalogue of its own, so that no folder is made.
    private func rehearse(
        for place: StorePlace, _ work: (Importer) throws(ImportError) -> ImportReport
    ) throws {
        let store = MemoryStore(programmeCheck: ProgrammeValidator.check)
        let result = try judged(in: place, Interruption(), types: nil) { (importer) throws(ImportError) in
            try importRun.run(in: store) { (writer) throws(ImportError) in try work(importer(writer, Importing.keepAll))
            }
        }
        Console.say("\(Importing.summary(of: result.report)); \(Importing.unchanged)")
    }

    private static func keepAll(_ row: ImportedRow) throws(ImportError) -> String? { nil }

    private func open(_ place: StorePlace) throws(CommandFailure) -> any ServedStore {
        do throws(StoreError) {
            return try place.open()
        } catch {
            var failure = CommandFailure(error, at: place)
            if error.code == .ownedByOther, case .folder(let folder) = place {
                failure.message += "; " + Importing.advice(owner: FolderOwner(of: folder), folder: folder)
            }
            throw failure
        }
    }

    /// Returns advice on importing into a folder that is in use.
    static func advice(owner: FolderOwner?, folder: String) -> String {
        guard let address = owner?.address else {
            return "if that is a running server, import with --to HOST:PORT, the address that it printed"
        }
        return "that is the server on \(address): import with --to \(address) --catalogue \(folder)"
    }

    // MARK: - To a server

    private func publish(
        to server: ListenAddress, _ work: (Importer) throws(ImportError) -> ImportReport
    ) throws {
        let interruption = Interruption()
        let (tls, token) = (try options.publishing.client(for: server.host), try options.publishing.token())
        let target = RemoteImport(server: server, tls: tls, token: token) { interruption.isAbsent }
        defer { target.close() }
        try target.connect()
        let (catalogue, types) = try self.catalogue()
        var rows = PublishedRows()
        var result = try judged(in: .folder(options.catalogue ?? ""), interruption, types: types) {
            (importer) throws(ImportError) in
            try importRun.rehearse(in: catalogue) { (writer) throws(ImportError) in
                try work(importer(writer) { (row) throws(ImportError) in try rows.add(row) })
            }
        }
        guard !options.isDryRun else {
            Console.say("\(Importing.summary(of: result.report)); nothing was published (--dry-run)")
            return
        }
        let outcome = try target.publish(rows, report: &result.report) { report in
            importRun.refusal(of: report).map { $0 + advice(report) }
        }
        Console.say(
            "\(Importing.summary(of: result.report)); \(counted(outcome.publications, "publication")), the server's "
                + "catalogue is at revision \(outcome.revision)")
    }

    /// Returns the server's catalogue and its types, as far as they are known.
    private func catalogue() throws(CommandFailure) -> (any CatalogueWriter, TypesDocument?) {
        guard let folder = options.catalogue else { return (UnknownCatalogue(), nil) }
        do throws(StoreError) {
            let copy = try MemoryStore(copying: folder, programmeCheck: ProgrammeValidator.check)
            var types: TypesDocument?
            _ = try copy.snapshot { if case .types(let document) = $0 { types = document } }
            return (copy, types)
        } catch {
            throw CommandFailure(error, folder: folder)
        }
    }

    // MARK: - Both

    /// Runs an import and reports the outcome of its rows.
    /// - Parameters:
    ///   - place: the destination.
    ///   - types: the record types in force at the destination.
    private func judged(
        in place: StorePlace, _ interruption: Interruption, types: TypesDocument?,
        _ run: ((any CatalogueWriter, @escaping Importer.Keeper) -> Importer) throws(ImportError) -> ImportRun.Result
    ) throws -> ImportRun.Result {
        let progress = ProgressLine()
        let placeholder = try ProgrammeSource.builtIn().text
        let result: ImportRun.Result
        do throws(ImportError) {
            let copies = try copies(for: place, interruption, progress)
            result = try run { writer, keep in
                Importer(
                    store: writer, encoding: options.encoding, types: types, placeholder: placeholder, copies: copies,
                    shouldContinue: { interruption.isAbsent }, keep: keep
                ) { progress.show(ProgressLine.text($0)) }
            }
            progress.end()
        } catch {
            progress.end()
            if error.code == .cancelled {
                Console.complain("\(error.message); nothing was imported")
                throw Interruption.Ended()
            }
            throw failure(error, place)
        }
        Importing.tell(result.report)
        if let refusal = result.refusal {
            throw CommandFailure(.badData, "nothing was imported: \(refusal)\(advice(result.report))")
        }
        return result
    }

    /// Reads all pipes to their end first if others write to the same catalogue: they would wait for the pipes too.
    private func copies(
        for place: StorePlace, _ interruption: Interruption, _ progress: ProgressLine
    ) throws(ImportError) -> SpooledInputs {
        guard case .database = place else { return SpooledInputs() }
        return try SpooledInputs(files, shouldContinue: { interruption.isAbsent }) { name, bytes in
            progress.show("\(name): \(bytes >> 20) MiB read")
        }
    }

    private static func tell(_ report: ImportReport) {
        for problem in report.problems { Console.show("\(problem)\n") }
        if report.bad > report.problems.count {
            Console.show("and \(counted(report.bad - report.problems.count, "more bad row"))\n")
        }
        for note in report.notes { Console.show("\(note)\n") }
        if report.noteCount > report.notes.count {
            Console.show("and \(counted(report.noteCount - report.notes.count, "more note"))\n")
        }
    }

    /// Advice on importing the rest anyway, if that is possible.
    private func advice(_ report: ImportReport) -> String {
        guard report.imported + report.unchanged > 0, report.bad > 0 else { return "" }
        return "; --max-bad \(report.bad) imports the rest"
    }

    /// `95 rows: 88 imported (show 2, episode 86), 2 in place of earlier rows, 4 unchanged, 1 bad`
    static func summary(of report: ImportReport) -> String {
        let counts = report.recordCounts.map(\.description).joined(separator: ", ")
        let repeated = report.repeated == 0 ? "" : ", \(report.repeated) in place of earlier rows"
        let removed = report.removed == 0 ? "" : ", \(report.removed) removed"
        return "\(counted(report.rows, "row")): \(report.imported) imported\(counts.isEmpty ? "" : " (\(counts))")"
            + "\(repeated)\(removed), \(report.unchanged) unchanged, \(report.bad) bad"
    }

    private func failure(_ error: ImportError, _ place: StorePlace) -> CommandFailure {
        var failure = CommandFailure(error, at: place)
        if !failure.message.hasPrefix("nothing was imported") { failure.message += "; nothing was imported" }
        return failure
    }
}

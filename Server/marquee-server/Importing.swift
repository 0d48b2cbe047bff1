import MarqueeImport
import MarqueeStore

/// Runs one import into a data folder and says how it goes. What it can't keep whole it does not keep at all.
struct Importing {
    let options: ImportOptions
    /// How many bad rows are allowed where the user doesn't say.
    let tolerance: ImportTolerance

    /// - Parameter work: the import.
    /// - Throws: when nothing was imported.
    func run(_ work: (Importer) throws(ImportError) -> ImportReport) throws {
        let store = try open()
        let progress = ProgressLine()
        let interruption = Interruption()
        let run = ImportRun(tolerance: options.tolerance(tolerance), isRehearsal: options.isDryRun)
        let result: ImportRun.Result
        do throws(ImportError) {
            result = try run.run(in: store) { (writer) throws(ImportError) in
                try work(
                    Importer(store: writer, encoding: options.encoding, isWanted: { interruption.isAbsent }) {
                        progress.show(ProgressLine.text($0))
                    })
            }
            progress.end()
        } catch {
            progress.end()
            if error.code == .cancelled {
                Console.complain("\(error.message); nothing was imported")
                throw Interruption.Ended()
            }
            throw failure(error)
        }
        tell(result.report)
        if let refusal = result.refusal {
            throw CommandFailure(.badData, "nothing was imported: \(refusal)\(advice(result.report))")
        }
        do throws(StoreError) {
            let revision = try store.catalogueHead().revision
            let outcome =
                options.isDryRun
                ? "nothing was changed (--dry-run)" : "the catalogue is at revision \(revision)"
            Console.say("\(Importing.summary(of: result.report)); \(outcome)")
            try store.close()
        } catch {
            throw CommandFailure(error, folder: options.data.folder)
        }
    }

    private func tell(_ report: ImportReport) {
        for problem in report.problems { Console.show("\(problem)\n") }
        if report.bad > report.problems.count {
            Console.show("and \(counted(report.bad - report.problems.count, "more bad row"))\n")
        }
        for note in report.notes { Console.show("\(note)\n") }
        if report.noteCount > report.notes.count {
            Console.show("and \(counted(report.noteCount - report.notes.count, "more thing")) that are not imported\n")
        }
    }

    /// How to keep the rest all the same, where there is one.
    private func advice(_ report: ImportReport) -> String {
        guard report.imported + report.unchanged > 0, report.bad > 0 else { return "" }
        return "; --max-bad \(report.bad) imports the rest"
    }

    /// `95 rows: 90 imported, 4 unchanged, 1 bad`
    static func summary(of report: ImportReport) -> String {
        "\(counted(report.rows, "row")): \(report.imported) imported, \(report.unchanged) unchanged, \(report.bad) bad"
    }

    private func failure(_ error: ImportError) -> CommandFailure {
        var failure = CommandFailure(error, folder: options.data.folder)
        if !failure.message.hasPrefix("nothing was imported") { failure.message += "; nothing was imported" }
        return failure
    }

    private func open() throws(CommandFailure) -> SQLiteStore {
        do throws(StoreError) {
            return try SQLiteStore(folder: options.data.folder)
        } catch {
            var failure = CommandFailure(error, folder: options.data.folder)
            if error.code == .ownedByOther {
                failure.message += "; if that is a running server, give it changes with 'marquee publish'"
            }
            throw failure
        }
    }
}

import MarqueeImport
import MarqueeStore

/// Runs one import into a data folder and says how it goes.
struct Importing {
    let folder: String

    /// - Parameter work: the import.
    /// - Throws: when the import had to stop, or kept no row at all.
    func run(_ work: (Importer) throws(ImportError) -> ImportReport) throws(CommandFailure) {
        let store = try open()
        let progress = ProgressLine()
        let report: ImportReport
        do throws(ImportError) {
            report = try work(Importer(store: store) { progress.show(ProgressLine.text($0)) })
            progress.end()
        } catch {
            progress.end()
            throw CommandFailure(error, folder: folder)
        }
        for problem in report.problems { Console.show("\(problem)\n") }
        if report.bad > report.problems.count {
            Console.show("and \(counted(report.bad - report.problems.count, "more bad row"))\n")
        }
        do throws(StoreError) {
            Console.say(
                "\(Importing.summary(of: report)); the catalogue is at revision \(try store.catalogueHead().revision)")
            try store.close()
        } catch {
            throw CommandFailure(error, folder: folder)
        }
        if report.bad > 0, report.bad == report.rows { throw CommandFailure(.badData, "no row could be used") }
    }

    /// `95 rows: 90 imported, 4 unchanged, 1 bad`
    static func summary(of report: ImportReport) -> String {
        "\(counted(report.rows, "row")): \(report.imported) imported, \(report.unchanged) unchanged, \(report.bad) bad"
    }

    private func open() throws(CommandFailure) -> SQLiteStore {
        do throws(StoreError) {
            return try SQLiteStore(folder: folder)
        } catch {
            throw CommandFailure(error, folder: folder)
        }
    }
}

import ArgumentParser
import MarqueeStore

/// `marquee-server backup`
struct BackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Save a data folder or a database to one file, even while it is served.",
        discussion: """
            The file is an SQLite database with everything that the store has: the catalogue and its log, and everybody's \
            favorites. It appears once it is complete and checked; until then it is written to a temporary file beside it. \
            Only its owner may read it. Data folders and databases can be restored from it, whichever it was made from.

              marquee-server backup marquee-2026-01-31.backup --data data
              marquee-server backup --force latest.backup --data data
              marquee-server backup latest.backup --store postgres:///marquee
            """)

    @Argument(help: ArgumentHelp("The file to write.", valueName: "file"))
    var file: String

    @Flag(help: "Replace the file if it exists.")
    var force = false

    @OptionGroup var store: PlaceOptions

    func validate() throws {
        guard !file.isEmpty else { throw ValidationError("the name of the file is empty") }
    }

    func run() throws {
        let place = store.place
        let work = BackingUp(place: place, file: file, foreign: .cannotCreate)
        let summary = try work.run { (observer) throws(StoreError) in
            switch place {
            case .folder(let folder): try Backup.save(folder, to: file, replacing: force, observer: observer)
            case .database(let url): try Backup.save(url, to: file, replacing: force, observer: observer)
            }
        }
        Console.say("\(file): \(BackingUp.text(summary))")
    }
}

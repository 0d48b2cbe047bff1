import ArgumentParser
import MarqueeStore

/// `marquee-server backup`
struct BackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Save a data folder to one file, even while it is served.",
        discussion: """
            The file is an SQLite database with everything in the data folder: the catalogue and its log, and everybody's \
            favorites. It appears once it is complete and checked; until then it is written to a temporary file beside it. \
            Only its owner may read it.

              marquee-server backup marquee-2026-01-31.backup --data data
              marquee-server backup --force latest.backup --data data
            """)

    @Argument(help: ArgumentHelp("The file to write.", valueName: "file"))
    var file: String

    @Flag(help: "Replace the file if it exists.")
    var force = false

    @OptionGroup var data: StoredDataOptions

    func validate() throws {
        guard !file.isEmpty else { throw ValidationError("the name of the file is empty") }
    }

    func run() throws {
        let work = BackingUp(folder: data.folder, file: file, foreign: .cannotCreate)
        let summary = try work.run { (observer) throws(StoreError) in
            try Backup.save(data.folder, to: file, replacing: force, observer: observer)
        }
        Console.say("\(file): \(BackingUp.text(summary))")
    }
}

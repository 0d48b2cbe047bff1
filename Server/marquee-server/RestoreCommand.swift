import ArgumentParser
import MarqueeStore

/// `marquee-server restore`
struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Make a data folder from a backup.",
        discussion: """
            The backup is checked before anything changes, and replaces the store that was there in one step. The data \
            folder must not be in use. Clients notice that history was rewritten and switch over by themselves; favorites that \
            they set after the backup are lost.

              marquee-server restore marquee-2026-01-31.backup --data data
              marquee-server restore --force latest.backup --data data
            """)

    @Argument(help: ArgumentHelp("The backup.", valueName: "file"))
    var file: String

    @Flag(help: "Replace the store that the data folder holds.")
    var force = false

    @OptionGroup var data: DataOptions

    func run() throws {
        let work = BackingUp(folder: data.folder, file: file, foreign: .badData)
        let summary = try work.run { (observer) throws(StoreError) in
            try Backup.restore(file, into: data.folder, replacing: force, observer: observer)
        }
        Console.say("\(data.folder): \(BackingUp.text(summary)), as of \(summary.made)")
    }
}

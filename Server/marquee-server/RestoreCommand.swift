import ArgumentParser
import MarqueeStore

/// `marquee-server restore`
struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Make a data folder from a backup, or fill a database.",
        discussion: """
            The backup is checked before anything changes, and replaces the store that was there in one step. The data \
            folder must not be in use. Clients notice that history was rewritten and switch over by themselves; favorites that \
            they set after the backup are lost.

            A backup of a data folder can be restored into a database and the other way round, so this is also how data \
            moves from one server to many. Stop a database's servers first: they end when they notice.

              marquee-server restore marquee-2026-01-31.backup --data data
              marquee-server restore --force latest.backup --data data
              marquee-server restore latest.backup --store postgres:///marquee
            """)

    @Argument(help: ArgumentHelp("The backup.", valueName: "file"))
    var file: String

    @Flag(help: "Replace the store that is there.")
    var force = false

    @OptionGroup var store: PlaceOptions

    func run() throws {
        let place = store.place
        let work = BackingUp(place: place, file: file, foreign: .badData)
        let summary = try work.run { (observer) throws(StoreError) in
            switch place {
            case .folder(let folder): try Backup.restore(file, into: folder, replacing: force, observer: observer)
            case .database(let url): try Backup.restore(file, into: url, replacing: force, observer: observer)
            }
        }
        Console.say("\(place.name): \(BackingUp.text(summary)), as of \(summary.made)")
    }
}

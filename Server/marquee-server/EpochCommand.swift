import ArgumentParser
import MarqueeStore

/// `marquee-server epoch`
struct EpochCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "epoch", abstract: "Tell clients that a database, or a data folder, has lost commits.",
        subcommands: [EpochNewCommand.self])
}

/// `marquee-server epoch new`
struct EpochNewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Give the logs of a database, or of a data folder, new epochs.",
        discussion: """
            For a database that lacks its last commits: one that was restored from a backup, or a standby that lagged when \
            it was promoted; and for a data folder without its write-ahead logs. Clients and servers that have seen more \
            than it has take nothing from it until then. Stop the servers first, and start them again afterwards.

              marquee-server epoch new --store postgres://marquee@db.example/marquee
              marquee-server epoch new --data data
            """)

    @Option(
        name: .customLong("store"), help: ArgumentHelp("The PostgreSQL database.", valueName: "postgres://…"),
        transform: { try PostgresURL(argument: $0) })
    var database: PostgresURL?

    @Option(name: .customLong("data"), help: ArgumentHelp("The data folder.", valueName: "dir"))
    var folder: String?

    func validate() throws {
        if (database == nil) == (folder == nil) { throw ValidationError("either --store or --data is needed") }
        if folder?.isEmpty == true { throw ValidationError("--data is empty") }
    }

    func run() throws {
        let place: StorePlace = database.map { .database($0) } ?? .folder(folder ?? "")
        do throws(StoreError) {
            switch place {
            case .database(let url): try PostgresStore.renewEpochs(of: url)
            case .folder(let path): try SQLiteStore.renewEpochs(of: path)
            }
        } catch {
            throw CommandFailure(error, at: place)
        }
        Console.say("both logs of \(place.name) have new epochs; start the servers again")
    }
}

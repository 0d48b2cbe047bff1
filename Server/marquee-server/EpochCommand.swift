import ArgumentParser
import MarqueeStore

/// `marquee-server epoch`
struct EpochCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "epoch", abstract: "Tell clients that a database has lost commits.",
        subcommands: [EpochNewCommand.self])
}

/// `marquee-server epoch new`
struct EpochNewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Give the logs of a database new epochs.",
        discussion: """
            For a database that lacks its last commits: one that was restored from a backup, or a standby that lagged when \
            it was promoted. Clients and servers that have seen more than it has take nothing from it until then. Stop \
            the servers first, and start them again afterwards.

              marquee-server epoch new --store postgres://marquee@db.example/marquee
            """)

    @Option(
        name: .customLong("store"), help: ArgumentHelp("The PostgreSQL database.", valueName: "postgres://…"),
        transform: { try PostgresURL(argument: $0) })
    var database: PostgresURL

    func run() throws {
        do throws(StoreError) {
            try PostgresStore.renewEpochs(of: database)
        } catch {
            throw CommandFailure(error, at: .database(database))
        }
        Console.say("both logs of \(database) have new epochs; start the servers again")
    }
}

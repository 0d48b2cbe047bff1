import ArgumentParser
import Foundation
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
            it was promoted; and for a data folder without its write-ahead logs. Until it has new epochs, clients and \
            servers that have seen later commits take nothing from it. Stop the servers first, and start them again \
            afterwards.

            It shows the store that it has found and its last commit, and asks. Of several hosts it takes the one \
            with the highest timeline, never a former primary; with a single host it can't tell.

              marquee-server epoch new --store postgres://marquee@db1.example,db2.example/marquee
              marquee-server epoch new --data data --force
            """)

    @Option(
        name: .customLong("store"), help: ArgumentHelp("The PostgreSQL database.", valueName: "postgres://…"),
        transform: { try PostgresURL(argument: $0) })
    var database: PostgresURL?

    @Option(name: .customLong("data"), help: ArgumentHelp("The data folder.", valueName: "dir"))
    var folder: String?

    @Flag(help: "Don't ask.")
    var force = false

    func validate() throws {
        if (database == nil) == (folder == nil) { throw ValidationError("either --store or --data is needed") }
        if folder?.isEmpty == true { throw ValidationError("--data is empty") }
    }

    func run() throws {
        let place: StorePlace = database.map { .database($0) } ?? .folder(folder ?? "")
        do throws(StoreError) {
            switch place {
            case .database(let url):
                let epochs = try PostgresEpochs(of: url)
                for line in Self.lines(epochs.state, at: place) { Console.say(line) }
                guard isConfirmed else { throw StoreError.unconfirmed }
                try epochs.renew()
            case .folder(let path):
                let epochs = try SQLiteEpochs(of: path)
                for line in Self.lines(epochs.state, at: place) { Console.say(line) }
                guard isConfirmed else { throw StoreError.unconfirmed }
                try epochs.renew()
            }
        } catch {
            throw error.code == .cancelled ? CommandFailure(.usage, error.message) : CommandFailure(error, at: place)
        }
        Console.say("both logs of \(place.name) have new epochs; start the servers again")
    }

    private var isConfirmed: Bool {
        if force { return true }
        guard isatty(STDIN_FILENO) == 1 else { return false }
        Console.say("Clients will prove again what they have. Give both logs new epochs? (yes/no)")
        return readLine() == "yes"
    }

    /// Describes the database that is about to be changed.
    static func lines(_ state: PostgresState, at place: StorePlace) -> [String] {
        var lines = [
            "\(place.name)",
            "  server         \(state.host), system \(state.place.system), timeline \(state.place.timeline)",
            "  last commit    revision \(state.revision)",
            "  collections    \(counted(state.users, "user"))\(at(state.moved))",
            "  seen more      " + seen(state),
        ]
        if !state.sessions.isEmpty {
            lines.append("  still in use by \(state.sessions.joined(separator: ", ")); stop these servers first")
        }
        for host in state.formerHosts {
            lines.append("  \(host) is a former primary that takes writes: stop it, and make it a standby of this one")
        }
        for host in state.silentHosts {
            lines.append("  \(host) doesn't answer: if it has taken writes since, this is the wrong one")
        }
        return lines
    }

    /// Describes the folder that is about to be changed.
    static func lines(_ state: FolderState, at place: StorePlace) -> [String] {
        [
            "\(place.name)", "  last commit    revision \(state.revision)\(at(state.committed))",
            "  collections    \(counted(state.users, "user"))\(at(state.moved))",
        ]
    }

    /// - Parameter time: seconds since 1970.
    private static func at(_ time: UInt64?) -> String {
        time.map { ", changed \(Date(timeIntervalSince1970: Double($0)).formatted(.iso8601))" } ?? ""
    }

    /// Describes the clients that have seen commits that the database lacks.
    private static func seen(_ state: PostgresState) -> String {
        if state.clientsAhead == 0 { return "no client since; servers that ended with 65 logged what they had seen" }
        let clients = counted(state.clientsAhead, "client")
        return state.seenRevision.map { "\(clients), up to revision \($0)" } ?? "\(clients), of their own collections"
    }
}

extension StoreError {
    fileprivate static let unconfirmed = StoreError(
        .cancelled, "nothing was changed; answer 'yes', or use --force in scripts")
}

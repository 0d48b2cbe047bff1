import ArgumentParser
import Dispatch
import Foundation
import ProcessSupport

@main
struct Nodes: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "nodes",
        abstract: "Tries what servers that share a PostgreSQL promise, while they, relays and PostgreSQL fail.",
        discussion: """
            Starts a PostgreSQL of its own in a temporary folder, three nodes on it and two relays behind them, each a \
            process on 127.0.0.1, and connects clients by way of a TCP balancer. In every phase publications and \
            favorites go on. After it, each client's mirror is compared with that of a newcomer, and the database with \
            what was confirmed. The exit code is 1 when anything differs, was lost or was doubled; what the processes \
            said is kept then.

            After the phases, faults: each has a primary with a standby, three nodes and two relays to itself, with \
            few clients, which record every state that they show and every answer. All of that is judged by what the \
            database's logs lead to. One seed names what happens; when it happens is up to the machine.

            PHASES
            \(Phase.all.map { "  \($0.name): \($0.summary)" }.joined(separator: "\n"))

            FAULTS
            \(Fault.all.map { "  \($0.name): \($0.summary); \($0.promise)" }.joined(separator: "\n"))
            """)

    @Option(help: ArgumentHelp("The server to try.", valueName: "path"))
    var server = RunningProcess.products.appending(path: "marquee-server").path

    @Option(help: ArgumentHelp("The one that a rolling restart ends with. (default: the same)", valueName: "path"))
    var newerServer: String?

    @Option(help: ArgumentHelp("Clients, each with a mirror and a connection of its own.", valueName: "n"))
    var clients = 1_000

    @Option(help: ArgumentHelp("Users, who have as many clients each.", valueName: "n"))
    var users = 50

    @Option(help: ArgumentHelp("How long each phase goes on before it is looked at.", valueName: "seconds"))
    var seconds = 15.0

    @Option(help: ArgumentHelp("Publications a second.", valueName: "n"))
    var publications = 1.0

    @Option(help: ArgumentHelp("Favorites that are set or unset a second.", valueName: "n"))
    var favorites = 10.0

    @Option(
        help: ArgumentHelp(
            "The faults to try, instead of phases unless some are named. (default: all, after all phases)",
            valueName: "name,name"))
    var faults: String?

    @Option(help: ArgumentHelp("The seed of the first round of each fault.", valueName: "n"))
    var seed: UInt64 = 1

    @Option(help: ArgumentHelp("Rounds of each fault, each with the seed after the last one's.", valueName: "n"))
    var rounds = 1

    @Argument(help: "The phases to run, instead of faults unless some are named: all by default.")
    var phases: [String] = []

    private var chosenPhases: [Phase] {
        guard !phases.isEmpty || faults == nil else { return [] }
        return Phase.all.filter { phases.isEmpty || phases.contains($0.name) }
    }

    private var namesOfFaults: [String] { (faults ?? "").split(separator: ",").map(String.init) }

    private var chosenFaults: [Fault] {
        guard faults != nil || phases.isEmpty else { return [] }
        return faults == nil ? Fault.all : namesOfFaults.compactMap { name in Fault.all.first { $0.name == name } }
    }

    func validate() throws {
        func check(_ name: String, _ isGood: Bool, _ range: Any) throws {
            if !isGood { throw ValidationError("--\(name) is from \(range)".replacing("...", with: " to ")) }
        }
        try check("clients", Bounds.clients.contains(clients), Bounds.clients)
        try check("users", Bounds.users.contains(users), Bounds.users)
        try check("seconds", Bounds.seconds.contains(seconds), Bounds.seconds)
        try check("publications", Bounds.publications.contains(publications), Bounds.publications)
        try check("favorites", Bounds.favorites.contains(favorites), Bounds.favorites)
        if users > clients { throw ValidationError("--users is at most --clients") }
        let known = Phase.all.map(\.name)
        if let unknown = phases.first(where: { !known.contains($0) }) {
            throw ValidationError("there is no phase '\(unknown)'; there are \(known.joined(separator: ", "))")
        }
        try check("rounds", Bounds.rounds.contains(rounds), Bounds.rounds)
        let knownFaults = Fault.all.map(\.name)
        if let unknown = namesOfFaults.first(where: { !knownFaults.contains($0) }) {
            throw ValidationError("there is no fault '\(unknown)'; there are \(knownFaults.joined(separator: ", "))")
        }
    }

    func run() async throws {
        try allowFiles(Bounds.files(clients: clients, users: users))
        let folder = FileManager.default.temporaryDirectory.appending(path: "marquee-nodes-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let work = Task { try await run(in: folder) }
        let sources = Self.onSignals { work.cancel() }
        defer { for source in sources { source.cancel() } }
        let isGood: Bool
        do {
            isGood = try await work.value
        } catch {
            if work.isCancelled {
                try? FileManager.default.removeItem(at: folder)
                throw ExitCode(130)
            }
            NodesRun.say("\(error)")
            isGood = false
        }
        guard isGood else {
            NodesRun.say("what the processes said is in \(folder.path)")
            throw ExitCode(1)
        }
        try? FileManager.default.removeItem(at: folder)
    }

    /// - Returns: whether everything is as it should be.
    private func run(in folder: URL) async throws -> Bool {
        var isGood = true
        if !chosenPhases.isEmpty {
            let run = NodesRun(
                program: Self.absolute(server), newer: Self.absolute(newerServer ?? server), clients: clients,
                users: users, seconds: seconds, rates: (publications, favorites), phases: chosenPhases, folder: folder)
            let reports = try await run.run()
            print(Report.table(reports))
            let failures = reports.map(\.failures.count).reduce(0, +)
            print("\(reports.count) of \(run.phases.count) phases ran; \(failures) things were not as they should be")
            isGood = failures == 0
        }
        if !chosenFaults.isEmpty {
            let run = FaultRun(
                program: Self.absolute(server), faults: chosenFaults, seed: seed, rounds: rounds, seconds: seconds,
                folder: folder.appending(path: "faults"))
            isGood = try await run.run() == 0 && isGood
        }
        return isGood
    }

    private static func absolute(_ path: String) -> String { URL(filePath: path).absoluteURL.path }

    /// Raises how many files this process, and those that it starts, may have open.
    private func allowFiles(_ wanted: UInt64) throws {
        var limit = rlimit()
        let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(files, &limit) == 0, limit.rlim_max >= wanted else {
            throw NodesError("\(clients) clients need \(wanted) open files, and the system allows \(limit.rlim_max)")
        }
        limit.rlim_cur = max(limit.rlim_cur, rlim_t(wanted))
        setrlimit(files, &limit)
    }

    private static func onSignals(_ work: @escaping @Sendable () -> Void) -> [any DispatchSourceSignal] {
        [SIGINT, SIGTERM, SIGHUP].map { number in
            // By default, the signal would end the process at once.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler(handler: work)
            source.resume()
            return source
        }
    }
}

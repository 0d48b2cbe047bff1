import Foundation
import PostgresSupport
import Synchronization

/// Where a fault happens: the processes, and what it may do with them.
final class FaultScene: Sendable {
    let arena: Arena
    let dice: Dice
    /// The number of the server that fails.
    let victimNumber: Int
    private let recorder: Recorder
    private let isPromoted = Mutex(false)
    /// Is called with clients that come and go.
    private let arrivals: @Sendable (_ count: Int, _ server: ServerProcess) -> Void

    init(
        _ arena: Arena, dice: Dice, recorder: Recorder,
        arrivals: @escaping @Sendable (_ count: Int, _ server: ServerProcess) -> Void
    ) {
        self.arena = arena
        self.dice = dice
        self.recorder = recorder
        self.arrivals = arrivals
        victimNumber = dice.next(arena.servers.count)
    }

    var victim: ServerProcess { arena.servers[victimNumber] }
    /// The primary of the moment.
    var database: PostgresServer { isPromoted.withLock { $0 } ? arena.standby : arena.primary }

    func mayLose(_ mayLose: Bool) { recorder.record(.mayLose(mayLose)) }

    /// New clients come to a server, and leave soon.
    func arrive(_ count: Int, at server: ServerProcess) { arrivals(count, server) }

    /// Ends all connections of servers to a database.
    func terminate(at database: PostgresServer) throws { try database.run(Self.termination()) }

    /// The name of connections that a fault holds.
    static let administrator = "administrator"

    /// - Parameter name: of programs whose connections are left alone.
    static func termination(sparing name: String? = nil) -> String {
        """
        SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE pid <> pg_backend_pid() \
        AND backend_type = 'client backend'\(name.map { " AND application_name <> '\($0)'" } ?? "")
        """
    }

    /// A process that does nothing for a while, and then goes on.
    func stop(_ process: ServerProcess, for duration: Duration) async throws {
        process.signal(SIGSTOP)
        try await Task.sleep(for: duration)
        process.signal(SIGCONT)
    }

    /// Keeps back what passes between the victim and both databases.
    func cut(_ directions: Set<Wire.Direction>, for duration: Duration) async throws {
        let wires = arena.databaseWires[victimNumber]
        for wire in wires { wire.hold(directions) }
        try await Task.sleep(for: duration)
        for wire in wires { wire.hold([]) }
    }

    /// Waits until a session has held the catalogue's head for a while without asking for anything.
    func waitForHeldLock() async throws {
        let query = """
            SELECT count(*) FROM pg_locks l JOIN pg_class c ON c.oid = l.relation JOIN pg_stat_activity a USING (pid) \
            WHERE c.relname = 'catalogue_head' AND l.granted AND a.state = 'idle in transaction' \
            AND now() - a.state_change > interval '200 ms'
            """
        let deadline = ContinuousClock.now + .seconds(10)
        while ContinuousClock.now < deadline {
            if try arena.primary.run(query) != "0" { return }
            try await Task.sleep(for: .milliseconds(50))
        }
        NodesRun.say("  nobody held the lock within 10 s")
    }

    /// Makes the standby the primary, without the commits of the last two seconds.
    func promoteWithLoss() async throws {
        mayLose(true)
        try arena.standby.run("ALTER SYSTEM SET primary_conninfo = ''")
        try arena.standby.run("SELECT pg_reload_conf()")
        try await Task.sleep(for: .seconds(2))
        try arena.primary.crash()
        // Confirmations reach those who asked before they count as promised.
        try await Task.sleep(for: .seconds(2))
        mayLose(false)
        try promote()
    }

    func promote() throws {
        try arena.standby.run("SELECT pg_promote()")
        isPromoted.withLock { $0 = true }
    }

    /// Stops the servers, gives the logs new epochs, and starts the servers.
    func startAnew() async throws {
        try await stopServers()
        try await arena.run(["epoch", "new", "--force", "--store", database.url()])
        for server in arena.servers { try await server.start() }
    }

    /// Asks all servers to end. Those that have refused to go on have ended.
    func stopServers() async throws {
        for server in arena.servers {
            if let status = try await server.end(), status.isCrash {
                recorder.record(.ended(process: server.name, status: status.text))
            }
        }
    }

    func startWhatEnded() async throws {
        for server in arena.servers where !server.isRunning {
            if let status = try await server.end(), status.isCrash {
                recorder.record(.ended(process: server.name, status: status.text))
            }
            try await server.start()
        }
    }
}

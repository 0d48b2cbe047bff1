import PostgresSupport

@testable import MarqueeStore

/// A server and its standby.
struct PostgresStandbys {
    let primary: PostgresServer
    let standby: PostgresServer

    /// Runs `body` with a server, and a standby that waits for its promotion.
    static func with(_ body: (PostgresStandbys) throws -> Void) throws {
        let primary = try PostgresServer()
        defer { primary.stop() }
        let standby = try PostgresServer(standbyOf: primary)
        defer { standby.stop() }
        try body(PostgresStandbys(primary: primary, standby: standby))
    }

    /// Names both, the primary first.
    var url: String { "postgres:///postgres?host=\(primary.folder),\(standby.folder)&user=marquee" }

    /// Returns when the standby has everything that the server has.
    func catchUp() throws {
        let end = try primary.run("SELECT pg_current_wal_flush_lsn()")
        try PostgresTests.until { try standby.run("SELECT pg_last_wal_replay_lsn() >= '\(end)'::pg_lsn") == "t" }
    }

    /// Cuts the standby off from the server.
    func cut() throws {
        try standby.run("ALTER SYSTEM SET primary_conninfo = ''")
        try standby.run("SELECT pg_reload_conf()")
        try PostgresTests.until { try primary.run("SELECT count(*) FROM pg_stat_replication") == "0" }
    }

    func promote() throws { try standby.run("SELECT pg_promote()") }
}

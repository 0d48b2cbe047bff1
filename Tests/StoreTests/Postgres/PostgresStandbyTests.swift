import MarqueeModel
import PostgresSupport
import Testing

@testable import MarqueeStore

extension PostgresTests {
    /// A server that dies, and a standby that takes its place.
    @Suite struct PostgresStandbyTests {
        /// Runs `body` with a server, its standby, and a store that knows both. The standby waits for its promotion.
        private func withStandby(
            _ body: (_ primary: PostgresServer, _ standby: PostgresServer, PostgresStore) throws -> Void
        ) throws {
            let primary = try PostgresServer()
            defer { primary.stop() }
            let standby = try PostgresServer(standbyOf: primary)
            defer { standby.stop() }
            let url = "postgres:///postgres?host=\(primary.folder),\(standby.folder)&user=marquee"
            let store = try PostgresStore(url: url)
            try body(primary, standby, store)
            try? store.close()
        }

        /// Until the standby has everything that the server has.
        private func awaitCatchUp(_ primary: PostgresServer, _ standby: PostgresServer) throws {
            let end = try primary.run("SELECT pg_current_wal_flush_lsn()")
            try PostgresTests.until { try standby.run("SELECT pg_last_wal_replay_lsn() >= '\(end)'::pg_lsn") == "t" }
        }

        @Test func `A standby that has everything goes on, exactly once`() throws {
            try withStandby { primary, standby, store throws in
                try store.commit(Sample.page(1))
                #expect(try store.setFavorite("episode/1", .of(1, 1)) == .done(revision: 1, changed: true))
                try awaitCatchUp(primary, standby)
                primary.stop()
                #expect(throws: StoreError.self) { try store.setFavorite("episode/2", .of(1, 2)) }
                try standby.run("SELECT pg_promote()")
                // The same mutations again, as a client sends what wasn't confirmed.
                #expect(try store.setFavorite("episode/1", .of(1, 1)) == .repeated(revision: 1, changed: true))
                #expect(try store.setFavorite("episode/2", .of(1, 2)) == .done(revision: 2, changed: true))
                #expect(try store.commit(Sample.page(2)) == .done(revision: 2, changed: true))
                #expect(try store.favoriteSubjects() == ["episode/1", "episode/2"])
            }
        }

        @Test func `A standby that isn't promoted is not written to`() throws {
            try withStandby { primary, standby, store throws in
                try store.setFavorite("episode/1", .of(1, 1))
                try awaitCatchUp(primary, standby)
                let error = #expect(throws: StoreError.self) { try PostgresStore(url: standby.url()) }
                #expect(error?.message.isEmpty == false)
                #expect(try standby.run("SELECT count(*) FROM member") == "1")
            }
        }

        @Test func `A standby that lacks what was confirmed is refused`() throws {
            try withStandby { primary, standby, store throws in
                try store.commit(Sample.page(1))
                try store.setFavorite("episode/1", .of(1, 1))
                try awaitCatchUp(primary, standby)
                // It hears no more.
                try standby.run("ALTER SYSTEM SET primary_conninfo = ''")
                try standby.run("SELECT pg_reload_conf()")
                try PostgresTests.until { try primary.run("SELECT count(*) FROM pg_stat_replication") == "0" }
                #expect(try store.setFavorite("episode/2", .of(1, 2)) == .done(revision: 2, changed: true))
                primary.stop()
                try standby.run("SELECT pg_promote()")
                let ear = PostgresTests.Ear()
                try store.follow(ear.hear)
                try PostgresTests.until { ear.lost != nil }
                #expect(ear.lost?.code == .lostCommits)
                #expect(throws: StoreError.self) { try store.setFavorite("episode/3", .of(1, 3)) }
            }
        }
    }
}

import Dispatch
import Foundation
import MarqueeModel
import PostgresSupport
import Synchronization
import Testing

@testable import MarqueeStore

extension PostgresTests {
    /// Databases with a different history from the one that was seen.
    @Suite struct PostgresHistoryTests {
        /// Ends each session of stores at a server, so that they connect again.
        private func disconnect(_ server: PostgresServer) throws {
            try server.run(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'marquee %'")
        }

        @Test func `No outcome is claimed from a promoted standby that lacks known commits`() throws {
            try PostgresStandbys.with { servers throws in
                let writer = try PostgresStore(url: servers.url)
                let reader = try PostgresStore(url: servers.url)
                try writer.commit(Sample.page(1))
                try servers.catchUp()
                try servers.cut()
                try writer.commit(Sample.page(2))
                #expect(try reader.commits(after: 0, limit: 9).count == 2)
                // Its COMMIT waits for a standby that never confirms it.
                try servers.primary.run("ALTER SYSTEM SET synchronous_standby_names = 'nobody'")
                try servers.primary.run("SELECT pg_reload_conf()")
                try PostgresTests.until { try servers.primary.run("SHOW synchronous_standby_names") == "nobody" }
                let failure = Mutex<StoreError?>(nil)
                let ended = DispatchSemaphore(value: 0)
                Thread.detachNewThread {
                    do { try writer.commit(Sample.page(3)) } catch { failure.withLock { $0 = error as? StoreError } }
                    ended.signal()
                }
                let waits =
                    "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND application_name ~ 'marquee'"
                try PostgresTests.until { try servers.primary.run(waits) == "1" }
                try servers.primary.pause()
                try servers.promote()
                ended.wait()
                let error = failure.withLock { $0 }
                #expect(error?.code == .lostCommits)
                #expect(error?.message.contains("revision 2 of the catalogue") == true, "\(error?.message ?? "")")
                #expect(error?.message.contains("outcome of a commit that was under way isn't known") == true)
                #expect(try servers.standby.run("SELECT count(*) FROM commit_mark WHERE is_claimed") == "0")
                #expect(throws: StoreError.self) { try writer.commit(Sample.page(4)) }

                // A server that has seen nothing uses the lost revision again.
                let fresh = try PostgresStore(url: servers.standby.url())
                #expect(try fresh.commit(Sample.page(5)) == .done(revision: 2, changed: true))
                let refused = #expect(throws: StoreError.self) { try reader.commit(Sample.page(6)) }
                #expect(refused?.message.contains("which is a different commit") == true, "\(refused?.message ?? "")")
                #expect(try fresh.catalogueHead().revision == 2)
                for store in [writer, reader, fresh] { try? store.close() }
            }
        }

        @Test func `A former primary that comes back is never written to, although it is the first host`() throws {
            try PostgresStandbys.with { servers throws in
                let store = try PostgresStore(url: servers.url)
                try store.commit(Sample.page(1))
                try store.setFavorite("episode/1", .of(1, 1))
                try servers.catchUp()
                try servers.primary.pause()
                try servers.promote()
                try PostgresTests.until {
                    (try? store.commit(Sample.page(2), key: "second")) == .done(revision: 2, changed: true)
                        || (try? store.catalogueHead().revision) == 2
                }
                try servers.primary.resume()
                try disconnect(servers.standby)
                #expect(try store.setFavorite("episode/2", .of(1, 2)) == .done(revision: 2, changed: true))
                #expect(try store.commit(Sample.page(3)) == .done(revision: 3, changed: true))
                #expect(try store.catalogueHead().revision == 3)
                #expect(try servers.primary.run("SELECT revision FROM catalogue_head") == "1")
                #expect(try servers.primary.run("SELECT count(*) FROM member") == "1")

                let epochs = try PostgresEpochs(of: PostgresURL(servers.url))
                #expect(epochs.state.host == servers.standby.folder)
                #expect(epochs.state.formerHosts == [servers.primary.folder])
                // If there is no other server that is reported, and nothing is written.
                servers.standby.stop()
                let error = #expect(throws: StoreError.self) { try store.setFavorite("episode/3", .of(1, 3)) }
                #expect(error?.code == .io)
                let refused = #expect(throws: StoreError.self) { try store.setFavorite("episode/3", .of(1, 3)) }
                #expect(refused?.message.contains("is a former primary") == true, "\(refused?.message ?? "")")
                try store.close()
            }
        }

        @Test func `A server that starts after a failover uses no former primary, although it has seen nothing`()
            throws
        {
            try PostgresStandbys.with { servers throws in
                let store = try PostgresStore(url: servers.url)
                try store.commit(Sample.page(1))
                try servers.catchUp()
                try store.close()
                try servers.promote()
                try PostgresTests.until { try servers.standby.run("SELECT pg_is_in_recovery()") == "f" }

                let fresh = try PostgresStore(url: servers.url)
                #expect(try fresh.commit(Sample.page(2)) == .done(revision: 2, changed: true))
                #expect(try servers.primary.run("SELECT revision FROM catalogue_head") == "1")
                try fresh.close()
                let epochs = try PostgresEpochs(of: PostgresURL(servers.url))
                #expect(epochs.state.host == servers.standby.folder)
                #expect(epochs.state.place.timeline == 2 && epochs.state.revision == 2)
            }
        }

        /// Leaves a database as a dump of an earlier time would.
        private static let restored = """
            UPDATE catalogue_head SET revision = 1, chain = (SELECT chain FROM commit_chain WHERE revision = 1);
            DELETE FROM commit_chain WHERE revision > 1; DELETE FROM commit_log WHERE revision > 1;
            """

        @Test func `A restored database is noticed although its revisions were used again`() throws {
            try PostgresTests.withTwoHandles { mine, others throws in
                for page in 1...3 as ClosedRange<UInt64> { try mine.commit(Sample.page(page)) }
                try PostgresServer.shared().run(Self.restored, at: mine.url.text)
                // This node hasn't seen the lost revisions.
                for page in 2...4 as ClosedRange<UInt64> { try others.commit(Sample.page(10 + page)) }
                let error = #expect(throws: StoreError.self) { try mine.commit(Sample.page(9)) }
                #expect(error?.code == .lostCommits)
                #expect(error?.message.contains("revision 3 of the catalogue, which is a different commit") == true)
                #expect(throws: StoreError.self) { try mine.setFavorite("episode/1", .of(1, 1)) }
                #expect(throws: StoreError.self) { try mine.check() }
                #expect(try others.catalogueHead().revision == 4)
            }
        }

        @Test func `A user's lost moves are noticed by the node that made them`() throws {
            try PostgresTests.withTwoHandles { mine, others throws in
                try mine.setFavorite("episode/1", .of(1, 1))
                try mine.setFavorite("episode/2", of: "jun", .of(1, 2))
                try PostgresServer.shared().run(
                    "DELETE FROM user_log WHERE name = 'mina'; DELETE FROM member WHERE user_name = 'mina'",
                    at: mine.url.text)
                try others.setFavorite("episode/9", .of(2, 1))
                let error = #expect(throws: StoreError.self) { try mine.commit(Sample.page(1)) }
                #expect(error?.message.contains("revision 1 of the collections of 'mina'") == true)
            }
        }

        @Test func `Every user whose log was read or reported is remembered`() throws {
            try PostgresTests.withTwoHandles { mine, others throws in
                let ear = PostgresTests.Ear()
                try mine.follow(ear.hear)
                for number in 1...9 as ClosedRange<UInt64> {
                    try others.setFavorite("episode/1", of: "user \(number)", .of(1, number))
                }
                try PostgresTests.until { ear.moves.count == 9 }
                try others.setFavorite("episode/1", of: "read", .of(2, 1))
                #expect(try mine.userHead("read").revision == 1)
                #expect(Set(mine.gate.witness.seen.users.map(\.name)).count == 10)
            }
        }

        @Test func `Clients that have seen more are shown when epochs are renewed, as long as they are ahead`()
            throws
        {
            try PostgresTests.withTwoHandles { mine, others throws in
                try mine.commit(Sample.page(1))
                func client(_ number: UInt8, _ revision: UInt64) -> ClientAhead {
                    ClientAhead(
                        client: [UInt8](repeating: number, count: 16), revision: revision, user: "mina", userRevision: 0
                    )
                }
                try mine.note(ahead: [client(1, 3), client(2, 7)])
                try mine.note(ahead: [client(3, 2)])
                let before = try PostgresEpochs(of: mine.url).state
                #expect(before.clientsAhead == 3 && before.seenRevision == 7)
                try others.commit(Sample.page(2))
                try others.commit(Sample.page(3))
                let epochs = try PostgresEpochs(of: mine.url)
                #expect(epochs.state.clientsAhead == 1 && epochs.state.seenRevision == 7)
                try epochs.renew()
                #expect(try PostgresEpochs(of: mine.url).state.clientsAhead == 0)
            }
        }

        @Test func `Each commit of both logs has a chain, and each head has its newest commit's`() throws {
            try PostgresTests.withTwoHandles { one, other throws in
                for number in 1...3 as ClosedRange<UInt64> {
                    try (number == 2 ? other : one).commit(Sample.page(number))
                    try (number == 2 ? other : one).setFavorite("episode/\(number)", .of(1, number))
                }
                let server = try PostgresServer.shared()
                #expect(try server.run("SELECT count(DISTINCT chain) FROM commit_chain", at: one.url.text) == "4")
                #expect(try server.run("SELECT count(DISTINCT chain) FROM user_move", at: one.url.text) == "3")
                let heads = "SELECT count(*) FROM catalogue_head h JOIN commit_chain c USING (revision, chain)"
                #expect(try server.run(heads, at: one.url.text) == "1")
                let moves = "SELECT count(*) FROM user_log l JOIN user_move m USING (revision, chain)"
                #expect(try server.run(moves, at: one.url.text) == "1")
            }
        }

        @Test func `Tables of the first schema get chains, and a server that doesn't know them is no alarm`() throws {
            let server = try PostgresServer.shared()
            try server.withSchema { url throws in
                try server.run(PostgresSchema.steps[0], at: url)
                try server.run(
                    """
                    INSERT INTO marquee_meta VALUES ('version', '1'), ('cluster', 'c'), ('catalogue epoch', 'a'),
                        ('users epoch', 'b'), ('search', '0');
                    INSERT INTO user_log VALUES ('mina', 4)
                    """, at: url)
                let store = try PostgresStore(url: url)
                #expect(try store.commit(Sample.page(1)) == .done(revision: 1, changed: true))
                #expect(try store.setFavorite("episode/1", .of(1, 1)) == .done(revision: 5, changed: true))
                // A server of an older version commits meanwhile, without chains.
                try server.run(
                    "UPDATE catalogue_head SET revision = 2; UPDATE user_log SET revision = 6 WHERE name = 'mina'",
                    at: url)
                #expect(try store.catalogueHead().revision == 2)
                #expect(try store.commit(Sample.page(2)) == .done(revision: 3, changed: true))
                #expect(try store.setFavorite("episode/2", .of(1, 2)) == .done(revision: 7, changed: true))
                try store.close()
            }
        }
    }

    /// Servers, settings and sessions that hold others up.
    @Suite struct PostgresBoundsTests {
        @Test func `A lock that times out is reported with its table, and the process that holds it`() throws {
            try PostgresServer.shared().withSchema { url throws in
                let store = try PostgresStore(url: url, timeouts: PostgresTimeouts(lock: 1))
                let stuck = try PostgresConnection(PostgresURL(url + "&application_name=stuck"))
                try stuck.runScript("BEGIN; SELECT * FROM catalogue_head FOR UPDATE")
                let error = #expect(throws: StoreError.self) { try store.commit(Sample.page(1)) }
                #expect(error?.code == .busy)
                let expected =
                    "the table catalogue_head is locked by process \(stuck.process) ('stuck', idle in transaction)"
                #expect(error?.message.contains(expected) == true, "\(error?.message ?? "")")
                try stuck.runScript("ROLLBACK")
                #expect(try store.commit(Sample.page(1)) == .done(revision: 1, changed: true))
            }
        }

        @Test func `Each of several waiting sessions learns which one holds the lock`() throws {
            try PostgresServer.shared().withSchema { url throws in
                let url = try PostgresURL(url)
                _ = try PostgresStore(url: url)
                let sessions = try (0..<3).map { _ in
                    try PostgresConnection(url, timeouts: PostgresTimeouts(lock: 30))
                }
                try sessions[0].runScript("BEGIN; SELECT * FROM catalogue_head FOR UPDATE")
                let waiting = sessions.dropFirst().map { session in
                    let ended = DispatchSemaphore(value: 0)
                    Thread.detachNewThread {
                        try? session.runScript("BEGIN; SELECT * FROM catalogue_head FOR UPDATE; ROLLBACK")
                        ended.signal()
                    }
                    return ended
                }
                for session in sessions.dropFirst() {
                    try PostgresTests.until {
                        let blocker = try PostgresBlocker(of: session.process, url, session.host)
                        return blocker?.description.contains("locked by process \(sessions[0].process)") == true
                    }
                }
                try sessions[0].runScript("ROLLBACK")
                for ended in waiting { ended.wait() }
            }
        }

        @Test func `A server that falls silent within a transaction holds others up no longer than it may`() throws {
            try PostgresServer.shared().withSchema { url throws in
                let store = try PostgresStore(url: url)
                let stuck = try PostgresConnection(PostgresURL(url), timeouts: PostgresTimeouts(silence: 1))
                try stuck.runScript("BEGIN; SELECT * FROM catalogue_head FOR UPDATE")
                #expect(try store.commit(Sample.page(1)) == .done(revision: 1, changed: true))
            }
            #expect(PostgresBounds.commit.silenceSeconds < PostgresBounds.commit.lockSeconds)
            #expect(PostgresBounds.commit.lockSeconds <= 10 && PostgresBounds.deadPeerMilliseconds <= 10_000)
        }

        @Test func `Each session names its server and its purpose`() throws {
            let server = try PostgresServer.shared()
            try server.withSchema { url throws in
                let store = try PostgresStore(url: url)
                try store.commit(Sample.page(1))
                _ = try store.catalogueHead()
                let names = "SELECT string_agg(DISTINCT application_name, ';') FROM pg_stat_activity"
                let shown = try server.run(names)
                for use in ["catalogue", "reads"] { #expect(shown.contains(" \(getpid()) \(use)"), "\(shown)") }
            }
        }

        @Test func `Commits are durable although the server's settings change, or are refused`() throws {
            let server = try PostgresServer()
            defer { server.stop() }
            let store = try PostgresStore(url: server.url())
            try store.commit(Sample.page(1))
            try store.setFavorite("episode/1", .of(1, 1))
            try server.run(
                """
                CREATE TABLE seen (setting text); CREATE FUNCTION see() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN INSERT INTO seen VALUES (current_setting('synchronous_commit')); RETURN NEW; END $$;
                CREATE TRIGGER see BEFORE INSERT ON commit_mark FOR EACH ROW EXECUTE FUNCTION see()
                """)
            func set(_ setting: String) throws {
                try server.run("ALTER SYSTEM SET \(setting)")
                try server.run("SELECT pg_reload_conf()")
                let (name, value) = (setting.split(separator: " ")[0], setting.split(separator: " ")[2])
                try PostgresTests.until { try server.run("SHOW \(name)") == value }
            }
            try set("synchronous_commit = off")
            try store.commit(Sample.page(2))
            try store.setFavorite("episode/2", .of(1, 2))
            #expect(try server.run("SELECT string_agg(DISTINCT setting, ' ') FROM seen") == "on")
            try set("full_page_writes = off")
            let error = #expect(throws: StoreError.self) {
                for page in 3...100 as ClosedRange<UInt64> { try store.commit(Sample.page(page)) }
            }
            #expect(error?.code == .notDurable)
            #expect(error?.message.contains("full_page_writes is 'off'") == true)
            try store.close()
        }
    }
}

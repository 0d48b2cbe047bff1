import MarqueeModel
import PostgresSupport
import Testing

@testable import MarqueeStore

extension PostgresTests {
    /// A server that dies, and a standby that takes its place.
    @Suite struct PostgresStandbyTests {
        /// Runs `body` with a server, its standby, and a store that knows both. The standby waits for its promotion.
        private func withStandby(_ body: (PostgresStandbys, PostgresStore) throws -> Void) throws {
            try PostgresStandbys.with { servers in
                let store = try PostgresStore(url: servers.url)
                try body(servers, store)
                try? store.close()
            }
        }

        @Test func `A standby that has everything continues, and mutations take effect exactly once`() throws {
            try withStandby { servers, store throws in
                try store.commit(Sample.page(1))
                #expect(try store.setFavorite("episode/1", .of(1, 1)) == .done(revision: 1, changed: true))
                try servers.catchUp()
                servers.primary.stop()
                #expect(throws: StoreError.self) { try store.setFavorite("episode/2", .of(1, 2)) }
                try servers.promote()
                // The same mutations again, as a client sends what wasn't confirmed.
                #expect(try store.setFavorite("episode/1", .of(1, 1)) == .repeated(revision: 1, changed: true))
                #expect(try store.setFavorite("episode/2", .of(1, 2)) == .done(revision: 2, changed: true))
                #expect(try store.commit(Sample.page(2)) == .done(revision: 2, changed: true))
                #expect(try store.favoriteSubjects() == ["episode/1", "episode/2"])
            }
        }

        @Test func `A standby that isn't promoted is not written to`() throws {
            try withStandby { servers, store throws in
                try store.setFavorite("episode/1", .of(1, 1))
                try servers.catchUp()
                let error = #expect(throws: StoreError.self) { try PostgresStore(url: servers.standby.url()) }
                #expect(error?.message.isEmpty == false)
                #expect(try servers.standby.run("SELECT count(*) FROM member") == "1")
            }
        }

        @Test func `A standby that lacks what was confirmed is refused`() throws {
            try withStandby { servers, store throws in
                try store.commit(Sample.page(1))
                try store.setFavorite("episode/1", .of(1, 1))
                try servers.catchUp()
                try servers.cut()
                #expect(try store.setFavorite("episode/2", .of(1, 2)) == .done(revision: 2, changed: true))
                servers.primary.stop()
                try servers.promote()
                let error = #expect(throws: StoreError.self) { try store.follow { _ in } }
                #expect(error?.code == .lostCommits)
                #expect(error?.message.contains("revision 2 of the collections of 'mina'") == true)
                #expect(throws: StoreError.self) { try store.setFavorite("episode/3", .of(1, 3)) }
            }
        }
    }
}

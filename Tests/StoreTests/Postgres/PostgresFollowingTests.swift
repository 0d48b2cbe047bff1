import Foundation
import MarqueeCatalogue
import MarqueeModel
import PostgresSupport
import Testing

@testable import MarqueeStore

extension PostgresTests {
    /// The news that a process gets of other processes on its database.
    @Suite struct PostgresFollowingTests {
        private func withTwo(
            _ body: (_ mine: PostgresStore, _ others: PostgresStore, PostgresTests.Ear, String) throws -> Void
        )
            throws
        {
            try PostgresServer.shared().withSchema { url in
                let stores = try (0..<2).map { _ in try PostgresStore(url: PostgresURL(url)) }
                let ear = PostgresTests.Ear()
                try stores[0].follow(ear.hear)
                try body(stores[0], stores[1], ear, url)
                for store in stores { try store.close() }
            }
        }

        @Test func `Others' moves are reported in order with their changes, and a node's own moves aren't`() throws {
            try withTwo { mine, others, ear, _ in
                _ = try mine.setFavorite("episode/1", .of(1, 1))
                _ = try others.setFavorite("episode/2", .of(2, 1))
                _ = try mine.setFavorite("episode/3", .of(1, 2))
                _ = try others.setFavorite("episode/2", on: false, .of(2, 2))
                _ = try others.setFavorite("episode/9", of: "jun", .of(2, 3))
                try PostgresTests.until { ear.moves.count == 3 }
                #expect(
                    ear.moves == [
                        UserMove(user: "mina", move: MemberMove(.favorite("episode/2", true), revision: 2)),
                        UserMove(user: "mina", move: MemberMove(.favorite("episode/2", false), revision: 4)),
                        UserMove(user: "jun", move: MemberMove(.favorite("episode/9", true), revision: 1)),
                    ])
            }
        }

        @Test func `More moves than fit on a page are all reported, each once`() throws {
            try withTwo { _, others, ear, _ in
                let count = UInt64(PostgresMoment.movesAtOnce + 77)
                _ = try others.write(
                    (1...count).map {
                        .favorite(user: "mina", subject: "episode/\($0)", on: true, mutation: .of(2, $0))
                    })
                try PostgresTests.until { ear.moves.count >= count }
                #expect(ear.moves.map(\.move.revision) == Array(1...count))
            }
        }

        @Test func `A move whose transaction began before others and ended after them is reported`() throws {
            try withTwo { _, others, ear, url in
                let slow = try PostgresConnection(PostgresURL(url), timeouts: .migration)
                try slow.runScript(
                    """
                    BEGIN; INSERT INTO user_log (name, revision) VALUES ('late', 1);
                    INSERT INTO user_move (node, user_name, collection, subject, revision)
                    VALUES (1, 'late', 'favorites', 'episode/1', 1)
                    """)
                _ = try others.setFavorite("episode/2", .of(2, 1))
                try PostgresTests.until { ear.moves.count == 1 }
                try slow.runScript("COMMIT")
                try PostgresTests.until { ear.moves.count == 2 }
                #expect(ear.moves.map(\.user) == ["mina", "late"])
            }
        }

        /// Found by the simulation: a commit whose connection was lost takes effect when a standby confirms it at last.
        @Test func `A commit that may have been lost is reported whenever it takes effect`() throws {
            try withTwo { mine, _, ear, url in
                let slow = try PostgresConnection(PostgresURL(url), timeouts: .migration)
                try slow.runScript(
                    """
                    BEGIN; INSERT INTO user_log (name, revision) VALUES ('late', 1);
                    INSERT INTO user_move (node, user_name, collection, subject, revision)
                    VALUES (\(mine.mark), 'late', 'favorites', 'episode/1', 1)
                    """)
                let server = try PostgresServer.shared()
                try server.run("ALTER TABLE commit_mark RENAME TO elsewhere", at: url)
                #expect(throws: StoreError.self) { try mine.setFavorite("episode/2", .of(1, 2)) }
                try server.run("ALTER TABLE elsewhere RENAME TO commit_mark", at: url)
                try PostgresTests.until { ear.missed == 1 }
                try slow.runScript("COMMIT")
                try PostgresTests.until { ear.moves.count == 1 }
                #expect(ear.moves.map(\.user) == ["late"])
                _ = try mine.setFavorite("episode/2", of: "jun", .of(1, 2))
                _ = try mine.setFavorite("episode/3", of: "jun", .of(1, 3))
                #expect(ear.moves.count == 1)
            }
        }

        @Test func `A commit of the catalogue is reported`() throws {
            try withTwo { mine, others, ear, _ in
                _ = try others.commit(Sample.page(1))
                try PostgresTests.until { ear.commits == 1 }
                #expect(try mine.commits(after: 0, limit: 9).count == 1)
            }
        }

        @Test(arguments: [
            "UPDATE catalogue_head SET revision = revision - 1", "DELETE FROM user_log",
            "UPDATE user_log SET revision = revision - 1",
        ])
        func `A database that lacks known commits is given up, and nothing more is confirmed`(loss: String) throws {
            try withTwo { mine, _, ear, url in
                _ = try mine.commit(Sample.page(1))
                _ = try mine.setFavorite("episode/1", .of(1, 1))
                try PostgresServer.shared().run(loss, at: url)
                try PostgresTests.until { ear.lost != nil }
                #expect(ear.lost?.code == .lostCommits)
                #expect(ear.lost?.message.contains("epoch new") == true)
                let refused = #expect(throws: StoreError.self) { try mine.setFavorite("episode/2", .of(1, 2)) }
                #expect(refused?.code == .lostCommits)
            }
        }

        @Test func `New epochs end followers, and both logs have them afterwards`() throws {
            try withTwo { mine, _, ear, url in
                try PostgresStore.renewEpochs(of: PostgresURL(url))
                try PostgresTests.until { ear.lost != nil }
                #expect(ear.lost?.message.contains("start this server again") == true)
                let again = try PostgresStore(url: PostgresURL(url))
                #expect(again.cluster == mine.cluster)
                #expect(again.epochs.catalogue != mine.epochs.catalogue && again.epochs.users != mine.epochs.users)
                try again.close()
            }
        }

        @Test func `An absence is reported once, nothing is asked meanwhile, and missed moves are reported`() throws {
            let server = try PostgresServer()
            defer { server.stop() }
            let mine = try PostgresStore(url: PostgresURL(server.url()))
            let ear = PostgresTests.Ear()
            try mine.follow(ear.hear)
            try server.pause()
            try PostgresTests.until { mine.problem != nil }
            let refused = #expect(throws: StoreError.self) { try mine.setFavorite("episode/1", .of(1, 1)) }
            #expect(refused?.code == .io)
            try server.resume()
            let others = try PostgresStore(url: PostgresURL(server.url()))
            _ = try others.setFavorite("episode/2", .of(2, 1))
            try PostgresTests.until { mine.problem == nil && ear.moves.count == 1 }
            #expect(ear.missed == 0, "a server that crashed has lost nothing")
            let words = ear.all.compactMap { news -> String? in
                switch news {
                case .unreachable: "unreachable"
                case .reachable: "reachable"
                default: nil
                }
            }
            #expect(words == ["unreachable", "reachable"])
            try others.close()
            try mine.close()
        }
    }
}

import Dispatch
import MarqueeModel
import PostgresSupport
import Synchronization
import Testing

@testable import MarqueeStore

extension PostgresTests {
    /// The checks of a database by a node that starts.
    @Suite struct PostgresOpeningTests {
        private func failure(_ url: String) -> StoreError? {
            #expect(throws: StoreError.self) { try PostgresStore(url: url) }
        }

        @Test func `Nodes that start at once make the tables once`() throws {
            try PostgresServer.shared().withSchema { url throws in
                let clusters = Mutex<Set<String>>([])
                let failures = Mutex<[String]>([])
                DispatchQueue.concurrentPerform(iterations: 4) { _ in
                    do {
                        let store = try PostgresStore(url: url)
                        clusters.withLock { _ = $0.insert(store.cluster) }
                    } catch {
                        failures.withLock { $0.append("\(error)") }
                    }
                }
                #expect(failures.withLock { $0 } == [])
                #expect(clusters.withLock { $0.count } == 1)
            }
        }

        @Test func `A store is the same when it is opened again`() throws {
            try PostgresServer.shared().withSchema { url throws in
                let store = try PostgresStore(url: url)
                try store.commit(Sample.everything)
                try store.setFavorite("episode/1", .of(1, 1))
                let heads = (try store.catalogueHead(), try store.userHead("mina"))
                try store.close()
                let again = try PostgresStore(url: url)
                #expect(again.cluster == store.cluster)
                #expect(try again.catalogueHead() == heads.0)
                #expect(try again.userHead("mina") == heads.1)
                #expect(try again.snapshotChanges() == Sample.everything)
                #expect(try again.setFavorite("episode/1", .of(1, 1)) == .repeated(revision: 1, changed: true))
                #expect(try again.types() != nil)
                try again.close()
            }
        }

        @Test func `An index of another version is rebuilt`() throws {
            try PostgresServer.shared().withSchema { url throws in
                let store = try PostgresStore(url: url)
                try store.commit([Sample.types] + (1...600).map { .episode("\($0)", "Tide \($0)") })
                try PostgresServer.shared().run(
                    """
                    UPDATE marquee_meta SET value = '0' WHERE name = 'search';
                    DELETE FROM search_document WHERE id < '4'; UPDATE search_type SET fields = ''
                    """, at: url)
                let again = try PostgresStore(url: url)
                #expect(try again.search("tide", in: .podcasts, offset: 0, limit: 9).total == 600)
            }
        }

        @Test func `A newer schema, and the tables of another program, are left alone`() throws {
            let server = try PostgresServer.shared()
            try server.withSchema { url throws in
                _ = try PostgresStore(url: url)
                try server.run("UPDATE marquee_meta SET value = '99' WHERE name = 'version'", at: url)
                let error = failure(url)
                #expect(error?.code == .foreignFile)
                #expect(error?.message.contains("its schema is 99") == true)
            }
            try server.withSchema { url throws in
                try server.run("CREATE TABLE page (id int8)", at: url)
                #expect(failure(url)?.code == .foreignFile)
                let tables = "SELECT count(*) FROM pg_tables WHERE schemaname = current_schema"
                #expect(try server.run(tables, at: url) == "1")
            }
        }

        @Test func `A server that can lose commits is refused, unless that is allowed`() throws {
            let server = try PostgresServer.shared()
            try server.withSchema { url throws in
                for weak in ["off", "local", "remote_write"] {
                    let weakened = url + "%20-csynchronous_commit%3D\(weak)"
                    let error = failure(weakened)
                    #expect(error?.code == .notDurable)
                    #expect(error?.message.contains("synchronous_commit is '\(weak)'") == true)
                    let allowed = try PostgresStore(url: weakened, allowLostCommits: true)
                    try allowed.commit(Sample.page(1))
                }
                _ = try PostgresStore(url: url + "%20-csynchronous_commit%3Dremote_apply")
            }
        }

        @Test func `A server without fsync is refused`() throws {
            let server = try PostgresServer(settings: ["fsync=off"])
            defer { server.stop() }
            #expect(failure(server.url())?.code == .notDurable)
            _ = try PostgresStore(url: server.url(), allowLostCommits: true)
        }

        /// The wording depends on the server's language, and its beginning on the server's address.
        @Test func `The server's code says why a connection is refused`() {
            func state(_ message: String) -> String? { PostgresError.state(ofFirstHostIn: message) }
            let place = "connection to server at \"db1\" (10.0.0.1), port 5432 failed:"
            #expect(state("\(place) FATAL:  28P01: password authentication failed for user \"a\"\n") == "28P01")
            #expect(
                state("\(place) FATAL:  3D000: Datenbank »m« existiert nicht\nORT:  InitPostgres, postinit.c:948\n")
                    == "3D000")
            #expect(state("\(place) КРИТИЧНО:  53300: извините, уже слишком много клиентов\n") == "53300")
            #expect(state("\(place) Connection refused\n\tIs the server running?\n") == nil)
            // The first one is away, and may be the one that lets this user in.
            #expect(state("\(place) Connection refused\n\(place) FATAL:  28P01: wrong\n") == nil)
            #expect(state("") == nil)
        }

        @Test func `Each kind of refusal is told apart from a server that is away`() throws {
            let server = try PostgresServer()
            defer { server.stop() }
            try server.run("CREATE ROLE barred; CREATE ROLE reader LOGIN")
            try server.run("ALTER ROLE reader SET default_transaction_read_only = on")
            #expect(failure(server.url(user: "barred"))?.code == .forbidden)
            let reader = failure(server.url(user: "reader"))
            #expect(reader?.code == .io)
            #expect(reader?.message.contains("takes no writes") == true)
            let standby = try PostgresServer(standbyOf: server)
            defer { standby.stop() }
            #expect(failure(standby.url())?.message.contains("takes no writes") == true)
            try server.run("CREATE ROLE few LOGIN CONNECTION LIMIT 0")
            #expect(failure(server.url(user: "few"))?.code == .busy)
            server.stop()
            #expect(failure(server.url())?.message.contains("can't be reached") == true)
        }

        @Test func `A database that can't be used is named, with what to do`() throws {
            let server = try PostgresServer.shared()
            let missing = failure(server.url(database: "nowhere"))
            #expect(missing?.code == .missing)
            #expect(missing?.message.contains("'nowhere'") == true)
            #expect(failure(server.url(user: "nobody_here"))?.code == .forbidden)
            #expect(failure(server.url(schema: "no_such_schema"))?.code == .missing)
            let latin = "latin\(UInt32.random(in: 0 ... .max))"
            try server.run("CREATE DATABASE \(latin) TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'")
            defer { _ = try? server.run("DROP DATABASE \(latin) WITH (FORCE)") }
            #expect(failure(server.url(database: latin))?.code == .foreignFile)
            let reader = "reader\(UInt32.random(in: 0 ... .max))"
            try server.withSchema { url throws in
                try server.run("CREATE ROLE \(reader) LOGIN")
                defer { _ = try? server.run("DROP ROLE \(reader)") }
                #expect(failure(url.replacing("user=marquee", with: "user=\(reader)"))?.code == .missing)
            }
        }

        @Test(arguments: [
            "postgres://marquee:hush@127.0.0.1:1/films", "postgres://marquee:hu%2Fsh@127.0.0.1:1/films?sslmode=never",
            "postgres://marquee:hu/sh@127.0.0.1/films", "postgres://marquee:hush@127.0.0.1:port/films", "hush",
            "postgres://marquee:%hush@127.0.0.1/films",
        ])
        func `No message has a password in it`(_ url: String) throws {
            let text = failure(url)?.description ?? ""
            #expect(!text.isEmpty)
            for secret in ["hush", "hu/sh", "sh@"] { #expect(!text.contains(secret) || url == "hush") }
        }
    }
}

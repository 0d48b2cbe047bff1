import Dispatch
import Foundation
import MarqueeModel
import PostgresSupport
import Synchronization
import Testing

@testable import MarqueeStore

extension PostgresTests {
    /// Connections and servers that go away.
    @Suite struct PostgresFailureTests {
        private func withProxy(_ body: (PostgresProxy, PostgresStore) throws -> Void) throws {
            let server = try PostgresServer.shared()
            let proxy = try PostgresProxy(server)
            defer { proxy.stop() }
            try server.withSchema { url throws in
                let store = try PostgresStore(url: url.replacing(server.folder, with: proxy.folder))
                try body(proxy, store)
                try store.close()
            }
        }

        @Test(arguments: [PostgresProxy.Fault.beforeCommit, .afterCommit, .lateCommit])
        func `A commit whose answer is lost takes effect once`(_ fault: PostgresProxy.Fault) throws {
            try withProxy { proxy, store throws in
                proxy.arm(fault)
                let writes = (1...3 as ClosedRange<UInt64>).map {
                    StoreWrite.favorite(user: "mina", subject: "episode/\($0)", on: true, mutation: .of(1, $0))
                }
                #expect(try store.write(writes) == (1...3).map { .done(revision: $0, changed: true) })
                #expect(proxy.broken == 1)
                #expect(try store.write(writes) == (1...3).map { .repeated(revision: $0, changed: true) })
                #expect(try store.userHead("mina").revision == 3)
                // Without a mutation's number or a key, only the mark can tell.
                proxy.arm(fault)
                #expect(try store.commit(Sample.page(1)) == .done(revision: 1, changed: true))
                #expect(proxy.broken == 2)
                #expect(try store.catalogueHead().revision == 1)
                #expect(try store.commits(after: 0, limit: 9).count == 1)
            }
        }

        @Test func `A host that accepts connections and closes them doesn't keep others from being used`() throws {
            let server = try PostgresServer.shared()
            let balancer = try PostgresProxy(server)
            defer { balancer.stop() }
            balancer.loseServer()
            try server.withSchema { url throws in
                let hosts = url.replacing(server.folder, with: "\(balancer.folder),\(server.folder)")
                let store = try PostgresStore(url: hosts)
                #expect(try store.commit(Sample.page(1)) == .done(revision: 1, changed: true))
                try store.close()
            }
        }

        @Test func `A long transaction that writes nothing for a while keeps its connection alive`() throws {
            let clock = Mutex<UInt64>(1_000)
            try PostgresServer.shared().withSchema { url throws in
                let store = try PostgresStore(url: PostgresURL(url), steady: { clock.withLock { $0 } })
                try store.transaction { writer in
                    func said() -> Int {
                        let before = store.statements
                        #expect(throws: Never.self) { try writer.keepAlive() }
                        return store.statements - before
                    }
                    #expect(said() == 0)
                    _ = try? writer.write([.catalogue(key: nil, changes: [Sample.page(1)], mutation: nil)])
                    #expect(said() == 0)
                    clock.withLock { $0 += PostgresBounds.keepAliveSeconds * 1_000 }
                    #expect(said() == 1)
                    #expect(said() == 0)
                    return true
                }
                #expect(try store.catalogueHead().revision == 1)
            }
        }

        @Test func `A long transaction whose connection is lost before it commits throws, and leaves nothing`() throws {
            try withProxy { proxy, store throws in
                proxy.arm(.beforeCommit)
                let error = #expect(throws: StoreError.self) {
                    try store.transaction { writer in
                        _ = try? writer.write([.catalogue(key: nil, changes: [Sample.page(1)], mutation: nil)])
                        return true
                    }
                }
                #expect(error?.code == .io)
                #expect(try store.catalogueHead().revision == 0)
                proxy.arm(.afterCommit)
                try store.transaction { writer in
                    _ = try? writer.write([.catalogue(key: nil, changes: [Sample.page(1)], mutation: nil)])
                    return true
                }
                #expect(try store.catalogueHead().revision == 1)
            }
        }

        @Test func `A connection that the server ends is replaced`() throws {
            let server = try PostgresServer.shared()
            try server.withSchema { url throws in
                let name = "kill\(UInt32.random(in: 0 ... .max))"
                let store = try PostgresStore(url: url + "&application_name=\(name)")
                for round in 1...3 as ClosedRange<UInt64> {
                    let done = StoreOutcome.done(revision: round, changed: true)
                    #expect(try store.setFavorite("episode/\(round)", .of(1, round)) == done)
                    #expect(try store.commit(Sample.page(round)) == done)
                    #expect(try store.catalogueHead().revision == round)
                    try server.run(
                        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '\(name)'")
                }
            }
        }

        @Test func `A handle works again after the server was killed and started`() throws {
            let server = try PostgresServer()
            defer { server.stop() }
            let store = try PostgresStore(url: server.url())
            try store.setFavorite("episode/1", .of(1, 1))
            try store.commit(Sample.page(1))
            try server.restart()
            #expect(try store.favoriteSubjects() == ["episode/1"])
            #expect(try store.setFavorite("episode/2", .of(1, 2)) == .done(revision: 2, changed: true))
            #expect(try store.commit(Sample.page(2)) == .done(revision: 2, changed: true))
            server.stop()
            let error = #expect(throws: StoreError.self) { try store.catalogueHead() }
            #expect(error?.code == .io)
            #expect(throws: StoreError.self) { try store.setFavorite("episode/3", .of(1, 3)) }
        }

        @Test func `Closing a store ends everything that waits for its database`() throws {
            let server = try PostgresServer.shared()
            try server.withSchema { url throws in
                let name = "closing\(UInt32.random(in: 0 ... .max))"
                let (one, other) = (
                    try PostgresStore(url: url), try PostgresStore(url: url + "&application_name=\(name)")
                )
                try one.transaction { writer in
                    // Nobody else can write from here on.
                    _ = try? writer.write([.catalogue(key: nil, changes: [Sample.page(1)], mutation: nil)])
                    let failure = Mutex<StoreError?>(nil)
                    let ended = DispatchSemaphore(value: 0)
                    Thread.detachNewThread {
                        do { try other.commit(Sample.page(2)) } catch { failure.withLock { $0 = error as? StoreError } }
                        ended.signal()
                    }
                    let waits = """
                        SELECT count(*) FROM pg_stat_activity
                        WHERE application_name = '\(name)' AND wait_event_type = 'Lock'
                        """
                    try? PostgresTests.until { try server.run(waits) == "1" }
                    try? other.close()
                    ended.wait()
                    #expect(failure.withLock { $0 }?.code == .closed)
                    return true
                }
                #expect(throws: StoreError.self) { try other.commit(Sample.page(2)) }
                #expect(try one.catalogueHead().revision == 1)
                try one.close()
            }
        }

        @Test func `A long transaction doesn't block other writers before it writes itself`() throws {
            try PostgresTests.withTwoHandles { one, other throws in
                try one.transaction { writer in
                    #expect((try? other.commit(Sample.page(1))) == .done(revision: 1, changed: true))
                    let outcome = try? writer.write([.catalogue(key: nil, changes: [Sample.page(2)], mutation: nil)])
                    #expect(outcome == [.done(revision: 2, changed: true)])
                    return true
                }
                // A transaction that needs nothing.
                try one.transaction { _ in true }
                #expect(try other.catalogueHead().revision == 2)
            }
        }

        /// It may have stopped, or be cut off, and all others wait for its locks.
        @Test func `The server gives up on a node that falls silent within a transaction`() throws {
            try PostgresServer.shared().withSchema { url throws in
                let connection = try PostgresConnection(PostgresURL(url))
                let setting = try connection.run("SHOW idle_in_transaction_session_timeout").first?.text(0)
                #expect(setting == "8s")
            }
        }

        @Test func `A damaged row is named, and nothing is built on it`() throws {
            let server = try PostgresServer.shared()
            try server.withSchema { url throws in
                let store = try PostgresStore(url: url)
                try store.commit(Sample.page(1, title: "one"))
                try server.run("UPDATE page SET sections = 'none'", at: url)
                let error = #expect(throws: StoreError.self) { try store.snapshotChanges() }
                #expect(error?.code == .corrupt)
                #expect(throws: StoreError.self) { try store.commit(Sample.page(1, title: "two")) }
                #expect(try store.catalogueHead().revision == 1)
                try server.run("UPDATE commit_log SET revision = 9", at: url)
                #expect(throws: StoreError.self) { try store.commits(after: 0, limit: 9) }
            }
        }

        @Test func `A batch of many favorites takes as many statements as one`() throws {
            try PostgresServer.shared().withSchema { url throws in
                let store = try PostgresStore(url: url)
                func statements(_ first: UInt64, _ count: UInt64) throws -> Int {
                    let before = store.statements
                    let writes = (0..<count).map { index in
                        StoreWrite.favorite(
                            user: "user \(index % 7)", subject: "episode/\(first + index)", on: true,
                            mutation: .of(UInt8(index % 50), first + index))
                    }
                    let outcomes = try store.write(writes)
                    #expect(outcomes.allSatisfy { $0.hasChanged })
                    return store.statements - before
                }
                // The first batch connects.
                _ = try statements(1, 64)
                let one = try statements(1_000, 1)
                #expect(try statements(2_000, 64) == one)
                #expect(one <= 27)
            }
        }
    }
}

import MarqueeModel
import MarqueeStore
import Testing

/// How every engine keeps observations until they are taken.
@Suite struct ObservationConformanceTests {
    private func batch(_ items: [String], user: String? = "mina", names: Bool = false, revision: UInt64 = 5)
        -> ObservationBatch
    {
        ObservationBatch(
            screen: "home", section: "row",
            observations: items.enumerated().map { index, item in
                ItemEvent(
                    .seen, item: item, place: UInt32(index + 1), at: 1_764_000_000_123, duration: 900, revision: 4)
            }, user: user, namesUser: names, audiences: ["beta", "plus"], revision: revision)
    }

    /// The log to take them from.
    private func log(_ store: any StoreEngine) throws -> any ObservationLog {
        try #require(store as? any ObservationLog)
    }

    @Test(arguments: EngineKind.allCases)
    func `A report is kept once, in order, with the server's additions`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            let write = StoreWrite.observed(batch(["a", "b"]), mutation: .of(1, 3))
            let outcome = try #require(try store.write([write]).first)
            guard case .done(let position, changed: true) = outcome else {
                Issue.record("\(outcome)")
                return
            }
            // Sent again after the server has moved on.
            let again = StoreWrite.observed(batch(["a", "b"], revision: 6), mutation: .of(1, 3))
            #expect(try store.write([again]) == [.repeated(revision: position, changed: true)])
            let other = StoreWrite.observed(batch(["a"]), mutation: .of(1, 3))
            #expect(try store.write([other]) == [.cloned])
            #expect(try store.lastMutation(of: MutationID.of(1, 3).client) == 3)
            let rows = try log(store).observations(after: 0, limit: 10)
            #expect(rows.map(\.observation.item) == ["a", "b"] && rows.last?.position == position)
            #expect(rows.map(\.position) == rows.map(\.position).sorted() && Set(rows.map(\.position)).count == 2)
            #expect(
                rows.first?.json == """
                    {"position":\(position - 1),"kind":"seen","screen":"home","section":"row","item":"a","place":1,\
                    "at":1764000000123,"for":900,"shown":4,"revision":5,"audiences":["beta","plus"]}
                    """)
            #expect(try log(store).observations(after: position - 1, limit: 10) == [rows[1]])
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `A user is named only on request`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            _ = try store.write([
                .observed(batch(["a"]), mutation: .of(1, 1)), .observed(batch(["b"], names: true), mutation: .of(1, 2)),
                .observed(batch(["c"], user: nil, names: true), mutation: .of(2, 1)),
            ])
            #expect(try log(store).observations(after: 0, limit: 10).map(\.user) == [nil, "mina", nil])
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `A full log keeps nothing of a report and says so, and accepts it again once emptied`(
        _ kind: EngineKind
    ) throws {
        var limits = StoreLimits()
        limits.observationBytes = 300
        try kind.withStore(limits: limits) { store throws in
            guard
                case .done(let first, changed: true)? = try store.write([.observed(batch(["a"]), mutation: .of(1, 1))])
                    .first
            else {
                Issue.record("nothing was kept")
                return
            }
            let refused = StoreWrite.observed(batch(["b", "c"]), mutation: .of(1, 2))
            #expect(try store.write([refused]) == [.done(revision: first, changed: false)])
            #expect(try store.write([refused]) == [.repeated(revision: first, changed: false)])
            #expect(try log(store).forgetObservations(through: first) == 1)
            #expect(try store.write([refused]) == [.repeated(revision: first, changed: false)], "it has its answer")
            guard
                case .done(let second, changed: true)? = try store.write([.observed(batch(["b"]), mutation: .of(1, 3))])
                    .first
            else {
                Issue.record("nothing was kept after room was made")
                return
            }
            #expect(second > first)
            #expect(try log(store).observations(after: 0, limit: 10).map(\.observation.item) == ["b"])
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `Wrong names and sizes are refused, and leave no trace`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            var wrong = batch(["a"])
            wrong.section = "a\nb"
            let batches = [
                wrong, batch([]), batch([""]), batch([String(repeating: "x", count: ItemEvent.nameBytes + 1)]),
                batch((0...ItemEvent.perReport).map { "\($0)" }),
            ]
            for (index, batch) in batches.enumerated() {
                let outcome = try store.write([.observed(batch, mutation: .of(1, UInt64(index + 1)))]).first
                guard case .refused? = outcome else {
                    Issue.record("\(String(describing: outcome)) for batch \(index)")
                    continue
                }
            }
            #expect(try log(store).observations(after: 0, limit: 10).isEmpty)
            #expect(try store.lastMutation(of: MutationID.of(1, 1).client) == nil)
        }
    }

    @Test func `A folder's observations are read and forgotten while a store has it, and after reopening`() throws {
        try withFolder { folder in
            var store = try SQLiteStore(folder: folder)
            _ = try store.write([.observed(batch(["a", "b"]), mutation: .of(1, 1))])
            let log = FolderObservations(folder)
            let rows = try log.observations(after: 0, limit: 10)
            #expect(rows.map(\.observation.item) == ["a", "b"])
            #expect(try log.forgetObservations(through: rows[0].position) == 1)
            _ = try store.write([.observed(batch(["c"]), mutation: .of(1, 2))])
            try store.close()
            #expect(try Verification(folder: folder).isSound)
            store = try SQLiteStore(folder: folder)
            #expect(try log.observations(after: 0, limit: 10).map(\.observation.item) == ["b", "c"])
            try store.close()
        }
    }

    @Test func `A folder of the previous version gets the tables`() throws {
        try withFolder { folder in
            try SQLiteStore(folder: folder).close()
            try tamper(folder, "users.sqlite", "DROP TABLE observation; DROP TABLE observation_head")
            #expect(try FolderObservations(folder).observations(after: 0, limit: 10).isEmpty)
            let store = try SQLiteStore(folder: folder)
            _ = try store.write([.observed(batch(["a"]), mutation: .of(1, 1))])
            try store.close()
            #expect(try FolderObservations(folder).observations(after: 0, limit: 10).count == 1)
        }
    }
}

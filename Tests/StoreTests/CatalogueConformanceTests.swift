import MarqueeCatalogue
import MarqueeModel
import MarqueeStore
import Synchronization
import Testing

/// How every engine stores the catalogue.
@Suite struct CatalogueConformanceTests {
    @Test(arguments: EngineKind.allCases)
    func `A new store has an epoch and no commits`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            let head = try store.catalogueHead()
            #expect(head.epoch != 0)
            #expect(head.revision == 0)
            #expect(try store.commits(after: 0, limit: 10) == [])
            #expect(try store.snapshotChanges() == [])
            #expect(!store.cluster.isEmpty)
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `Commits get rising revisions in the order of the batch`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            let writes: [StoreWrite] = (1...3).map {
                .catalogue(key: "commit \($0)", changes: [Sample.page($0)], mutation: nil)
            }
            let outcomes = try store.write(writes)
            #expect(outcomes == (1...3).map { .done(revision: $0, changed: true) })
            let commits = try store.commits(after: 0, limit: 10)
            #expect(commits.map(\.revision) == [1, 2, 3])
            #expect(commits.map(\.key) == ["commit 1", "commit 2", "commit 3"])
            #expect(commits.map(\.changes) == (1...3).map { [Sample.page($0)] })
            #expect(try store.catalogueHead().revision == 3)
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `The log is read from a revision, up to a limit`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            for id in 1...5 as ClosedRange<UInt64> { try store.commit(Sample.page(id)) }
            #expect(try store.commits(after: 2, limit: 2).map(\.revision) == [3, 4])
            #expect(try store.commits(after: 5, limit: 2) == [])
            #expect(try store.commits(after: .max, limit: 2) == [])
            #expect(try store.commits(after: 0, limit: 0) == [])
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `Every field of every record survives the snapshot and the log`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            try store.commit(Sample.everything.shuffledForCommit)
            #expect(try store.snapshotChanges() == Sample.everything)
            #expect(try store.commits(after: 0, limit: 1).first?.changes == Sample.everything.shuffledForCommit)
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `A pool has one choice, whether it is a record or an entry`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            try store.commit(Sample.types, .chooseRecord(pool: "main", record: .episode("7")))
            try store.commit(.chooseEntry(pool: "main", entry: "a"))
            #expect(try store.snapshotChanges() == [Sample.types, .chooseEntry(pool: "main", entry: "a")])
            try store.commit(.chooseRecord(pool: "main", record: .episode("8")))
            #expect(
                try store.snapshotChanges() == [Sample.types, .chooseRecord(pool: "main", record: .episode("8"))])
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `The catalogue's time goes forward and never back, and is in the snapshot`(_ kind: EngineKind) throws {
        let (early, late) = (Moment(milliseconds: 1_700_000_000_123), Moment(milliseconds: 1_700_000_000_124))
        try kind.withStore { store throws in
            #expect(try store.commit(.time(early)) == .done(revision: 1, changed: true))
            #expect(try store.commit(.time(early)) == .done(revision: 1, changed: false))
            #expect(try store.commit(.time(late)) == .done(revision: 2, changed: true))
            #expect(try store.commit(.time(early)) == .done(revision: 2, changed: false))
            #expect(try store.snapshotChanges() == [.time(late)])
            #expect(try store.commits(after: 0, limit: 5).map(\.changes) == [[.time(early)], [.time(late)]])
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `The snapshot equals the replayed log`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            try store.commit(Sample.everything)
            try store.commit(.merge(.episode("full"), .bytes([0x30, 9]), clear: ["title"]), Sample.page(7))
            try store.commit(.remove(.episode("2")), .show(list: "daily", edition: "01"))
            try store.commit(
                .listItem(EntryEdit(ListName("top"), putting: ListEntry(.episode("2")), at: 2)),
                .removeList(ListName("daily", edition: "02")))
            try store.commit(.episode("2", "back"), .chooseEntry(pool: "main", entry: "item 2"))
            try store.commit(.programme("other"), .removePage("home"))

            let replay = MemoryStore()
            for commit in try store.commits(after: 0, limit: 100) {
                let outcome = try replay.write([.catalogue(key: nil, changes: commit.changes, mutation: nil)])
                #expect(outcome == [.done(revision: commit.revision, changed: true)])
            }
            #expect(try replay.snapshotChanges() == (try store.snapshotChanges()))
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `The snapshot builds the same catalogue from nothing`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            try store.commit(Sample.everything)
            try store.commit(.remove(.episode("full")))
            let built = MemoryStore()
            var changes: [Change] = []
            let head = try store.snapshot { changes.append($0) }
            let outcomes = try built.write([.catalogue(key: nil, changes: changes, mutation: nil)])
            #expect(outcomes == [.done(revision: 1, changed: true)])
            #expect(try built.snapshotChanges() == changes)
            #expect(try head == store.catalogueHead())
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `Writing the same content again makes no commit`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            try store.commit(Sample.everything)
            // A source is somewhere else after its first move.
            let again =
                Sample.everything.filter { if case .source = $0 { false } else { true } } + [
                    .removePage("404"), .remove(.episode("404")), .removeList(ListName("top/404")),
                    .merge(.episode("full"), .bytes([0x30, 148, 1]), clear: []),
                ]
            let outcomes = try store.write([.catalogue(key: nil, changes: again, mutation: nil)])
            #expect(outcomes == [.done(revision: 1, changed: false)])
            #expect(try store.catalogueHead().revision == 1)
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `Changes without effect are left out of a commit`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            try store.commit(Sample.page(1))
            try store.commit(Sample.page(1), Sample.page(2), .removePage("9"))
            #expect(try store.commits(after: 1, limit: 1).first?.changes == [Sample.page(2)])
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `A commit with a key is made once, and other changes with its key are refused`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            #expect(try store.commit(Sample.page(1), key: "day") == .done(revision: 1, changed: true))
            #expect(try store.commit(Sample.page(1), key: "day") == .done(revision: 1, changed: false))
            #expect(try store.commit(Sample.page(2), key: "day") == .keyReused)
            #expect(try store.snapshotChanges() == [Sample.page(1)])
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `A key counts as used even if nothing had to change`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            try store.commit(Sample.page(1))
            #expect(try store.commit(Sample.page(1), key: "day") == .done(revision: 1, changed: false))
            try store.commit(Sample.page(1, title: "new"))
            #expect(try store.commit(Sample.page(1), key: "day") == .done(revision: 2, changed: false))
            #expect(try store.snapshotChanges() == [Sample.page(1, title: "new")])
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `Removing a record touches nothing else`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            try store.commit(Sample.everything)
            try store.commit(.remove(.episode("full")))
            #expect(try store.snapshotChanges() == Sample.everything.filter { $0 != Sample.episode })
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `Wake is called once per batch that changed the catalogue`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            let wakes = WakeCount()
            store.onWake { wakes.increment() }
            _ = try store.write([
                .catalogue(key: nil, changes: [Sample.page(1)], mutation: nil),
                .favorite(user: "mina", subject: "episode/1", on: true, mutation: .of(1, 1)),
            ])
            #expect(wakes.count == 1)
            try store.commit(Sample.page(1))
            try store.setFavorite("episode/1", .of(1, 1))
            try store.setFavorite("episode/2", .of(1, 2))
            try store.commit(.removePage(""))
            #expect(wakes.count == 1)
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `A closed store throws`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            try store.close()
            let error = #expect(throws: StoreError.self) { try store.catalogueHead() }
            #expect(error?.code == .closed)
            #expect(throws: StoreError.self) { try store.commit(Sample.page(1)) }
            try store.close()
        }
    }
}

private final class WakeCount: Sendable {
    private let value = Mutex(0)
    var count: Int { value.withLock { $0 } }
    func increment() { value.withLock { $0 += 1 } }
}

extension [Change] {
    /// A different order that can still be committed: types come first, and an edition precedes the change that
    /// shows it.
    fileprivate var shuffledForCommit: [Change] { prefix(1) + Array(dropFirst(4)) + self[1..<4] }
}

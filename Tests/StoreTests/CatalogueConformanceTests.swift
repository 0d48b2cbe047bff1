import MarqueeCatalogue
import MarqueeModel
import MarqueePresets
import MarqueeStore
import Synchronization
import Testing

/// What every engine does with the catalogue.
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
                .catalogue(key: "commit \($0)", changes: [.movie(Sample.movie($0))], mutation: nil)
            }
            let outcomes = try store.write(writes)
            #expect(outcomes == (1...3).map { .done(revision: $0, changed: true) })
            let commits = try store.commits(after: 0, limit: 10)
            #expect(commits.map(\.revision) == [1, 2, 3])
            #expect(commits.map(\.key) == ["commit 1", "commit 2", "commit 3"])
            #expect(commits.map(\.changes) == (1...3).map { [.movie(Sample.movie($0))] })
            #expect(try store.catalogueHead().revision == 3)
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `The log is read from a revision, up to a limit`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            for id in 1...5 as ClosedRange<UInt64> { try store.commit(.movie(Sample.movie(id))) }
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
    func `A pool has one choice, whether movie or item`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            try store.commit(.choose(pool: "main", movie: 7))
            try store.commit(.chooseItem(pool: "main", item: "a"))
            #expect(try store.snapshotChanges() == [.chooseItem(pool: "main", item: "a")])
            try store.commit(.choose(pool: "main", movie: 8))
            #expect(try store.snapshotChanges() == [.choose(pool: "main", movie: 8)])
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `An item of a shelf is replaced in its place`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            let items = ["a", "b", "c"].map { ShelfItem(id: $0, content: .text(TextContent(text: $0))) }
            try store.commit(.shelf(Shelf(id: "row", items: items)))
            let new = ShelfItem(id: "b", content: .text(TextContent(text: "new")))
            #expect(
                try store.commit(.shelfItem(shelf: "row", item: new)) == .done(revision: 2, changed: true))
            #expect(
                try store.commit(.shelfItem(shelf: "row", item: new)) == .done(revision: 2, changed: false))
            #expect(try store.snapshotChanges() == [.shelf(Shelf(id: "row", items: [items[0], new, items[2]]))])
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `The snapshot equals the replayed log`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            try store.commit(Sample.everything)
            var update = MovieUpdate(id: 27205)
            update.popularity = 99
            try store.commit(.movieUpdate(update), .movie(Sample.movie(7)))
            try store.commit(.removeMovie(5), .showChart(chart: "us", date: Sample.date(1)))
            try store.commit(.movie(Sample.movie(5, title: "back")), .choose(pool: "main", movie: 7))
            try store.commit(.programme("other"), .genre(Genre(id: 28, names: ["en": "Fights"])))

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
            try store.commit(.removeMovie(27205))
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
    func `An update is in the log as it is and in the state merged`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            var movie = Sample.movie(1)
            movie.popularity = 5
            movie.voteCount = 10
            try store.commit(.movie(movie))
            var update = MovieUpdate(id: 1)
            update.popularity = 6
            try store.commit(.movieUpdate(update))
            #expect(try store.commits(after: 1, limit: 1).first?.changes == [.movieUpdate(update)])
            movie.popularity = 6
            #expect(try store.snapshotChanges() == [.movie(movie)])
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `Writing the same content again makes no commit`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            try store.commit(Sample.everything)
            var update = MovieUpdate(id: 27205)
            update.voteCount = Sample.fullMovie.voteCount
            let again = Sample.everything + [.removeMovie(404), .movieUpdate(update)]
            let outcomes = try store.write([.catalogue(key: nil, changes: again, mutation: nil)])
            #expect(outcomes == [.done(revision: 1, changed: false)])
            #expect(try store.catalogueHead().revision == 1)
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `Changes without effect are left out of a commit`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            try store.commit(.movie(Sample.movie(1)))
            try store.commit(.movie(Sample.movie(1)), .movie(Sample.movie(2)), .removeMovie(9))
            #expect(try store.commits(after: 1, limit: 1).first?.changes == [.movie(Sample.movie(2))])
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `A commit with a key is made once`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            #expect(try store.commit(.movie(Sample.movie(1)), key: "day") == .done(revision: 1, changed: true))
            #expect(try store.commit(.movie(Sample.movie(2)), key: "day") == .done(revision: 1, changed: false))
            #expect(try store.snapshotChanges() == [.movie(Sample.movie(1))])
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `A key counts as used even if nothing had to change`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            try store.commit(.choose(pool: "main", movie: 1))
            #expect(try store.commit(.choose(pool: "main", movie: 1), key: "day") == .done(revision: 1, changed: false))
            try store.commit(.choose(pool: "main", movie: 2))
            #expect(try store.commit(.choose(pool: "main", movie: 1), key: "day") == .done(revision: 2, changed: false))
            #expect(try store.snapshotChanges() == [.choose(pool: "main", movie: 2)])
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `Removing a movie touches nothing else`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            try store.commit(.movie(Sample.fullMovie), .credits(Sample.credits))
            try store.commit(.removeMovie(27205))
            #expect(try store.snapshotChanges() == [.credits(Sample.credits)])
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `Wake is called once per batch that changed something`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            let wakes = WakeCount()
            store.onWake { wakes.increment() }
            _ = try store.write([
                .catalogue(key: nil, changes: [.movie(Sample.movie(1))], mutation: nil),
                .favorite(user: "mina", subject: "movie/1", on: true, mutation: .of(1, 1)),
            ])
            #expect(wakes.count == 1)
            try store.commit(.movie(Sample.movie(1)))
            try store.setFavorite("movie/1", .of(1, 1))
            try store.commit(.removeMovie(0))
            #expect(wakes.count == 1)
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `A closed store throws`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            try store.close()
            let error = #expect(throws: StoreError.self) { try store.catalogueHead() }
            #expect(error?.code == .closed)
            #expect(throws: StoreError.self) { try store.commit(.movie(Sample.movie(1))) }
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
    /// A different order that can still be committed: a day precedes the change that shows it.
    fileprivate var shuffledForCommit: [Change] { Array(dropFirst(6)) + Array(prefix(6)) }
}

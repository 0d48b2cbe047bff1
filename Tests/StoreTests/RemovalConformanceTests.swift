import MarqueeCatalogue
import MarqueeModel
import MarqueePresets
import Testing

@testable import MarqueeStore

/// Anything that can be stored can be removed, in every engine.
@Suite struct RemovalConformanceTests {
    /// A change that stores something, and the one that removes it.
    private static let pairs: [(put: Change, remove: Change)] = [
        (.person(Sample.person), .removePerson(525)),
        (.movie(Sample.fullMovie), .removeMovie(27205)),
        (.credits(Sample.credits), .removeCredits(movie: 27205)),
        (.genre(Genre(id: 28, names: ["en": "Action"])), .removeGenre(28)),
        (.chartDay(Sample.chartDay(1)), .removeChartDay(chart: "us", date: Sample.date(1))),
        (.choose(pool: "main", movie: 7), .removeChoice(pool: "main")),
        (.chooseItem(pool: "main", item: "a"), .removeChoice(pool: "main")),
        (.shelf(Sample.shelf), .removeShelf("home.s")),
        (.page(Page(id: "home", sections: [])), .removePage("home")),
    ]

    @Test(arguments: EngineKind.allCases)
    func `Whatever was put can be removed and put again`(_ kind: EngineKind) throws {
        for (put, remove) in Self.pairs {
            try kind.withStore { store throws in
                try store.commit(put)
                #expect(try store.commit(remove) == .done(revision: 2, changed: true))
                #expect(try store.snapshotChanges() == [], "\(remove)")
                #expect(try store.commits(after: 1, limit: 1).map(\.changes) == [[remove]])
                #expect(try store.commit(remove) == .done(revision: 2, changed: false))
                try store.commit(put)
                #expect(try store.snapshotChanges() == [put])
                // Within one commit, too.
                try store.commit(remove, put, remove)
                #expect(try store.snapshotChanges() == [], "\(remove)")
            }
        }
    }

    @Test func `A removal reads back as written`() throws {
        for (_, remove) in Self.pairs {
            #expect(try ChangeCoding.decode(.init(ChangeCoding.encode([remove]))) == [remove])
            #expect(Self.pairs.first { $0.remove == remove }?.put.key == remove.key)
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `A chart doesn't show a removed day`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            try store.commit(.chartDay(Sample.chartDay(1)), .chartDay(Sample.chartDay(2)))
            try store.commit(.showChart(chart: "us", date: Sample.date(2)))
            try store.commit(.removeChartDay(chart: "us", date: Sample.date(1)))
            #expect(
                try store.snapshotChanges() == [
                    .chartDay(Sample.chartDay(2)), .showChart(chart: "us", date: Sample.date(2)),
                ])
            try store.commit(.removeChartDay(chart: "us", date: Sample.date(2)))
            #expect(try store.snapshotChanges() == [])
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `Chart days beyond the limit go oldest first, and never the one shown`(_ kind: EngineKind) throws {
        var limits = StoreLimits()
        limits.chartDays = 2
        try kind.withStore(limits: limits) { store throws in
            try store.commit(.chartDay(Sample.chartDay(2)), .showChart(chart: "us", date: Sample.date(2)))
            for day in [1, 3, 4, 5] { try store.commit(.chartDay(Sample.chartDay(day))) }
            try store.commit(.chartDay(Sample.chartDay(1, chart: "kr")))
            #expect(
                try store.snapshotChanges() == [
                    .chartDay(Sample.chartDay(1, chart: "kr")), .chartDay(Sample.chartDay(2)),
                    .chartDay(Sample.chartDay(4)), .chartDay(Sample.chartDay(5)),
                    .showChart(chart: "us", date: Sample.date(2)),
                ])
            // The log says what was removed: a reader that follows it has the same days.
            let removed = try store.commits(after: 0, limit: 100).flatMap(\.changes).compactMap { change in
                if case .removeChartDay(_, let date, _) = change { date } else { nil }
            }
            #expect(removed == [Sample.date(1), Sample.date(3)])
        }
    }

    @Test func `Days stored already are bounded on request`() throws {
        try withFolder { folder in
            let first = try SQLiteStore(folder: folder)
            for day in 1...5 { try first.commit(.chartDay(Sample.chartDay(day))) }
            try first.commit(.showChart(chart: "us", date: Sample.date(1)))
            try first.close()
            var limits = StoreLimits()
            limits.chartDays = 3
            let second = try SQLiteStore(folder: folder, limits: limits)
            #expect(try second.dropOldChartDays() == 1)
            #expect(try second.dropOldChartDays() == 0)
            #expect(
                try second.snapshotChanges() == [1, 3, 4, 5].map { .chartDay(Sample.chartDay($0)) } + [
                    .showChart(chart: "us", date: Sample.date(1))
                ])
            try second.close()
        }
    }
}

/// What a plan reads from the store.
@Suite struct CommitPlanTests {
    private func item(_ id: String, _ text: String) -> ShelfItem {
        ShelfItem(id: id, content: .text(TextContent(text: text)))
    }

    @Test func `Replacing an item reads the item, not its shelf`() throws {
        var plan = CommitPlan(library: TypeLibrary())
        var asked: [RecordName] = []
        func stored(_ name: RecordName) -> CatalogueRecord? {
            asked.append(name)
            return .shelfItem(shelf: "row", item("b", "old"))
        }
        try plan.add(
            .shelfItem(shelf: "row", item: item("b", "new")), stored: stored, hasRecords: { _ in false },
            hasMembers: { _ in false })
        #expect(Set(asked) == [.shelfItem(shelf: "row", item: "b")])
        #expect(Array(plan.records.keys) == [.shelfItem(shelf: "row", item: "b")])
    }

    @Test(arguments: EngineKind.allCases)
    func `Items and shelves of one commit take effect in order`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            let shelf = Shelf(id: "row", items: [item("a", "1"), item("b", "1")])
            try store.commit(.shelf(shelf), .shelfItem(shelf: "row", item: item("b", "2")))
            #expect(try store.snapshotChanges() == [.shelf(Shelf(id: "row", items: [item("a", "1"), item("b", "2")]))])
            try store.commit(
                .shelfItem(shelf: "row", item: item("a", "3")), .shelfItem(shelf: "row", item: item("a", "4")),
                .shelf(shelf))
            #expect(try store.snapshotChanges() == [.shelf(shelf)])
            try store.commit(.shelfItem(shelf: "row", item: item("a", "5")), .removeShelf("row"))
            #expect(try store.snapshotChanges() == [])
            let refused = try store.commit(.shelfItem(shelf: "row", item: item("a", "6")))
            guard case .refused? = refused else {
                Issue.record("\(String(describing: refused))")
                return
            }
        }
    }
}

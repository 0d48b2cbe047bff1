import MarqueeCatalogue
import MarqueeModel
import Testing

@testable import MarqueeStore

/// Anything that can be stored can be removed, in every engine.
@Suite struct RemovalConformanceTests {
    /// A change that stores something, and the one that removes it.
    private static let pairs: [(put: Change, remove: Change)] = [
        (Sample.episode, .remove(.episode("full"))),
        (
            .list(RecordList(ListName("top"), entries: [ListEntry(.episode("1"))])), .removeList(ListName("top"))
        ),
        (Sample.day("01", "1"), .removeList(ListName("daily", edition: "01"))),
        (.chooseRecord(pool: "main", record: .episode("1")), .removeChoice(pool: "main")),
        (.chooseEntry(pool: "main", entry: "a"), .removeChoice(pool: "main")),
        (Sample.page(1), .removePage("1")),
    ]

    @Test(arguments: EngineKind.allCases)
    func `Anything that was put can be removed and put again`(_ kind: EngineKind) throws {
        for (put, remove) in Self.pairs {
            try kind.withStore { store throws in
                func others() throws -> [Change] { try store.snapshotChanges().filter { $0 != Sample.types } }
                try store.commit(Sample.types, put)
                #expect(try others() == [put])
                #expect(try store.commit(remove) == .done(revision: 2, changed: true))
                #expect(try others() == [], "\(remove)")
                #expect(try store.commits(after: 1, limit: 1).map(\.changes) == [[remove]])
                #expect(try store.commit(remove) == .done(revision: 2, changed: false))
                try store.commit(put)
                #expect(try others() == [put])
                // Within one commit, too.
                try store.commit(remove, put, remove)
                #expect(try others() == [], "\(remove)")
            }
        }
    }

    @Test func `A removal reads back as written`() throws {
        for (put, remove) in Self.pairs {
            #expect(try ChangeCoding.decode(ChangeCoding.encode([remove])) == [remove])
            #expect(put.key == remove.key)
        }
    }
}

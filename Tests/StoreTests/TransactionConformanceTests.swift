import MarqueeCatalogue
import MarqueeModel
import MarqueeStore
import Testing

/// A long operation as one transaction, for every engine.
@Suite struct TransactionConformanceTests {
    private static func write(_ changes: [Change], to writer: any CatalogueWriter) throws -> StoreOutcome? {
        try writer.write([.catalogue(key: nil, changes: changes, mutation: nil)]).first
    }

    @Test(arguments: EngineKind.allCases)
    func `A transaction takes effect all at once`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            var outcomes: [StoreOutcome?] = []
            try store.transaction { writer in
                outcomes = (1...3).map { id in
                    try? TransactionConformanceTests.write([Sample.page(id)], to: writer)
                }
                // A transaction reads its own writes, and the usual rules for writes apply.
                outcomes.append(try? TransactionConformanceTests.write([Sample.page(2)], to: writer))
                outcomes.append(try? TransactionConformanceTests.write([.episode("9")], to: writer))
                return true
            }
            #expect(
                outcomes == [
                    .done(revision: 1, changed: true), .done(revision: 2, changed: true),
                    .done(revision: 3, changed: true), .done(revision: 3, changed: false),
                    .refused("change 1: there are no types yet; put 'types' first"),
                ])
            #expect(try store.catalogueHead().revision == 3)
            #expect(try store.commits(after: 0, limit: 10).count == 3)
            #expect(try store.commit(Sample.page(4)) == .done(revision: 4, changed: true))
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `A discarded transaction leaves no trace`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            try store.commit(Sample.everything)
            let (head, before) = (try store.catalogueHead(), try store.snapshotChanges())
            var seen = 0
            try store.transaction { writer in
                for id in 100..<700 {
                    _ = try? TransactionConformanceTests.write([.episode("\(id)", "Gone")], to: writer)
                }
                _ = try? writer.snapshot { if case .put = $0 { seen += 1 } }
                return false
            }
            #expect(seen == 603)
            #expect(try store.catalogueHead() == head)
            #expect(try store.snapshotChanges() == before)
            #expect(try store.search("gone", in: .podcasts, offset: 0, limit: 9).total == 0)
            #expect(try store.commit(Sample.page(8)) == .done(revision: head.revision + 1, changed: true))
        }
    }

    @Test func `A writer is useless after its transaction`() throws {
        try EngineKind.sqlite.withStore { store throws in
            var kept: (any CatalogueWriter)?
            try store.transaction { writer in
                kept = writer
                return true
            }
            let error = #expect(throws: StoreError.self) {
                try TransactionConformanceTests.write([Sample.page(1)], to: try #require(kept))
            }
            #expect(error?.code == .closed)
        }
    }
}

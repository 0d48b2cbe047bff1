import MarqueeModel
import SeededRandom
import Testing

@testable import MarqueeStore

extension PostgresTests {
    @Suite struct PostgresSearchTests {
        @Test func `SQLite and PostgreSQL answer 1,200 searches alike, page by page`() throws {
            try EngineKind.sqlite.withStore { sqlite throws in
                try EngineKind.postgres.withStore { postgres throws in
                    var (random, pages) = (RandomSearches(seed: 4), SeededGenerator(seed: 5))
                    var matches = 0
                    for _ in 0..<40 {
                        let changes = random.commit()
                        try sqlite.commit(changes)
                        try postgres.commit(changes)
                        for query in (0..<5).flatMap({ _ in random.queries() }) {
                            let scope = SearchScope(types: random.types())
                            let offset = Int.random(in: 0...3, using: &pages)
                            let limit = Int.random(in: 1...9, using: &pages)
                            let expected = try sqlite.search(query, in: scope, offset: offset, limit: limit)
                            var found = try postgres.search(query, in: scope, offset: offset, limit: limit)
                            // Each store has its own epoch.
                            found.head.epoch = expected.head.epoch
                            #expect(found == expected, "\(query.debugDescription) in \(scope), \(offset), \(limit)")
                            matches += expected.total
                        }
                    }
                    #expect(matches > 1_000, "otherwise the test searches for nothing")
                }
            }
        }
    }
}

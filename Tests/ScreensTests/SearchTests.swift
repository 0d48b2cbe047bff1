import MarqueeCatalogue
import MarqueeModel
import MarqueePresets
import MarqueeStore
import MarqueeWire
import Testing

@testable import MarqueeScreens

/// Search answers; the stores' conformance suite covers what is found.
@Suite struct SearchTests {
    private func search(
        _ query: String, in changes: [Change], page: UInt32 = 1, locale: String = "en"
    ) throws -> SearchAnswer {
        let store = MemoryStore()
        _ = try store.write([.catalogue(key: nil, changes: changes, mutation: nil)])
        return try Search.answer(
            SearchRequest(query: query, queryID: 7, page: page, locale: locale),
            programme: Programme(locales: ["en", "ko"], screens: []), in: store)
    }

    @Test func `An item shows the movie in the locale that was asked for`() throws {
        let changes = try Samples.changes()
        let answer = try search("인셉", in: changes, locale: "ko")
        #expect(answer.queryID == 7)
        #expect(answer.items.map(\.id) == ["movie/27205"])
        #expect(answer.items.map(\.subject) == ["movie/27205"])
        guard case .movie(let korean)?? = answer.items.first.map({ PresetContent(kind: $0.kind, bytes: $0.body) }),
            case .movie(let english)?? = try search("인셉", in: changes).items.first
                .map({ PresetContent(kind: $0.kind, bytes: $0.body) })
        else {
            Issue.record("a search should find movies")
            return
        }
        #expect(korean.title == "인셉션")
        #expect(korean.genres.first == "액션")
        #expect(english.title == "Inception")
    }

    @Test(
        arguments: [
            ("괴물", [1255]), ("추억", [11423]), ("생충", [496_243]), ("기생", [496_243]), ("기생충", [496_243]),
        ] as [(String, [UInt64])])
    func `Korean titles of the samples are found`(_ sample: (String, [UInt64])) throws {
        let answer = try search(sample.0, in: try Samples.changes(), locale: "ko")
        #expect(answer.items.map(\.id) == sample.1.map { "movie/\($0)" })
    }

    @Test func `Pages are taken in order`() throws {
        let changes = (1...45).map { Change.movie(Movie(UInt64($0), "Part \($0)", popularity: Double($0 / 10))) }
        let first = try search("part", in: changes)
        #expect(first.total == 45)
        #expect(first.pages == 3)
        #expect(first.page == 1)
        #expect(first.items.count == Programme.Search.movies.pageSize)
        #expect(first.cut.catalogueRevision == 1)
        #expect(first.cut.catalogueEpoch != 0)
        #expect(try search("part", in: changes, page: 3).items.count == 5)
        #expect(try search("part", in: changes, page: .max).items.isEmpty)
        let all = try (1...3).flatMap { try search("part", in: changes, page: $0).items.map(\.id) }
        #expect(Set(all).count == 45)
    }

    @Test func `Queries without letters find nothing and long ones are refused`() throws {
        let changes: [Change] = [.movie(Movie(1, "A\nB"))]
        #expect(try search("", in: changes).total == 0)
        #expect(try search("  ", in: changes).pages == 0)
        #expect(throws: Status.self) { try search(String(repeating: "a", count: 257), in: changes) }
        #expect(throws: Status.self) { try search("a", in: changes, page: 0) }
    }
}

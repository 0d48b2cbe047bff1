import MarqueeCatalogue
import MarqueeModel
import MarqueeStore
import Testing

/// What every engine finds.
@Suite struct SearchConformanceTests {
    private static func movie(
        _ id: UInt64, _ title: String, original: String? = nil, ko: String? = nil, popularity: Double? = nil
    ) -> Change {
        var movie = Movie(id: id, title: title)
        movie.originalTitle = original
        movie.titles = ko.map { ["ko": $0] }
        movie.popularity = popularity
        return .movie(movie)
    }

    private static let korean: [Change] = [
        movie(1, "The Host", original: "괴물", popularity: 30),
        movie(2, "Memories of Murder", ko: "살인의 추억", popularity: 20),
        movie(3, "Parasite", original: "기생충", popularity: 90), movie(4, "Monster", ko: "몬스터", popularity: 10),
        movie(5, "Little Women", ko: "작은 아씨들", popularity: 5),
    ]

    private static func found(_ query: String, in store: any StoreEngine) throws -> [UInt64] {
        try store.search(query, offset: 0, limit: 100).movies.map(\.id)
    }

    @Test(
        arguments: EngineKind.allCases,
        [
            ("괴물", [1]), ("추억", [2]), ("생충", [3]), ("기생", [3]), ("기생충", [3]), ("괴", [1]), ("물", [1]), ("충", [3]),
            ("살인의 추", [2]), ("의 추억", [2]), ("의 ", [2]), ("씨", [5]), ("은 아", [5]), ("스터", [4]), ("괴물들", []), ("ㄱ", []),
        ] as [(String, [UInt64])])
    func `One, two and more syllables are found anywhere in a title`(_ kind: EngineKind, _ sample: (String, [UInt64]))
        throws
    {
        try kind.withStore { store throws in
            try store.commit(SearchConformanceTests.korean)
            #expect(try SearchConformanceTests.found(sample.0, in: store) == sample.1)
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `Case, accents and widths don't matter`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            try store.commit(
                SearchConformanceTests.movie(1, "Amélie", original: "Le Fabuleux Destin d'Amélie Poulain"),
                SearchConformanceTests.movie(2, "LÉON", popularity: 2), SearchConformanceTests.movie(3, "Ｆｕｌｌ width"))
            for (query, ids) in [
                ("AMELIE", [1]), ("éli", [1]), (" leon ", [2]), ("É", [2, 1]), ("lé", [2, 1]), ("full", [3]),
                ("ＷＩＤ", [3]),
                ("Ame\u{301}lie", [1]), ("d'a", [1]), ("'", []), ("n d", [1]),
            ] as [(String, [UInt64])] {
                #expect(try SearchConformanceTests.found(query, in: store) == ids, "\(query)")
            }
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `Punctuation doesn't matter`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            try store.commit(
                SearchConformanceTests.movie(1, "Battle: Los Angeles"),
                SearchConformanceTests.movie(2, "Ocean’s Eight"),
                SearchConformanceTests.movie(3, "Spider-Man: Far From Home"), SearchConformanceTests.movie(4, "E.T."),
                SearchConformanceTests.movie(5, "WALL·E"), SearchConformanceTests.movie(6, "왕, 남자"),
                SearchConformanceTests.movie(7, "..."))
            for (query, ids) in [
                ("Battle Los Angeles", [1]), ("battle: los", [1]), ("battle - los", [1]), ("oceans", [2]),
                ("ocean's", [2]), ("spider man", [3]), ("spiderman", [3]), ("Spider-Man Far", [3]), ("et", [4]),
                ("e.t.", [4]), ("wall-e", [5]), ("walle", [5]), ("왕 남자", [6]), ("왕, 남", [6]), ("...", [7]),
            ] as [(String, [UInt64])] {
                #expect(try SearchConformanceTests.found(query, in: store) == ids, "\(query)")
            }
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `A search that finds more than it counts says so`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            try store.commit((1...UInt64(SearchMatches.limit)).map { SearchConformanceTests.movie($0, "Part \($0)") })
            let all = try store.search("part", offset: 0, limit: 1)
            #expect(all.total == SearchMatches.limit && !all.isCapped)
            try store.commit(SearchConformanceTests.movie(9_999, "Part of it"))
            let some = try store.search("part", offset: 0, limit: 1)
            #expect(some.total == SearchMatches.limit && some.isCapped)
            #expect(try !store.search("of it", offset: 0, limit: 1).isCapped)
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `The syntax of full text search is just text`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            try store.commit(
                SearchConformanceTests.movie(1, "M*A*S*H", popularity: 3),
                SearchConformanceTests.movie(2, "Love AND \"Death\" OR NOT", popularity: 2),
                SearchConformanceTests.movie(3, "8½ (text: near)", popularity: 1),
                SearchConformanceTests.movie(4, "MASH"))
            for (query, ids) in [
                ("m*a", [1]), ("M*", [1, 4]), ("*", []), ("\"death\"", [2]), ("\"", []), ("\"d", [2]), ("AND \"", [2]),
                ("love OR mash", []), ("NOT", [2]), ("text:", [3]), ("t:", [2, 3]), ("8½ (", [3]), ("½", [3]),
                ("(t", [2, 3]),
                ("mas*", [1, 4]), ("NEAR(a b)", []), ("\"\"", []), ("' OR 1=1 --", []), ("%", []), ("_", []),
                ("love\n8", []),
                ("\n", []), ("", []), ("   ", []),
            ] as [(String, [UInt64])] {
                #expect(try SearchConformanceTests.found(query, in: store) == ids, "\(query)")
            }
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `Every title is searched, and a movie is found by its current titles`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            try store.commit(SearchConformanceTests.movie(1, "Inception", original: "Inception", ko: "인셉션"))
            for query in ["incep", "인셉", "션"] { #expect(try SearchConformanceTests.found(query, in: store) == [1]) }
            #expect(try SearchConformanceTests.found("inception\ninception", in: store) == [])
            try store.commit(SearchConformanceTests.movie(1, "Other", ko: "다른"))
            for query in ["incep", "인셉", "션"] { #expect(try SearchConformanceTests.found(query, in: store) == []) }
            #expect(try SearchConformanceTests.found("다른", in: store) == [1])
            try store.commit(.removeMovie(1))
            #expect(try SearchConformanceTests.found("다른", in: store) == [])
            #expect(try SearchConformanceTests.found("other", in: store) == [])
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `The most popular come first, then the lower id`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            let large: UInt64 = 1 << 32
            // Popularities that a Float can't tell apart, ids that differ in their upper half, and missing ones.
            let movies: [(UInt64, Double?)] = [
                (1, nil), (2, 0), (3, 5), (4, 5), (5, 1e300), (6, 100.000_000_01), (7, 100.000_000_02), (large + 3, 5),
                (8, 0.5), (9, nil),
            ]
            try store.commit(movies.map { SearchConformanceTests.movie($0.0, "Part \($0.0)", popularity: $0.1) })
            let order: [UInt64] = [5, 7, 6, 3, 4, large + 3, 8, 2, 1, 9]
            #expect(try SearchConformanceTests.found("part", in: store) == order)
            #expect(try SearchConformanceTests.found("pa", in: store) == order)
            var update = MovieUpdate(id: 9)
            update.popularity = 50
            try store.commit(.movieUpdate(update))
            #expect(
                try SearchConformanceTests.found("part", in: store) == [5, 7, 6, 9] + order[3...].filter { $0 != 9 })
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `A page is a part of the whole and names its position`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            try store.commit(
                .genre(Genre(id: 28, names: ["en": "Action"])), .genre(Genre(id: 18, names: ["en": "Drama"])))
            let movies = (1...45).map { id in
                var movie = Movie(id: UInt64(id), title: "Part \(id)")
                movie.popularity = Double(id / 10)
                movie.genres = id == 40 ? [28, 99] : nil
                return Change.movie(movie)
            }
            try store.commit(movies)
            let first = try store.search("part", offset: 0, limit: 20)
            #expect(first.total == 45)
            #expect(first.movies.map(\.id).prefix(7) == [40, 41, 42, 43, 44, 45, 30])
            #expect(first.genres == [Genre(id: 28, names: ["en": "Action"])])
            #expect(first.head == (try store.catalogueHead()))
            let rest = try [20, 40, 60].map { try store.search("part", offset: $0, limit: 20).movies.map(\.id) }
            #expect(rest.map(\.count) == [20, 5, 0])
            #expect(Set(first.movies.map(\.id) + rest.joined()).count == 45)
            #expect(try store.search("part", offset: .max, limit: .max).movies == [])
            #expect(try store.search("part", offset: -1, limit: -1).movies == [])
            try store.commit(.removeMovie(1))
            #expect(try store.search("part", offset: 0, limit: 1).head.revision == 3)
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `Many matches are counted up to a limit`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            let count = SearchMatches.limit + 500
            try store.commit(
                (1...count).map { SearchConformanceTests.movie(UInt64($0), "Part \($0)", popularity: Double($0)) })
            for query in ["part", "p"] {
                let matches = try store.search(query, offset: 0, limit: 3)
                #expect(matches.total == SearchMatches.limit)
                #expect(matches.movies.map(\.id) == [UInt64(count), UInt64(count - 1), UInt64(count - 2)])
            }
        }
    }

    @Test func `A missing index is created`() throws {
        try withFolder { folder in
            let store = try SQLiteStore(folder: folder)
            try store.commit(SearchConformanceTests.korean)
            try store.close()
            try tamper(
                folder, "catalogue.sqlite",
                "DROP TABLE title; DROP TABLE title_version; DROP TABLE title_trigram; DROP TABLE title_gram")
            let upgraded = try SQLiteStore(folder: folder)
            #expect(try SearchConformanceTests.found("괴물", in: upgraded) == [1])
            #expect(try SearchConformanceTests.found("parasite", in: upgraded) == [3])
            try upgraded.close()
        }
    }

    @Test func `A restored backup is searched like the original`() throws {
        try withFolder { folder in
            let store = try SQLiteStore(folder: "\(folder)/old")
            try store.commit(SearchConformanceTests.korean)
            try store.close()
            _ = try Backup.save("\(folder)/old", to: "\(folder)/backup") { _ in true }
            _ = try Backup.restore("\(folder)/backup", into: "\(folder)/new") { _ in true }
            let restored = try SQLiteStore(folder: "\(folder)/new")
            #expect(try SearchConformanceTests.found("괴물", in: restored) == [1])
            #expect(try SearchConformanceTests.found("host", in: restored) == [1])
            try restored.close()
        }
    }

    @Test func `Titles indexed by another version are indexed again`() throws {
        try withFolder { folder in
            let store = try SQLiteStore(folder: folder)
            try store.commit(SearchConformanceTests.korean)
            let whole = try SearchConformanceTests.found("o", in: store)
            #expect(!whole.isEmpty)
            try store.close()
            try tamper(folder, "catalogue.sqlite", "UPDATE title_version SET version = '0'")
            let opened = try SQLiteStore(folder: folder)
            #expect(try SearchConformanceTests.found("괴물", in: opened) == [1])
            #expect(try SearchConformanceTests.found("o", in: opened) == whole)
            try opened.close()
        }
    }
}

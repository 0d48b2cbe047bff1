import MarqueeCatalogue
import MarqueeModel
import MarqueeStore
import Testing

/// The titles that every engine finds.
@Suite struct SearchConformanceTests {
    private static func show(
        _ id: Int, _ title: String, author: String = "", ko: String? = nil, followers: Int? = nil
    ) -> Change {
        var titles = ["en": title]
        titles["ko"] = ko
        return .show("\(id)", titles, author: author, followers: followers)
    }

    private static let korean = [
        Sample.types,
        show(1, "The Host", author: "괴물", followers: 30),
        show(2, "Memories of Murder", ko: "살인의 추억", followers: 20),
        show(3, "Parasite", author: "기생충", followers: 90), show(4, "Monster", ko: "몬스터", followers: 10),
        show(5, "Little Women", ko: "작은 아씨들", followers: 5),
    ]

    private static func found(_ query: String, in store: any StoreEngine) throws -> [Int] {
        try store.search(query, in: .podcasts, offset: 0, limit: 100).ids.compactMap { Int($0.id) }
    }

    @Test(
        arguments: EngineKind.allCases,
        [
            ("괴물", [1]), ("추억", [2]), ("생충", [3]), ("기생", [3]), ("기생충", [3]), ("괴", [1]), ("물", [1]), ("충", [3]),
            ("살인의 추", [2]), ("의 추억", [2]), ("의 ", [2]), ("씨", [5]), ("은 아", [5]), ("스터", [4]), ("괴물들", []), ("ㄱ", []),
        ] as [(String, [Int])])
    func `One, two and more syllables are found anywhere in a title`(_ kind: EngineKind, _ sample: (String, [Int]))
        throws
    {
        try kind.withStore { store throws in
            try store.commit(Self.korean)
            #expect(try Self.found(sample.0, in: store) == sample.1)
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `Case, accents and widths don't matter`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            try store.commit(
                Sample.types, Self.show(1, "Amélie", author: "Le Fabuleux Destin d'Amélie Poulain"),
                Self.show(2, "LÉON", followers: 2), Self.show(3, "Ｆｕｌｌ width"))
            for (query, ids) in [
                ("AMELIE", [1]), ("éli", [1]), (" leon ", [2]), ("É", [2, 1]), ("lé", [1, 2]), ("full", [3]),
                ("ＷＩＤ", [3]),
                ("Ame\u{301}lie", [1]), ("d'a", [1]), ("'", []), ("n d", [1]),
            ] as [(String, [Int])] {
                #expect(try Self.found(query, in: store) == ids, "\(query)")
            }
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `A word that is a letter off is found beside one that most documents have`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            let many = (1...1_001).map { Self.show($0, "Bo Xanona", followers: $0) }
            try store.commit([Sample.types] + many + [Self.show(2_000, "Klara Xanona")])
            for query in ["klara xanona", "kalra xanona", "klara xanoan", "kalra xanoan"] {
                #expect(try Self.found(query, in: store) == [2_000], "\(query)")
            }
            let off = try store.search("xanoan", in: .podcasts, offset: 0, limit: 1)
            #expect(off.total == 1_000 && off.isCapped, "as many as are compared")
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `Punctuation doesn't matter`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            try store.commit(
                Sample.types, Self.show(1, "Battle: Los Angeles"),
                Self.show(2, "Ocean’s Eight"),
                Self.show(3, "Spider-Man: Far From Home"), Self.show(4, "E.T."),
                Self.show(5, "WALL·E"), Self.show(6, "왕, 남자"),
                Self.show(7, "..."))
            for (query, ids) in [
                ("Battle Los Angeles", [1]), ("battle: los", [1]), ("battle - los", [1]), ("oceans", [2]),
                ("ocean's", [2]), ("spider man", [3]), ("spiderman", [3]), ("Spider-Man Far", [3]), ("et", [4]),
                ("e.t.", [4]), ("wall-e", [5]), ("walle", [5]), ("왕 남자", [6]), ("왕, 남", [6]), ("...", [7]),
            ] as [(String, [Int])] {
                #expect(try Self.found(query, in: store) == ids, "\(query)")
            }
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `All words are found in any order, and a phrase in quotes as it stands`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            try store.commit(
                Sample.types, Self.show(1, "John F Kennedy Intl", author: "New York", followers: 3),
                Self.show(2, "Kennedy: a Life", author: "Johnson", followers: 2),
                Self.show(3, "The Of of It", followers: 1), Self.show(4, "12\" remix"))
            for (query, ids) in [
                ("john kennedy", [1, 2]), ("kennedy  JOHN", [1, 2]), ("york john", [1]), ("f kennedy", [1, 2]),
                ("\"john f\"", [1]), ("“kennedy a life”", [2]), ("\"john kennedy\"", []), ("\"f ken\" intl york", [1]),
                ("john smith", []), ("o e", [1, 2, 3]), ("it of", [3]), ("of kennedy", []), ("kennedy - intl", [1]),
                ("ken kennedy", [1, 2]), ("12\" rem", [4]), ("remix \"12", [4]), ("\"\" john", [1, 2]),
                ("j\tk", [1, 2]), ("\"kennedy\\ intl\"", [1]),
            ] as [(String, [Int])] {
                #expect(try Self.found(query, in: store) == ids, "\(query)")
            }
            let most = (0..<SearchMatches.queryBytes / 2).map { _ in "e" }.joined(separator: " ")
            #expect(try Self.found(most, in: store) == [1, 2, 3, 4])
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `Whole words come first, then beginnings, then parts, then words a letter off`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            try store.commit(
                Sample.types, Self.show(1, "Bread", followers: 1), Self.show(2, "Breads", followers: 5),
                Self.show(3, "Gingerbread", followers: 9), Self.show(4, "Broad", followers: 99),
                Self.show(5, "Rye Bread", followers: 2), Self.show(6, "Red bear", followers: 50))
            for (query, ids) in [
                ("bread", [5, 1, 2, 3, 4]), ("bread rye", [5]), ("brad", []), ("broads", [4, 2]), ("breda rye", [5]),
            ] as [(String, [Int])] {
                #expect(try Self.found(query, in: store) == ids, "\(query)")
            }
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `A word of five letters or more may be a letter off, but its first one is right`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            try store.commit(
                Sample.types, Self.show(1, "Mahler: Symphony No. 5"), Self.show(2, "İstanbul'da Gece"),
                Self.show(3, "Apollo 12345"), Self.show(4, "크리스마스에는"))
            for (query, ids) in [
                ("symphny", [1]), ("symphonny", [1]), ("simphony", [1]), ("sypmhony", [1]), ("symphoyn", [1]),
                ("symphon", [1]), ("sympohn", [1]), ("simfony", []), ("zymphony", []), ("ysmphony", []),
                ("mahlr symphny", [1]), ("symphny mahler 5", [1]), ("symphny 6", []), ("\"symphny\"", []),
                ("istambul", [2]), ("ÍSTANBLU", [2]), ("12346", []), ("appollo", [3]), ("크리스머스", [4]),
                ("크리마스", []), ("크리마스에는", [4]),
            ] as [(String, [Int])] {
                #expect(try Self.found(query, in: store) == ids, "\(query)")
            }
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `A query of anything is answered`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            try store.commit([Sample.types] + (1...200).map { Self.show($0, "Symphony number \($0)") })
            let words = (0..<100).map { String(UnicodeScalar(UInt8(97 + $0 % 26))) }
            let long = (0..<12).map { "symphony" + String(UnicodeScalar(UInt8(97 + $0))) }
            for query in [
                words.joined(separator: " "), long.joined(separator: " "), String(repeating: "a", count: 256),
                String(repeating: "%", count: 256), "%' OR '1'='1", "\"\"\"", "symphon%", "s\u{301}\u{302}ymphonx",
                String(repeating: "\u{301}", count: 128), "NEAR(symphonx, 2)", "{symphonx}*", "\u{0}\u{0}symphonx",
            ] {
                _ = try Self.found(query, in: store)
            }
            #expect(try Self.found("s\u{301}\u{302}ymphonx", in: store).count == 100)
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `All kinds of white space are equal, and invisible characters don't count`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            try store.commit(
                Sample.types, Self.show(1, "Blue\u{A0}Velvet"), Self.show(2, "Blue\tRuin"),
                Self.show(3, "Blue\nJay"), Self.show(4, "Blue\u{3000}Sky\u{2028}Line"),
                Self.show(5, "Data\u{AD}base \u{200B}Mar\u{200D}vels\u{FE0F}\u{202E}"),
                Self.show(6, "\u{200B}\u{FEFF}"),
                Self.show(7, "Ki\u{1}te"))
            for (query, ids) in [
                ("\"blue velvet\"", [1]), ("\"blue ruin\"", [2]), ("\"blue jay\"", [3]), ("\"blue sky line\"", [4]),
                ("blue\u{A0}velvet", [1]), ("\u{2003}jay\n", [3]), ("database", [5]), ("\"database marvels\"", [5]),
                ("data\u{200B}base", [5]), ("mar\u{AD}vels", [5]), ("kite", [7]), ("\u{200B}", []), ("ebl", []),
            ] as [(String, [Int])] {
                #expect(try Self.found(query, in: store) == ids, "\(query.unicodeScalars.map(\.value))")
            }
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `Letters that don't decompose are found by plain ones`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            try store.commit(
                Sample.types, Self.show(1, "Łódź"), Self.show(2, "Smørrebrød"), Self.show(3, "Æon Flux"),
                Self.show(4, "Straße"), Self.show(5, "Þór og Đorđe"), Self.show(6, "Diyarbakır"),
                Self.show(7, "ﾊﾞﾅﾅ"), Self.show(8, "Hawaiʻi"))
            for (query, ids) in [
                ("lodz", [1]), ("ŁÓDŹ", [1]), ("łodz", [1]), ("smorrebrod", [2]), ("Smørre", [2]), ("aeon", [3]),
                ("æ", [3]), ("STRASSE", [4]), ("strasse", [4]), ("thor", [5]), ("dorde", [5]), ("diyarbakir", [6]),
                ("DİYARBAKIR", [6]), ("バナナ", [7]), ("hawaii", [8]),
            ] as [(String, [Int])] {
                #expect(try Self.found(query, in: store) == ids, "\(query)")
            }
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `Full-text search syntax is taken as plain text`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            try store.commit(
                Sample.types, Self.show(1, "M*A*S*H", followers: 3),
                Self.show(2, "Love AND \"Death\" OR NOT", followers: 2),
                Self.show(3, "8½ (text: near)", followers: 1),
                Self.show(4, "MASH"))
            for (query, ids) in [
                ("m*a", [1]), ("M*", [1, 4]), ("*", []), ("\"death\"", [2]), ("\"", []), ("\"d", [2]), ("AND \"", [2]),
                ("love OR mash", []), ("NOT", [2]), ("text:", [3]), ("t:", [3, 2]), ("8½ (", [3]), ("½", [3]),
                ("(t", [3, 2]),
                ("mas*", [1, 4]), ("NEAR(a b)", []), ("\"\"", []), ("' OR 1=1 --", []), ("%", []), ("_", []),
                ("love\n8", []),
                ("\n", []), ("", []), ("   ", []),
            ] as [(String, [Int])] {
                #expect(try Self.found(query, in: store) == ids, "\(query)")
            }
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `The highest rank comes first, then the lower id`(_ kind: EngineKind) throws {
        func part(_ id: Int, rating: Double?) -> Change {
            var record: [String: Any] = ["guid": "\(id)", "title": "Part \(id)"]
            record["rating"] = rating
            return Sample.put("episode", "\(id)", record)
        }
        try kind.withStore { store throws in
            // Ranks that a Float can't tell apart, and missing ones.
            let ratings: [Double?] = [nil, 0, 5, 5, 1e300, 100.000_000_01, 100.000_000_02, 0.5, nil]
            try store.commit(
                [Sample.types(show: nil, episode: "{fields: [title], rank: rating}")]
                    + ratings.enumerated().map { part($0 + 1, rating: $1) })
            let order = [5, 7, 6, 3, 4, 8, 2, 1, 9]
            #expect(try Self.found("part", in: store) == order)
            #expect(try Self.found("pa", in: store) == order)
            try store.commit(part(9, rating: 50))
            #expect(try Self.found("part", in: store) == [5, 7, 6, 9, 3, 4, 8, 2, 1])
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `A page is a part of the whole and names its position`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            func page(_ offset: Int, _ limit: Int = 20) throws -> SearchMatches {
                try store.search("part", in: .podcasts, offset: offset, limit: limit)
            }
            try store.commit([Sample.types] + (1...45).map { Self.show($0, "Part \($0)", followers: $0 / 10) })
            let first = try page(0)
            #expect(first.total == 45)
            #expect(first.ids.map(\.id).prefix(7) == ["40", "41", "42", "43", "44", "45", "30"])
            #expect(first.head == (try store.catalogueHead()))
            let rest = try [20, 40, 60].map { try page($0).ids }
            #expect(rest.map(\.count) == [20, 5, 0])
            #expect(Set(first.ids + rest.joined()).count == 45)
            #expect(try page(.max, .max).ids == [])
            #expect(try page(-1, -1).ids == [])
            try store.commit(.remove(RecordID(type: "show", id: "1")))
            #expect(try page(0, 1).head.revision == 2)
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `Many matches are counted up to a limit, and the answer says so`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            func part(_ id: Int) -> Change { Self.show(id, "Part \(id)", followers: id) }
            let limit = SearchMatches.limit
            try store.commit([Sample.types] + (1...limit).map(part))
            let all = try store.search("part", in: .podcasts, offset: 0, limit: 1)
            #expect(all.total == limit && !all.isCapped)
            try store.commit((1...500).map { part(limit + $0) })
            for query in ["part", "p"] {
                let matches = try store.search(query, in: .podcasts, offset: 0, limit: 3)
                #expect(matches.total == limit && matches.isCapped)
                #expect(matches.ids.map(\.id) == (498...500).reversed().map { "\(limit + $0)" })
            }
            #expect(try !store.search("part 77", in: .podcasts, offset: 0, limit: 1).isCapped)
        }
    }
}

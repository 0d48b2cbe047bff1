import GRDB
import MarqueeModel

/// Between the catalogue's records and the rows of its tables.
enum RecordTables {
    static let movieColumns = """
        id, title, original_title, original_language, titles, release_date, runtime, genres, countries, popularity, \
        revenue, vote_average, vote_count, tagline, overview, certifications, poster, backdrop
        """

    /// Reads the record under a name, or `nil`.
    static func read(_ name: RecordName, from db: Database) throws -> CatalogueRecord? {
        switch name {
        case .genre(let id):
            try db.first("SELECT id, names FROM genre WHERE id = ?", [Int64(id)]).map(genre)
        case .person(let id):
            try db.first("SELECT id, name, popularity, portrait FROM person WHERE id = ?", [Int64(id)]).map(person)
        case .movie(let id):
            try db.first("SELECT \(movieColumns) FROM movie WHERE id = ?", [Int64(id)]).map(movie)
        case .credits(let id):
            try db.first("SELECT movie, cast_list, crew_list FROM credits WHERE movie = ?", [Int64(id)]).map(credits)
        case .chartDay(let chart, let step):
            try db.first(
                "SELECT chart, date, entries FROM chart_day WHERE chart = ? AND date = ?", [chart, step.description]
            ).map(chartDay)
        case .shownDay(let chart):
            try db.first("SELECT chart, date FROM chart_shown WHERE chart = ?", [chart]).map(shownDay)
        case .choice(let pool):
            try db.first(
                """
                SELECT pool, movie, NULL FROM pool_choice WHERE pool = ?1
                UNION ALL SELECT pool, NULL, item FROM pool_item WHERE pool = ?1
                """, [pool]
            ).map(choice)
        case .shelf(let id): try db.first("SELECT id, items FROM shelf WHERE id = ?", [id]).map(shelf)
        case .page(let id): try db.first("SELECT id, sections FROM page WHERE id = ?", [id]).map(page)
        case .programme:
            try db.first("SELECT text FROM programme", []).map(programme)
        }
    }

    /// Hands out every record, what others refer to first, and within a kind by name.
    static func readAll(from db: Database, _ receive: (CatalogueRecord) throws -> Void) throws {
        func all(_ sql: String, _ record: (Row) throws -> CatalogueRecord) throws {
            let rows = try Row.fetchCursor(db.cachedStatement(sql: sql))
            while let row = try rows.next() { try receive(try record(row)) }
        }
        try all("SELECT id, names FROM genre ORDER BY id", genre)
        try all("SELECT id, name, popularity, portrait FROM person ORDER BY id", person)
        try all("SELECT \(movieColumns) FROM movie ORDER BY id", movie)
        try all("SELECT movie, cast_list, crew_list FROM credits ORDER BY movie", credits)
        try all("SELECT chart, date, entries FROM chart_day ORDER BY chart, date", chartDay)
        try all("SELECT chart, date FROM chart_shown ORDER BY chart", shownDay)
        try all(
            "SELECT pool, movie, NULL FROM pool_choice UNION ALL SELECT pool, NULL, item FROM pool_item ORDER BY pool",
            choice)
        try all("SELECT id, items FROM shelf ORDER BY id", shelf)
        try all("SELECT id, sections FROM page ORDER BY id", page)
        try all("SELECT text FROM programme", programme)
    }

    /// Stores a record under its name; `nil` removes it.
    static func write(_ record: CatalogueRecord?, under name: RecordName, to db: Database) throws {
        switch record {
        case .genre(let genre):
            try db.run(
                "INSERT OR REPLACE INTO genre (id, names) VALUES (?, ?)",
                [Int64(genre.id), ListColumns.encode(genre.names)])
        case .person(let person):
            try db.run(
                "INSERT OR REPLACE INTO person (id, name, popularity, portrait) VALUES (?, ?, ?, ?)",
                [Int64(person.id), person.name, person.popularity, person.portrait.map(ListColumns.encode)])
        case .movie(let movie): try write(movie, to: db)
        case .credits(let credits):
            try db.run(
                "INSERT OR REPLACE INTO credits (movie, cast_list, crew_list) VALUES (?, ?, ?)",
                [Int64(credits.movie), ListColumns.encode(credits.cast), ListColumns.encode(credits.crew)])
        case .chartDay(let day):
            try db.run(
                "INSERT OR REPLACE INTO chart_day (chart, date, entries) VALUES (?, ?, ?)",
                [day.chart, day.step.description, ListColumns.encode(day.entries)])
        case .shownDay(let chart, let step):
            try db.run(
                "INSERT OR REPLACE INTO chart_shown (chart, date) VALUES (?, ?)", [chart, step.description])
        case .choice(let pool, let movie):
            try db.run("DELETE FROM pool_item WHERE pool = ?", [pool])
            try db.run("INSERT OR REPLACE INTO pool_choice (pool, movie) VALUES (?, ?)", [pool, Int64(movie)])
        case .chosenItem(let pool, let item):
            try db.run("DELETE FROM pool_choice WHERE pool = ?", [pool])
            try db.run("INSERT OR REPLACE INTO pool_item (pool, item) VALUES (?, ?)", [pool, item])
        case .shelf(let shelf):
            try db.run(
                "INSERT OR REPLACE INTO shelf (id, items) VALUES (?, ?)", [shelf.id, try ListColumns.json(shelf.items)])
        case .page(let page):
            try db.run(
                "INSERT OR REPLACE INTO page (id, sections) VALUES (?, ?)",
                [page.id, try ListColumns.json(page.sections)])
        case .programme(let text):
            try db.run("INSERT OR REPLACE INTO programme (id, text) VALUES (1, ?)", [text])
        case nil: try remove(name, from: db)
        }
    }

    private static func write(_ movie: Movie, to db: Database) throws {
        try db.run(
            """
            INSERT OR REPLACE INTO movie (\(movieColumns))
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                Int64(movie.id), movie.title, movie.originalTitle, movie.originalLanguage,
                movie.titles.map(ListColumns.encode), movie.releaseDate?.description, movie.runtime,
                movie.genres.map(ListColumns.encode), movie.countries.map(ListColumns.encode), movie.popularity,
                movie.revenue.map(Int64.init), movie.voteAverage, movie.voteCount, movie.tagline, movie.overview,
                movie.certifications.map(ListColumns.encode), movie.poster.map(ListColumns.encode),
                movie.backdrop.map(ListColumns.encode),
            ])
        try TitleIndex.put(movie, id: movie.id, in: db)
    }

    /// Only movies can be removed; the rest is replaced.
    private static func remove(_ name: RecordName, from db: Database) throws {
        guard case .movie(let id) = name else {
            throw StoreError(.invalid, "only movies can be removed, not \(name)")
        }
        try db.run("DELETE FROM movie WHERE id = ?", [Int64(id)])
        try TitleIndex.put(nil, id: id, in: db)
    }

    // MARK: Rows, with the columns in the order of the queries above

    private static func genre(_ row: Row) throws -> CatalogueRecord {
        .genre(Genre(id: try row.unsigned(0), names: try ListColumns.names(try row.decode(String.self, atIndex: 1))))
    }

    private static func person(_ row: Row) throws -> CatalogueRecord {
        var person = Person(id: try row.unsigned(0), name: try row.decode(String.self, atIndex: 1))
        person.popularity = try row.decode(Double?.self, atIndex: 2)
        person.portrait = try row.decode(String?.self, atIndex: 3).map(ListColumns.image)
        return .person(person)
    }

    static func movie(_ row: Row) throws -> CatalogueRecord {
        func text(_ index: Int) throws -> String? { try row.decode(String?.self, atIndex: index) }
        var movie = Movie(id: try row.unsigned(0), title: try row.decode(String.self, atIndex: 1))
        movie.originalTitle = try text(2)
        movie.originalLanguage = try text(3)
        movie.titles = try text(4).map(ListColumns.names)
        movie.releaseDate = try text(5).map(date)
        movie.runtime = try row.optionalUnsigned(6)
        movie.genres = try text(7).map(ListColumns.numbers)
        movie.countries = try text(8).map(ListColumns.texts)
        movie.popularity = try row.decode(Double?.self, atIndex: 9)
        movie.revenue = try row.optionalUnsigned(10)
        movie.voteAverage = try row.decode(Double?.self, atIndex: 11)
        movie.voteCount = try row.optionalUnsigned(12)
        movie.tagline = try text(13)
        movie.overview = try text(14)
        movie.certifications = try text(15).map(ListColumns.names)
        movie.poster = try text(16).map(ListColumns.image)
        movie.backdrop = try text(17).map(ListColumns.image)
        return .movie(movie)
    }

    private static func credits(_ row: Row) throws -> CatalogueRecord {
        .credits(
            Credits(
                movie: try row.unsigned(0), cast: try ListColumns.cast(try row.decode(String.self, atIndex: 1)),
                crew: try ListColumns.crew(try row.decode(String.self, atIndex: 2))))
    }

    private static func chartDay(_ row: Row) throws -> CatalogueRecord {
        let step = try step(try row.decode(String.self, atIndex: 1))
        return .chartDay(
            ChartDay(
                chart: try row.decode(String.self, atIndex: 0), date: step.date, time: step.time,
                entries: try ListColumns.entries(try row.decode(String.self, atIndex: 2))))
    }

    private static func shownDay(_ row: Row) throws -> CatalogueRecord {
        .shownDay(
            chart: try row.decode(String.self, atIndex: 0), step: try step(try row.decode(String.self, atIndex: 1)))
    }

    private static func shelf(_ row: Row) throws -> CatalogueRecord {
        .shelf(
            Shelf(
                id: try row.decode(String.self, atIndex: 0),
                items: try ListColumns.values(try row.decode(String.self, atIndex: 1))))
    }

    private static func page(_ row: Row) throws -> CatalogueRecord {
        .page(
            Page(
                id: try row.decode(String.self, atIndex: 0),
                sections: try ListColumns.values(try row.decode(String.self, atIndex: 1))))
    }

    private static func choice(_ row: Row) throws -> CatalogueRecord {
        let pool = try row.decode(String.self, atIndex: 0)
        if let item = try row.decode(String?.self, atIndex: 2) { return .chosenItem(pool: pool, item: item) }
        return .choice(pool: pool, movie: try row.unsigned(1))
    }

    private static func programme(_ row: Row) throws -> CatalogueRecord {
        .programme(try row.decode(String.self, atIndex: 0))
    }

    private static func step(_ text: String) throws -> ChartStep {
        guard let step = ChartStep(text) else { throw TextRows.Malformed() }
        return step
    }

    private static func date(_ text: String) throws -> CalendarDate {
        guard let date = CalendarDate(text) else { throw TextRows.Malformed() }
        return date
    }
}

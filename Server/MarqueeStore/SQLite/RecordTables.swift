import Foundation
import GRDB
import MarqueeCatalogue
import MarqueeModel
import MarqueeTypes

/// Converts between the catalogue's records and the rows of its tables.
enum RecordTables {
    /// Reads the record under a name, or `nil`.
    static func read(_ name: RecordName, from db: Database) throws -> CatalogueRecord? {
        switch name {
        case .genre(let id): try StoreTables.genre.row([Int64(id)], in: db).map(genre)
        case .person(let id): try StoreTables.person.row([Int64(id)], in: db).map(person)
        case .movie(let id): try StoreTables.movie.row([Int64(id)], in: db).map(movie)
        case .credits(let id): try StoreTables.credits.row([Int64(id)], in: db).map(credits)
        case .chartDay(let chart, let step):
            try StoreTables.chartDay.row([chart, step.description], in: db).map(chartDay)
        case .shownDay(let chart): try StoreTables.chartShown.row([chart], in: db).map(shownDay)
        case .choice(let pool): try StoreTables.poolChoice.row([pool], in: db).map(choice)
        case .shelf(let id): try shelf(id, from: db)
        case .shelfItem(let shelf, let item):
            try StoreTables.shelfItem.row([shelf, item], in: db).map { .shelfItem(shelf: shelf, try shelfItem($0)) }
        case .page(let id): try StoreTables.page.row([id], in: db).map(page)
        case .programme: try StoreTables.programme.row([1], in: db).map(programme)
        case .types: try StoreTables.types.row([1], in: db).map(types)
        case .typed(let id): try StoreTables.record.row([id.type, id.id], in: db).map(typed)
        case .list(let name): try ListTables.list(name, from: db).map { .list($0) }
        case .listEntry(let list, let key): try ListTables.entry(key, of: list, from: db).map { .listEntry(list, $0) }
        case .shownEdition(let list): try StoreTables.listShown.row([list], in: db).map(ListTables.shown)
        }
    }

    /// Hands out every record: those that others refer to come first; within a kind, by name.
    /// - Throws: `StoreDamage` at the end of a table whose rows are not the ones written.
    static func readAll(from db: Database, _ receive: (CatalogueRecord) throws -> Void) throws {
        func all(_ table: SummedTable, order: String, _ record: (Row) throws -> CatalogueRecord) throws {
            try table.allRows(order: order, in: db) { try receive(try record($0)) }
        }
        try all(StoreTables.types, order: "id", types)
        try all(StoreTables.record, order: "type, id", typed)
        try ListTables.readAll(from: db, receive)
        try all(StoreTables.genre, order: "id", genre)
        try all(StoreTables.person, order: "id", person)
        try all(StoreTables.movie, order: "id", movie)
        try all(StoreTables.credits, order: "movie", credits)
        try all(StoreTables.chartDay, order: "chart, date", chartDay)
        try all(StoreTables.chartShown, order: "chart", shownDay)
        try all(StoreTables.poolChoice, order: "pool", choice)
        var items: [String: [ShelfItem]] = [:]
        try StoreTables.shelfItem.allRows(order: "shelf, place", in: db) { row in
            items[try row.decode(String.self, atIndex: 0), default: []].append(try shelfItem(row))
        }
        try all(StoreTables.shelf, order: "id") { row in
            let id = try row.decode(String.self, atIndex: 0)
            return .shelf(Shelf(id: id, items: items[id] ?? []))
        }
        try all(StoreTables.page, order: "id", page)
        try all(StoreTables.programme, order: "id", programme)
    }

    /// Hands out the records of a type by id.
    static func readAll(
        ofType alias: String, from db: Database, _ receive: (RecordID, [UInt8]) throws -> Void
    ) throws {
        try StoreTables.record.rows("WHERE type = ? ORDER BY id", [alias], in: db) { row in
            if case .typed(let id, let bytes) = try typed(row) { try receive(id, bytes) }
        }
    }

    /// The types in force; `nil` where there are none, or none that can be read.
    static func typesInForce(from db: Database, _ library: TypeLibrary) throws -> TypeSet? {
        guard case .types(let document)? = try read(.types, from: db) else { return nil }
        return try? library.types(of: document)
    }

    /// Stores a record under its name; `nil` removes it.
    static func write(_ record: CatalogueRecord?, under name: RecordName, to db: Database) throws {
        switch record {
        case .genre(let genre):
            try StoreTables.genre.put([Int64(genre.id)], [ListColumns.encode(genre.names)], in: db)
        case .person(let person):
            try StoreTables.person.put(
                [Int64(person.id)], [person.name, person.popularity, person.portrait.map(ListColumns.encode)], in: db)
        case .movie(let movie): try write(movie, to: db)
        case .credits(let credits):
            try StoreTables.credits.put(
                [Int64(credits.movie)], [ListColumns.encode(credits.cast), ListColumns.encode(credits.crew)], in: db)
        case .chartDay(let day):
            try StoreTables.chartDay.put([day.chart, day.step.description], [ListColumns.encode(day.entries)], in: db)
        case .shownDay(let chart, let step): try StoreTables.chartShown.put([chart], [step.description], in: db)
        case .choice(let pool, let movie): try StoreTables.poolChoice.put([pool], [Int64(movie), nil, nil], in: db)
        case .chosenItem(let pool, let item): try StoreTables.poolChoice.put([pool], [nil, item, nil], in: db)
        case .chosenRecord(let pool, let record):
            try StoreTables.poolChoice.put([pool], [nil, nil, record.subject.name], in: db)
        case .shelf(let shelf): try write(shelf, to: db)
        case .shelfItem(let shelf, let item):
            let place = try StoreTables.shelfItem.row([shelf, item.id], in: db)?.decode(Int.self, atIndex: 2)
            try write(item, of: shelf, at: place ?? 0, to: db)
        case .page(let page): try StoreTables.page.put([page.id], [try ListColumns.json(page.sections)], in: db)
        case .programme(let text): try StoreTables.programme.put([1], [text], in: db)
        case .types(let types):
            try StoreTables.types.put([1], [types.declarations, types.descriptors.bytes.blob], in: db)
        case .typed(let id, let bytes): try StoreTables.record.put([id.type, id.id], [bytes.blob], in: db)
        case .list(let list): try ListTables.write(list, to: db)
        case .listEntry(let list, let entry): try ListTables.apply(EntryEdit(list, putting: entry), to: db)
        case .shownEdition(let list, let edition): try StoreTables.listShown.put([list], [edition], in: db)
        case nil: try remove(name, from: db)
        }
    }

    private static func write(_ movie: Movie, to db: Database) throws {
        try StoreTables.movie.put(
            [Int64(movie.id)],
            [
                movie.title, movie.originalTitle, movie.originalLanguage, movie.titles.map(ListColumns.encode),
                movie.releaseDate?.description, movie.runtime, movie.genres.map(ListColumns.encode),
                movie.countries.map(ListColumns.encode), movie.popularity, movie.revenue.map(Int64.init),
                movie.voteAverage, movie.voteCount, movie.tagline, movie.overview,
                movie.certifications.map(ListColumns.encode), movie.poster.map(ListColumns.encode),
                movie.backdrop.map(ListColumns.encode),
            ], in: db)
    }

    private static func write(_ shelf: Shelf, to db: Database) throws {
        try StoreTables.shelf.put([shelf.id], in: db)
        try StoreTables.shelfItem.removeAll(where: "shelf = ?", [shelf.id], in: db)
        for (place, item) in shelf.items.enumerated() { try write(item, of: shelf.id, at: place, to: db) }
    }

    private static func write(_ item: ShelfItem, of shelf: String, at place: Int, to db: Database) throws {
        try StoreTables.shelfItem.put([shelf, item.id], [place, try ListColumns.json(item)], in: db)
    }

    private static func remove(_ name: RecordName, from db: Database) throws {
        switch name {
        case .genre(let id): try StoreTables.genre.remove([Int64(id)], in: db)
        case .person(let id): try StoreTables.person.remove([Int64(id)], in: db)
        case .movie(let id): try StoreTables.movie.remove([Int64(id)], in: db)
        case .credits(let id): try StoreTables.credits.remove([Int64(id)], in: db)
        case .chartDay(let chart, let step): try StoreTables.chartDay.remove([chart, step.description], in: db)
        case .shownDay(let chart): try StoreTables.chartShown.remove([chart], in: db)
        case .choice(let pool): try StoreTables.poolChoice.remove([pool], in: db)
        case .shelf(let id):
            try StoreTables.shelf.remove([id], in: db)
            try StoreTables.shelfItem.removeAll(where: "shelf = ?", [id], in: db)
        case .shelfItem(let shelf, let item): try StoreTables.shelfItem.remove([shelf, item], in: db)
        case .page(let id): try StoreTables.page.remove([id], in: db)
        case .programme: try StoreTables.programme.remove([1], in: db)
        case .types: try StoreTables.types.remove([1], in: db)
        case .typed(let id): try StoreTables.record.remove([id.type, id.id], in: db)
        case .list(let name): try ListTables.remove(name, from: db)
        case .listEntry(let list, let key): try ListTables.apply(EntryEdit(list, removing: key), to: db)
        case .shownEdition(let list): try StoreTables.listShown.remove([list], in: db)
        }
    }

    /// A shelf with its items.
    private static func shelf(_ id: String, from db: Database) throws -> CatalogueRecord? {
        guard try StoreTables.shelf.row([id], in: db) != nil else { return nil }
        var items: [ShelfItem] = []
        try StoreTables.shelfItem.rows("WHERE shelf = ? ORDER BY place", [id], in: db) {
            items.append(try shelfItem($0))
        }
        return .shelf(Shelf(id: id, items: items))
    }

    // MARK: - Rows, with the columns in the order of `StoreTables`

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

    private static func shelfItem(_ row: Row) throws -> ShelfItem {
        try ListColumns.value(try row.decode(String.self, atIndex: 3))
    }

    private static func page(_ row: Row) throws -> CatalogueRecord {
        .page(
            Page(
                id: try row.decode(String.self, atIndex: 0),
                sections: try ListColumns.value(try row.decode(String.self, atIndex: 1))))
    }

    private static func choice(_ row: Row) throws -> CatalogueRecord {
        let pool = try row.decode(String.self, atIndex: 0)
        if let item = try row.decode(String?.self, atIndex: 2) { return .chosenItem(pool: pool, item: item) }
        if let subject = try row.decode(String?.self, atIndex: 3) {
            guard let record = Subject(subject).record else { throw TextRows.Malformed() }
            return .chosenRecord(pool: pool, record: record)
        }
        return .choice(pool: pool, movie: try row.unsigned(1))
    }

    private static func programme(_ row: Row) throws -> CatalogueRecord {
        .programme(try row.decode(String.self, atIndex: 1))
    }

    private static func types(_ row: Row) throws -> CatalogueRecord {
        .types(
            TypesDocument(
                declarations: try row.decode(String.self, atIndex: 1),
                descriptors: [UInt8](try row.decode(Data.self, atIndex: 2))))
    }

    private static func typed(_ row: Row) throws -> CatalogueRecord {
        .typed(
            RecordID(type: try row.decode(String.self, atIndex: 0), id: try row.decode(String.self, atIndex: 1)),
            [UInt8](try row.decode(Data.self, atIndex: 2)))
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

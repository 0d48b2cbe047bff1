import Foundation
package import MarqueeCatalogue
import MarqueeModel

/// What a catalogue accepts. Text is measured in bytes of UTF-8.
package enum CatalogueBounds {
    package static let title = 4_096
    package static let overview = 65_536
    /// Names of people, characters, jobs, departments, distributors, genres and images.
    package static let name = 4_096
    /// Languages, countries, locales, certificates and colours.
    package static let code = 64
    /// Names of charts and pools, keys of chart entries.
    package static let identifier = 256
    /// The key of a commit.
    package static let commitKey = 1_024
    package static let programme = 1 << 20
    /// The type declarations, and the descriptor set they refer to.
    package static let declarations = 1 << 20
    package static let descriptors = 1 << 20
    /// Genres, countries, certificates or localized names of one record.
    package static let listEntries = 256
    /// Cast or crew of one movie.
    package static let creditEntries = 65_536
    package static let chartEntries = 65_536
    /// The id of a shelf or a page. Together with an item's id it has to fit into a subject and a screen's name.
    package static let shelfID = 80
    /// The id of a shelf's item.
    package static let shelfItemID = 110
    package static let shelfItems = 1_000
    package static let pageSections = 64
    /// Entries of a list, or of one of its editions.
    package static let listPlaces = 10_000
    package static let listEditions = 1_000
    /// The name of an edition.
    package static let edition = 64
    /// The key of a list's entry.
    package static let listKey = Subject.maximumLength
    // What adds up in an item is small, as it has to fit into one part of data.
    /// Categories of one item.
    package static let shelfCategories = 64
    /// Actions of one item.
    package static let shelfActions = 8
    /// A category, or a text of an action.
    package static let shelfText = 512
    /// Running text of a shelf's item, or the kept bytes of an item of an unknown kind.
    package static let shelfProse = 16_384
    package static let changesPerCommit = 100_000
    package static let userName = 128
    /// SQLite's integers are signed, so the upper half of `UInt64` is out.
    package static let largestNumber = UInt64(Int64.max)

    /// Whether `name` identifies something: 1 to `limit` bytes, no control characters, in Unicode's composed form
    /// (NFC).
    ///
    /// Swift compares strings by canonical equivalence and SQLite by bytes; for composed text both are the same.
    package static func isIdentifier(_ name: String, limit: Int) -> Bool {
        guard (1...limit).contains(name.utf8.count) else { return false }
        if name.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return true }
        guard name.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else { return false }
        return name.precomposedStringWithCanonicalMapping.utf8.elementsEqual(name.utf8)
    }

    /// - Returns: why the change can't be part of any catalogue, or `nil`. Looks at the change alone.
    package static func refusal(of change: Change) -> String? {
        var check = BoundsCheck()
        switch change {
        case .movie(let movie): check.movie(movie)
        case .removeMovie(let id): check.id(id, "movie")
        case .movieUpdate(let update): check.update(update)
        case .person(let person): check.person(person)
        case .removePerson(let id): check.id(id, "person")
        case .credits(let credits): check.credits(credits)
        case .removeCredits(let movie): check.id(movie, "movie")
        case .genre(let genre): check.genre(genre)
        case .removeGenre(let id): check.id(id, "genre")
        case .chartDay(let day): check.chartDay(day)
        case .removeChartDay(let chart, _, _), .showChart(let chart, _, _): check.identifier(chart, "chart")
        case .choose(let pool, let movie):
            check.identifier(pool, "pool")
            check.id(movie, "movie")
        case .chooseItem(let pool, let item):
            check.identifier(pool, "pool")
            check.chosen(item)
        case .chooseRecord(let pool, let record):
            check.identifier(pool, "pool")
            check.record(record)
        case .removeChoice(let pool): check.identifier(pool, "pool")
        case .shelf(let shelf): check.shelf(shelf)
        case .removeShelf(let id): check.shelfID(id, "shelf")
        case .shelfItem(let shelf, let item):
            check.shelfID(shelf, "shelf")
            check.shelfItem(item)
        case .page(let page): check.page(page)
        case .removePage(let id): check.shelfID(id, "page")
        case .programme(let text): check.text(text, "the programme", CatalogueBounds.programme, required: true)
        case .types(let types): check.types(types)
        case .put(let id, _), .remove(let id): check.record(id)
        case .merge(let id, _, let clear):
            check.record(id)
            check.count(clear.count, "clear", CatalogueBounds.listEntries)
        case .list(let list): check.list(list)
        case .listItem(let edit): check.edit(edit)
        case .show(let list, let edition): check.list(ListName(list, edition: edition))
        case .removeList(let name): check.list(name)
        }
        return check.reason
    }
}

/// Walks over one change and keeps the first thing that is wrong.
struct BoundsCheck {
    var reason: String?

    mutating func fail(_ text: @autoclosure () -> String) {
        if reason == nil { reason = text() }
    }

    mutating func id(_ id: UInt64, _ what: String) {
        if id == 0 || id > CatalogueBounds.largestNumber {
            fail("the id of a \(what) is between 1 and \(CatalogueBounds.largestNumber), not \(id)")
        }
    }

    /// - Parameter field: its path in the change's document, such as `movie.revenue`.
    mutating func number(_ value: UInt64?, _ field: String) {
        if let value, value > CatalogueBounds.largestNumber {
            fail("\(field) is above \(CatalogueBounds.largestNumber)")
        }
    }

    /// A number that is finite and not negative.
    /// - Parameters:
    ///   - field: its path in the change's document, such as `movie.popularity`.
    ///   - highest: the highest value allowed, if there is one.
    mutating func number(_ value: Double?, _ field: String, atMost highest: Double? = nil) {
        guard let value else { return }
        if !value.isFinite { return fail("\(field) is not a finite number") }
        if let highest, !(0...highest).contains(value) {
            return fail("\(field) is a number from 0 to \(Int(highest)), not \(value)")
        }
        if value < 0 { fail("\(field) is a number of 0 or more, not \(value)") }
    }

    mutating func text(_ text: String?, _ what: String, _ limit: Int, required: Bool = false) {
        guard let text else { return }
        let count = text.utf8.count
        if required, count == 0 { fail("\(what) is empty") }
        if count > limit { fail("\(what) has \(count) bytes; \(limit) are allowed") }
        // The wire forbids it, and the C code below would end the text there.
        if text.utf8.contains(0) { fail("\(what) contains a NUL character") }
    }

    mutating func identifier(_ text: String, _ what: String) {
        guard !CatalogueBounds.isIdentifier(text, limit: CatalogueBounds.identifier) else { return }
        fail(
            "the name of a \(what) has 1 to \(CatalogueBounds.identifier) bytes, no control characters, "
                + "and is in Unicode's composed form (NFC)")
    }

    mutating func count(_ count: Int, _ what: String, _ limit: Int) {
        if count > limit { fail("\(what) has \(count) entries; \(limit) are allowed") }
    }

    mutating func names(_ names: [String: String]?, _ what: String) {
        guard let names else { return }
        count(names.count, what, CatalogueBounds.listEntries)
        for (code, name) in names {
            text(code, "a key of \(what)", CatalogueBounds.code, required: true)
            text(name, "a text of \(what)", CatalogueBounds.title)
        }
    }

    mutating func image(_ image: ImageReference?, _ what: String) {
        guard let image else { return }
        text(image.name, "the name of the \(what)", CatalogueBounds.name, required: true)
        text(image.color, "the colour of the \(what)", CatalogueBounds.code)
        number(image.aspect, "\(what).aspect")
        if image.aspect == 0 { fail("\(what).aspect is a number above 0, not 0") }
    }

    mutating func movie(_ movie: Movie) {
        id(movie.id, "movie")
        text(movie.title, "the title", CatalogueBounds.title, required: true)
        text(movie.originalTitle, "the original title", CatalogueBounds.title)
        text(movie.originalLanguage, "the original language", CatalogueBounds.code)
        names(movie.titles, "titles")
        count(movie.genres?.count ?? 0, "genres", CatalogueBounds.listEntries)
        for genre in movie.genres ?? [] { id(genre, "genre") }
        count(movie.countries?.count ?? 0, "countries", CatalogueBounds.listEntries)
        for country in movie.countries ?? [] { text(country, "a country", CatalogueBounds.code, required: true) }
        number(movie.popularity, "movie.popularity")
        number(movie.revenue, "movie.revenue")
        number(movie.voteAverage, "movie.voteAverage", atMost: 10)
        text(movie.tagline, "the tagline", CatalogueBounds.overview)
        text(movie.overview, "the overview", CatalogueBounds.overview)
        names(movie.certifications, "certifications")
        image(movie.poster, "poster")
        image(movie.backdrop, "backdrop")
    }

    mutating func update(_ update: MovieUpdate) {
        id(update.id, "movie")
        number(update.popularity, "movieUpdate.popularity")
        number(update.revenue, "movieUpdate.revenue")
        number(update.voteAverage, "movieUpdate.voteAverage", atMost: 10)
    }

    mutating func person(_ person: Person) {
        id(person.id, "person")
        text(person.name, "the name", CatalogueBounds.name, required: true)
        number(person.popularity, "person.popularity")
        image(person.portrait, "portrait")
    }

    mutating func credits(_ credits: Credits) {
        id(credits.movie, "movie")
        count(credits.cast.count, "the cast", CatalogueBounds.creditEntries)
        count(credits.crew.count, "the crew", CatalogueBounds.creditEntries)
        for entry in credits.cast {
            id(entry.person, "person")
            text(entry.name, "a name in the cast", CatalogueBounds.name, required: true)
            text(entry.character, "a character", CatalogueBounds.name)
        }
        for entry in credits.crew {
            id(entry.person, "person")
            text(entry.name, "a name in the crew", CatalogueBounds.name, required: true)
            text(entry.job, "a job", CatalogueBounds.name)
            text(entry.department, "a department", CatalogueBounds.name)
        }
    }

    mutating func genre(_ genre: Genre) {
        id(genre.id, "genre")
        names(genre.names, "names")
    }

    mutating func chartDay(_ day: ChartDay) {
        identifier(day.chart, "chart")
        count(day.entries.count, "the chart", CatalogueBounds.chartEntries)
        var keys = Set<String>()
        for entry in day.entries {
            identifier(entry.key, "chart entry")
            if !keys.insert(entry.key).inserted { fail("the chart has the key '\(entry.key)' twice") }
            text(entry.title, "the title of '\(entry.key)'", CatalogueBounds.title, required: true)
            if entry.rank == 0 { fail("the rank of '\(entry.key)' is a number from 1 on, not 0") }
            if entry.previousRank == 0 { fail("the previousRank of '\(entry.key)' is a number from 1 on, not 0") }
            if let movie = entry.movie { id(movie, "movie") }
            number(entry.gross, "gross of \'\(entry.key)\'")
            number(entry.grossToDate, "grossToDate of \'\(entry.key)\'")
            text(entry.distributor, "the distributor", CatalogueBounds.name)
            text(entry.currency, "the currency", CatalogueBounds.code)
            number(entry.audience, "audience of \'\(entry.key)\'")
            number(entry.audienceToDate, "audienceToDate of \'\(entry.key)\'")
            number(entry.share, "share of \'\(entry.key)\'")
            number(entry.hours, "hours of \'\(entry.key)\'")
            number(entry.views, "views of \'\(entry.key)\'")
        }
    }
}

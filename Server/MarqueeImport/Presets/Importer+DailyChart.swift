import MarqueeCatalogue
import MarqueeModel
import MarqueePresetRecords

extension Importer {
    /// Reads KOBIS's daily top ten: `{date: "20260119", movies: [{rank, movieCd, movieNm, openDt, salesAmt, …}]}`.
    /// All values are strings.
    func readDaily(
        _ source: ImportSource, _ titles: ChartTitles, into days: inout ChartDays
    ) throws(ImportError) {
        let root = try JSONValue.document(source)
        let date: CalendarDate
        let movies: [JSONValue]
        do throws(BadRow) {
            let text = try root.requiredText("date")
            guard let day = KOBISDay.date(text) else { throw BadRow("'date' is not a date but '\(Field.shown(text))'") }
            guard let list = try root.list("movies") else { throw BadRow("'movies' is missing") }
            (date, movies) = (day, list)
        } catch {
            throw ImportError(.malformed, "\(source.name): \(error.reason)")
        }
        for (index, movie) in movies.enumerated() {
            do throws(BadRow) {
                try days.add(try KOBISDay.row(movie, date, titles), line: nil)
            } catch {
                days.batch.addBad(BadRow("movie \(index + 1): \(error.reason)"), line: nil)
            }
        }
    }
}

/// The rows of one of KOBIS's daily top tens.
private enum KOBISDay {
    static func row(_ movie: JSONValue, _ date: CalendarDate, _ titles: ChartTitles) throws(BadRow) -> ChartRow {
        guard let rank: UInt32 = try movie.whole("rank"), rank > 0 else { throw BadRow("'rank' is missing") }
        let title = Field.trimmed(try movie.requiredText("movieNm"))
        var entry = ChartDay.Entry(key: try movie.requiredText("movieCd"), title: title)
        // The change since the day before: 2 for a movie that rose by two ranks.
        let rise: Int64? = try movie.whole("rankInten")
        switch try movie.text("rankOldAndNew") {
        case "NEW": entry.isNew = true
        case "OLD":
            entry.isNew = false
            entry.previousRank = rise.flatMap { UInt32(exactly: Int64(rank) + $0) }.flatMap { $0 > 0 ? $0 : nil }
        case nil: break
        case let other?: throw BadRow("'rankOldAndNew' is neither OLD nor NEW but '\(Field.shown(other))'")
        }
        entry.gross = try movie.whole("salesAmt")
        entry.grossToDate = try movie.whole("salesAcc")
        entry.currency = "KRW"
        entry.share = try movie.real("salesShare")
        entry.audience = try movie.whole("audiCnt")
        entry.audienceToDate = try movie.whole("audiAcc")
        entry.theaters = try movie.whole("scrnCnt")
        let opened = try movie.text("openDt").flatMap { self.date($0) }
        if let opened, opened <= date {
            entry.daysInRelease = UInt32(clamping: date.dayNumber - opened.dayNumber + 1)
        }
        entry.movie = titles.movie(titled: title, releasedAround: (opened ?? date).dayNumber)
        return ChartRow(step: ChartStep(date: date), rank: rank, entry: entry)
    }

    /// Accepts `20260119` and `2026-01-19`.
    static func date(_ text: String) -> CalendarDate? {
        let digits = text.filter { $0 != "-" }
        guard digits.count == 8, let number = Int(digits) else { return nil }
        return CalendarDate(year: number / 10_000, month: number / 100 % 100, day: number % 100)
    }
}

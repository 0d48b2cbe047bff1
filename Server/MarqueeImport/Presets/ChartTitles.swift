import MarqueeCatalogue
import MarqueeModel
import MarqueePresetRecords
import MarqueeStore
import MarqueeTypes

/// Finds the movie that a chart's title refers to. Titles are compared as the search compares them.
///
/// A title alone doesn't identify a movie, so the year of the release in the chart has to match the movie's own, give
/// or take one: some movies open earlier at festivals or in other countries.
struct ChartTitles {
    private static let yearsApart = 1

    private struct Candidate {
        var movie: UInt64
        var released: CalendarDate
    }

    private var candidates: [String: [Candidate]] = [:]
    private let type: TypeDeclaration?
    private let released: FieldPath?

    /// - Parameter types: the types of the records to add.
    init(_ types: TypeSet) {
        type = types.type(PresetCatalogue.movie)
        released = type?.sorts.first { $0.path.text == "release_date" }?.path
    }

    /// Leaves out other records, and movies without a release date: their title alone doesn't identify them.
    mutating func add(_ id: RecordID, _ bytes: [UInt8]) {
        guard let type, id.type == type.alias, let movie = UInt64(id.id),
            let released = released?.text(in: bytes).flatMap({ CalendarDate($0) })
        else { return }
        let titles = Set(type.searchTexts(of: bytes).flatMap { SearchText.spellings(of: $0) })
        for title in titles {
            candidates[title, default: []].append(Candidate(movie: movie, released: released))
        }
    }

    /// The movie with this title released nearest to a day, if near enough; of two equally near ones, the one with the
    /// lower id.
    func movie(titled title: String, releasedAround day: Int) -> UInt64? {
        guard let year = CalendarDate.year(ofDay: day) else { return nil }
        return candidates[SearchText.fold(title)]?
            .filter { abs(Int($0.released.year) - year) <= ChartTitles.yearsApart }
            .min { (abs($0.released.dayNumber - day), $0.movie) < (abs($1.released.dayNumber - day), $1.movie) }?
            .movie
    }
}

extension CalendarDate {
    /// Days since 1970-01-01.
    var dayNumber: Int { Int(daysSince1970) }

    /// The year of a day number, or `nil` outside the years 1 to 9999.
    static func year(ofDay number: Int) -> Int? {
        // This guess is off by one at most.
        let guess = 1970 + Int((Double(number) / 365.2425).rounded(.down))
        for year in (guess - 1)...(guess + 1) {
            guard let first = CalendarDate(year: year, month: 1, day: 1),
                let last = CalendarDate(year: year, month: 12, day: 31)
            else { continue }
            if (first.dayNumber...last.dayNumber).contains(number) { return year }
        }
        return nil
    }
}

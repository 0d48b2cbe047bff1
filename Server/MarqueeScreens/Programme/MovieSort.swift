package import MarqueeModel

/// An order of movies. The raw value is its name in programmes and parameters.
///
/// A movie that lacks the value stands last; movies that agree stand by ascending id.
package enum MovieSort: String, Hashable, Sendable, CaseIterable {
    /// Highest first.
    case popularity
    /// Highest first; a revenue of 0 counts as missing.
    case revenue
    /// Newest first.
    case releaseDate = "release-date"
    /// Highest vote average first.
    case rating
    /// By the English title, without regard to case.
    case title

    /// Names of the orders where a programme gives none.
    package var title: LocalizedText {
        let (english, korean) =
            switch self {
            case .popularity: ("Popularity", "인기순")
            case .revenue: ("Revenue", "수익순")
            case .releaseDate: ("Release date", "개봉일순")
            case .rating: ("Rating", "평점순")
            case .title: ("Title", "제목순")
            }
        return LocalizedText(["en": english, "ko": korean], fallback: english)
    }

    /// Where a movie stands in this order. Keys of different movies differ.
    package func key(of movie: Movie) -> Key {
        switch self {
        case .popularity: Key(descending: movie.popularity, id: movie.id)
        case .revenue: Key(descending: movie.knownRevenue.map(Double.init), id: movie.id)
        case .releaseDate: Key(descending: movie.releaseDate.map { Double($0.number) }, id: movie.id)
        case .rating: Key(descending: movie.voteAverage, id: movie.id)
        case .title: Key(number: 0, text: movie.title.lowercased(), id: movie.id)
        }
    }

    /// A place in an order; smaller keys stand first.
    package struct Key: Comparable, Sendable {
        fileprivate var number: Double
        fileprivate var text: String
        package var id: UInt64

        fileprivate init(number: Double, text: String, id: UInt64) {
            self.number = number
            self.text = text
            self.id = id
        }

        /// Not-a-number has no place in an order, so it counts as missing.
        fileprivate init(descending value: Double?, id: UInt64) {
            let known = value.flatMap { $0.isNaN ? nil : $0 }
            self.init(number: known.map { -$0 } ?? .infinity, text: "", id: id)
        }

        package static func < (a: Key, b: Key) -> Bool {
            (a.number, a.text, a.id) < (b.number, b.text, b.id)
        }
    }
}

extension CalendarDate {
    /// Rises with the day.
    fileprivate var number: Int { (Int(year) * 100 + Int(month)) * 100 + Int(day) }
}

extension Movie {
    /// US dollars; 0 in a feed means unknown.
    package var knownRevenue: UInt64? { revenue == 0 ? nil : revenue }
}

package import MarqueeCatalogue
import MarqueeModel

/// An order of movies. The raw value is its name in programmes and parameters.
///
/// A movie without the value comes last; ties are broken by ascending id.
package enum MovieSort: String, Hashable, Sendable, CaseIterable {
    /// Highest first.
    case popularity
    /// Highest first; a revenue of 0 counts as missing.
    case revenue
    /// Newest first.
    case releaseDate = "release-date"
    /// Highest vote average first.
    case rating
    /// By the English title, ignoring case.
    case title

    /// The default name, if a programme gives none.
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

    /// A movie's position in this order.
    package func key(of movie: Movie) -> SortKey {
        switch self {
        case .popularity: SortKey(ordinal: SortKey.descending(movie.popularity), id: movie.id)
        case .revenue: SortKey(ordinal: SortKey.descending(movie.knownRevenue), id: movie.id)
        case .releaseDate: SortKey(ordinal: SortKey.descending(movie.releaseDate?.number), id: movie.id)
        case .rating: SortKey(ordinal: SortKey.descending(movie.voteAverage), id: movie.id)
        case .title: SortKey(ordinal: 0, text: movie.title.lowercased(), id: movie.id)
        }
    }

    /// Whether the order uses only a number, which is in the table's row.
    var isNumeric: Bool { self != .title }
}

extension CalendarDate {
    /// Ascends with the date.
    fileprivate var number: UInt64 { (UInt64(year) * 100 + UInt64(month)) * 100 + UInt64(day) }
}

extension Movie {
    /// US dollars; 0 in a feed means unknown.
    package var knownRevenue: UInt64? { revenue == 0 ? nil : revenue }
}

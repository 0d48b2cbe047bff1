package import MarqueeCatalogue
import MarqueeModel
package import MarqueePresets

/// Builds item contents from records, in one locale.
extension Catalogue {
    /// - Parameter prose: whether to carry the overview, which poster rows don't show.
    package func content(of movie: Movie, locale: String, prose: Bool) -> MovieContent {
        var content = MovieContent(id: movie.id, title: movie.localizedTitle(in: locale).clipped(to: TextBounds.title))
        content.originalTitle = movie.originalTitle?.clipped(to: TextBounds.title)
        content.releaseDate = movie.releaseDate
        content.runtime = movie.knownRuntime
        content.genres = genreNames(of: movie, locale: locale)
        content.voteAverage = movie.voteAverage
        content.voteCount = movie.voteCount
        content.popularity = movie.popularity
        content.poster = movie.poster?.clipped
        content.backdrop = movie.backdrop?.clipped
        content.certification = Certification.content(of: movie, locale: locale)
        content.overview = prose ? movie.overview?.clipped(to: TextBounds.prose) : nil
        content.revenue = movie.knownRevenue
        return content
    }

    package func detail(of movie: Movie, locale: String) -> DetailContent {
        var content = DetailContent(id: movie.id, title: movie.localizedTitle(in: locale).clipped(to: TextBounds.title))
        content.originalTitle = movie.originalTitle?.clipped(to: TextBounds.title)
        content.releaseDate = movie.releaseDate
        content.countries = (movie.countries ?? []).prefix(TextBounds.entries).map { $0.clipped(to: TextBounds.name) }
        content.genres = genreNames(of: movie, locale: locale)
        content.runtime = movie.knownRuntime
        content.tagline = movie.tagline?.clipped(to: TextBounds.prose)
        content.overview = movie.overview?.clipped(to: TextBounds.prose)
        content.infoLine = infoLine(of: content)
        content.certification = Certification.content(of: movie, locale: locale)
        content.directors = directors(of: movie.id).map { $0.name.clipped(to: TextBounds.name) }
        content.voteAverage = movie.voteAverage
        content.voteCount = movie.voteCount
        content.poster = movie.poster?.clipped
        content.backdrop = movie.backdrop?.clipped
        content.revenue = movie.knownRevenue
        return content
    }

    /// - Parameter movie: the entry's movie, if the catalogue has it.
    package func content(of entry: ChartDay.Entry, movie: Movie?, locale: String) -> ChartEntryContent {
        let title = movie?.localizedTitle(in: locale) ?? entry.title
        var content = ChartEntryContent(title: title.clipped(to: TextBounds.title))
        content.rank = entry.rank
        content.previousRank = entry.previousRank
        content.isNew = entry.isNew ?? false
        content.movie = entry.movie
        content.releaseDate = movie?.releaseDate
        content.gross = entry.gross
        content.grossToDate = entry.grossToDate
        content.theaters = entry.theaters
        content.daysInRelease = entry.daysInRelease
        content.distributor = entry.distributor?.clipped(to: TextBounds.name)
        content.currency = entry.currency
        content.audience = entry.audience
        content.audienceToDate = entry.audienceToDate
        content.share = entry.share
        content.hours = entry.hours
        content.views = entry.views
        content.weeks = entry.weeks
        content.poster = movie?.poster?.clipped
        content.voteAverage = movie?.voteAverage
        return content
    }

    /// The directors of a movie in the order of its crew, each person once.
    package func directors(of movie: UInt64) -> [Credits.Crew] {
        var seen: Set<UInt64> = []
        let directors = (credits(of: movie)?.crew ?? []).filter { crew in
            crew.job == Catalogue.directorJob && seen.insert(crew.person).inserted
        }
        return Array(directors.prefix(TextBounds.entries))
    }

    package static let directorJob = "Director"

    /// A genre without a name yet is left out.
    private func genreNames(of movie: Movie, locale: String) -> [String] {
        (movie.genres ?? []).prefix(TextBounds.entries).compactMap {
            genres[$0]?.localizedName(in: locale)?.clipped(to: TextBounds.name)
        }
    }

    /// `YYYY.MM.DD │ country │ genre │ N min`; missing parts are left out.
    private func infoLine(of detail: DetailContent) -> String {
        let date = detail.releaseDate?.description.replacing("-", with: ".")
        let runtime = detail.runtime.map { "\($0) min" }
        return [date, detail.countries.first, detail.genres.first, runtime].compactMap { $0 }.joined(separator: " │ ")
    }
}

extension Movie {
    /// Minutes; 0 in a feed means unknown.
    fileprivate var knownRuntime: UInt32? { runtime == 0 ? nil : runtime }
}

extension ImageReference {
    var clipped: ImageReference {
        ImageReference(name: name.clipped(to: TextBounds.name), aspect: aspect, color: color)
    }
}

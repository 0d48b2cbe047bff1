import MarqueeCatalogue
import MarqueeModel
import MarqueePresetRecords
import MarqueeStore

extension Importer {
    /// Imports the "TMDB 5000" data set: movies with their genres and certificates, cast and crew.
    ///
    /// - Parameters:
    ///   - movies: path of `tmdb_5000_movies.csv`, plain or .gz.
    ///   - credits: path of `tmdb_5000_credits.csv`, plain or .gz.
    ///   - certification: path of a file with the columns `movie_id` and `certification`, for the USA. Its good rows
    ///     count as part of the movies' rows; its bad rows are counted separately.
    /// - Returns: the outcome of the rows of all files.
    /// - Throws: when a file can't be read or the store can't write.
    package func tmdb5000(
        movies: String, credits: String, certification: String? = nil
    ) throws(ImportError) -> ImportReport {
        var report = ImportReport()
        try putPresetTypes()
        var certificates: [UInt64: Certificate] = [:]
        if let certification { certificates = try readCertificates(certification, &report) }
        let lines = try importMovies(movies, certificates, &report)
        if let certification {
            let unused = certificates.filter { lines[$0.key] == nil }.sorted { $0.value.line < $1.value.line }
            for (id, certificate) in unused {
                let reason = "\(movies) has no usable movie \(id)"
                report.add(ImportReport.Problem(file: certification, line: certificate.line, reason: reason))
            }
        }
        try importCredits(credits, of: lines, in: movies, &report)
        return report
    }

    private struct Certificate {
        var code: String
        var line: Int
    }

    private func readCertificates(
        _ file: String, _ report: inout ImportReport
    ) throws(ImportError) -> [UInt64: Certificate] {
        var certificates: [UInt64: Certificate] = [:]
        let source = try self.source(file)
        try CSVTable(source: source, columns: TMDB5000Rows.certificationColumns).read(self) { row in
            do throws(BadRow) {
                let values = try row.values()
                let id = try Field.id(values[0], "movie_id")
                if let earlier = certificates[id] {
                    throw BadRow("line \(earlier.line) already has the certificate of movie \(id)")
                }
                let code = Field.trimmed(values[1])
                if !code.isEmpty { certificates[id] = Certificate(code: code, line: row.line) }
            } catch {
                report.add(
                    ImportReport.Problem(file: source.name, line: row.line, reason: error.reason), rows: row.rows,
                    cause: error.cause)
            }
        }
        return certificates
    }

    /// - Returns: the lines of the usable movies.
    private func importMovies(
        _ file: String, _ certificates: [UInt64: Certificate], _ report: inout ImportReport
    ) throws(ImportError) -> [UInt64: Int] {
        var lines: [UInt64: Int] = [:]
        var genresMet = Set<UInt64>()
        let table = CSVTable(source: try source(file), columns: TMDB5000Rows.movieColumns)
        try importRows(of: table, into: &report) { (values, line) throws(BadRow) in
            var (movie, genres) = try TMDB5000Rows.movie(values)
            if let earlier = lines[movie.id] { throw BadRow("line \(earlier) already has movie \(movie.id)") }
            if let certificate = certificates[movie.id] { movie.certifications = ["US": certificate.code] }
            if let reason = movie.fault { throw BadRow(reason) }
            lines[movie.id] = line
            let newGenres = genres.filter { genresMet.insert($0.id).inserted }.map { genre in
                Genre(id: genre.id, names: GenreNames.names(of: genre.id, english: genre.name)).change
            }
            return newGenres + [movie.change]
        }
        return lines
    }

    private func importCredits(
        _ file: String, of movies: [UInt64: Int], in moviesFile: String, _ report: inout ImportReport
    ) throws(ImportError) {
        var lines: [UInt64: Int] = [:]
        let table = CSVTable(source: try source(file), columns: TMDB5000Rows.creditsColumns)
        try importRows(of: table, into: &report) { (values, line) throws(BadRow) in
            let credits = try TMDB5000Rows.credits(values)
            guard movies[credits.movie] != nil else {
                throw BadRow("\(moviesFile) has no usable movie \(credits.movie)")
            }
            if let earlier = lines[credits.movie] {
                throw BadRow("line \(earlier) already has the credits of movie \(credits.movie)")
            }
            if let reason = credits.fault { throw BadRow(reason) }
            lines[credits.movie] = line
            return [credits.change]
        }
    }
}

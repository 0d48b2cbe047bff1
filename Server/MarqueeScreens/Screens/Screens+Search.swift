package import MarqueeModel
package import MarqueeWire

extension Screens {
    /// Bytes of a query, at most.
    package static let queryLimit = 256
    /// Movies of one page.
    package static let pageSize = 20

    /// Movies whose localized or original title contains the query, without regard to case, accents and widths; ordered
    /// by popularity, then id.
    ///
    /// A query without letters finds nothing.
    ///
    /// - Throws: `invalidArgument` for a query that is too long or a page 0.
    package mutating func search(_ request: SearchRequest) throws(Status) -> SearchAnswer {
        guard request.query.utf8.count <= Screens.queryLimit else {
            throw Status(
                .invalidArgument, reason: "QUERY_TOO_LONG", remedy: .fatal,
                message: "a query has at most \(Screens.queryLimit) bytes")
        }
        guard request.page >= 1 else {
            throw Status(.invalidArgument, reason: "BAD_PAGE", remedy: .fatal, message: "pages are numbered from 1")
        }
        let locale = programme.locale(for: request.locale)
        let found = matches(of: request.query, locale: locale)
        let pages = (found.count + Screens.pageSize - 1) / Screens.pageSize
        // Past the last page there is nothing; comparing first keeps the product small.
        let first = Int(request.page) <= pages ? (Int(request.page) - 1) * Screens.pageSize : found.count
        let items = found.dropFirst(first).prefix(Screens.pageSize).map { movie in
            let content = catalogue.content(of: movie, locale: locale, prose: false)
            let subject = Subject.movie(movie.id).name
            return Bodies.item(id: subject, subject: subject, .movie(content))
        }
        return SearchAnswer(
            queryID: request.queryID, items: items, total: UInt32(clamping: found.count), page: request.page,
            pages: UInt32(clamping: pages))
    }

    private mutating func matches(of query: String, locale: String) -> [Movie] {
        let needle = FoldedTitles.fold(query).trimmingSpaces
        guard !needle.isEmpty, !needle.contains(FoldedTitles.separator) else { return [] }
        var found: [Movie] = []
        for id in catalogue.movieIDs(in: OrderName(genre: nil, sort: .popularity), first: .max) {
            guard let movie = catalogue.movie(id) else { continue }
            if catalogue.foldedTitles(of: movie, locale: locale).contains(needle) { found.append(movie) }
        }
        return found
    }
}

extension [UInt8] {
    fileprivate var trimmingSpaces: [UInt8] {
        let isSpace = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        return Array(drop(while: isSpace).reversed().drop(while: isSpace).reversed())
    }

    /// Whether `needle`, which is not empty, occurs.
    fileprivate func contains(_ needle: [UInt8]) -> Bool {
        withUnsafeBufferPointer { hay in
            needle.withUnsafeBufferPointer { needle in
                guard hay.count >= needle.count else { return false }
                return (0...hay.count - needle.count).contains { start in
                    hay[start] == needle[0] && hay[start..<start + needle.count].elementsEqual(needle)
                }
            }
        }
    }
}

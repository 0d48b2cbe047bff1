package import MarqueeModel
package import MarqueeStore
package import MarqueeWire

/// Answers searches from a store, at the position that the answer names.
package enum Search {
    /// Movies of one page.
    package static let pageSize = 20

    /// Movies of which a title contains the query, without regard to case, accents, widths and punctuation; ordered by
    /// popularity, then id.
    ///
    /// Blocks while the store reads. A query without characters finds nothing.
    /// - Parameters:
    ///   - locale: what the items are shown in; one of the programme's.
    /// - Throws: `invalidArgument` for a query that is too long or a page 0, `unavailable` when the store can't be
    ///   read.
    package static func answer(
        _ request: SearchRequest, locale: String, in store: any StoreEngine
    ) throws(Status) -> SearchAnswer {
        guard request.query.utf8.count <= TitleMatches.queryBytes else {
            throw Status(
                .invalidArgument, reason: "QUERY_TOO_LONG", remedy: .fatal,
                message: "a query has at most \(TitleMatches.queryBytes) bytes")
        }
        guard request.page >= 1 else {
            throw Status(.invalidArgument, reason: "BAD_PAGE", remedy: .fatal, message: "pages are numbered from 1")
        }
        let (offset, isTooFar) = (Int(request.page) - 1).multipliedReportingOverflow(by: pageSize)
        let matches: TitleMatches
        do throws(StoreError) {
            matches = try store.search(request.query, offset: isTooFar ? .max : offset, limit: pageSize)
        } catch {
            throw Status(
                .unavailable, reason: "STORE_UNAVAILABLE", remedy: .retrySame,
                message: "the server's store does not answer: \(error)", retryAfterMilliseconds: 1_000)
        }
        return SearchAnswer(
            queryID: request.queryID, items: items(of: matches, locale: locale), total: UInt32(clamping: matches.total),
            isTotalCapped: matches.isCapped,
            page: request.page, pages: UInt32(clamping: (matches.total + pageSize - 1) / pageSize),
            cut: Cut(catalogueEpoch: matches.head.epoch, catalogueRevision: matches.head.revision))
    }

    private static func items(of matches: TitleMatches, locale: String) -> [Item] {
        // A catalogue of what was read together; the server's own may be further on.
        var catalogue = Catalogue()
        for genre in matches.genres { _ = catalogue.apply(.genre(genre)) }
        return matches.movies.map { movie in
            let content = catalogue.content(of: movie, locale: locale, prose: false)
            let subject = Subject.movie(movie.id).name
            return Bodies.item(id: subject, subject: subject, .movie(content))
        }
    }
}

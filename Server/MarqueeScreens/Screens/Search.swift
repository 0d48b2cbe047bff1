package import MarqueeModel
package import MarqueeStore
package import MarqueeWire

/// Answers searches from a store, at the position named in the answer.
package enum Search {
    /// Finds records, of the types searched by the programme, that have a text containing the query, ignoring case,
    /// accents, width and punctuation.
    ///
    /// Blocks while the store reads. A query without characters finds nothing.
    /// - Parameters:
    ///   - request: its locale is mapped to one that the programme has.
    ///   - programme: the current programme.
    /// - Throws: `invalidArgument` for a query that is too long or page 0, `unavailable` if the store can't be read.
    package static func answer(
        _ request: SearchRequest, programme: Programme, in store: any StoreEngine
    ) throws(Status) -> SearchAnswer {
        guard request.query.utf8.count <= SearchMatches.queryBytes else {
            throw Status(
                .invalidArgument, reason: "QUERY_TOO_LONG", remedy: .fatal,
                message: "a query has at most \(SearchMatches.queryBytes) bytes")
        }
        guard request.page >= 1 else {
            throw Status(.invalidArgument, reason: "BAD_PAGE", remedy: .fatal, message: "pages are numbered from 1")
        }
        let search = programme.search
        let (offset, isTooFar) = (Int(request.page) - 1).multipliedReportingOverflow(by: search.pageSize)
        let locale = programme.locale(for: request.locale)
        let scope = try search.scope(for: request, locale: locale)
        let matches: SearchMatches
        do throws(StoreError) {
            matches = try store.search(
                request.query, in: scope, offset: isTooFar ? .max : offset, limit: search.pageSize)
        } catch {
            throw Status(
                .unavailable, reason: "STORE_UNAVAILABLE", remedy: .retrySame,
                message: "the server's store does not answer (\(error.code))", retryAfterMilliseconds: 1_000)
        }
        let items = items(of: matches, locale: locale, bodies: search.bodies)
        var answer = SearchAnswer(
            queryID: request.queryID, items: items, total: UInt32(clamping: matches.total),
            isTotalCapped: matches.isCapped, page: request.page,
            pages: UInt32(clamping: (matches.total + search.pageSize - 1) / search.pageSize),
            cut: Cut(catalogueEpoch: matches.head.epoch, catalogueRevision: matches.head.revision))
        answer.filters = UInt32(clamping: request.filters.count)
        answer.facets = matches.facets.map { facet in
            SearchAnswer.Facet(
                field: facet.field,
                values: facet.values.map {
                    SearchAnswer.Facet.Value(value: $0.value, count: UInt32(clamping: $0.count))
                }
            )
        }
        return answer
    }

    private static func items(
        of matches: SearchMatches, locale: String, bodies: [String: RecordBody]
    ) -> [Item] {
        // A catalogue of what the store read in one snapshot; the server's own may be newer.
        var catalogue = Catalogue()
        for change in matches.content { _ = catalogue.apply(change) }
        var maker = ItemMaker()
        return matches.ids.compactMap { id in
            bodies[id.type].flatMap { maker.record(id, body: $0, locale: locale, in: catalogue)?.item }
        }
    }
}

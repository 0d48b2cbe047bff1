package import Foundation
package import MarqueeModel
import MarqueeWire

/// A page of matches.
package struct SearchPage: Sendable {
    /// The items found, the best first.
    package var items: [ScreenItem]
    /// The number of matches; the server counts only up to a limit of its own.
    package var total: Int
    /// Whether there are more matches than `total` counts.
    package var isTotalCapped: Bool
    /// The page's number, from 1.
    package var page: Int
    /// The number of pages.
    package var pages: Int
    /// The position of the catalogue that was searched.
    package var revision: Cut
    /// When the server answered.
    package var asOf: Date
    /// The values of the counted facets, by field.
    package var facets: [String: [(value: String, count: Int)]] = [:]

    /// Asks for the counts of all facets that the types declare.
    package static let everyFacet = SearchRequest.everyFacet

    /// Creates a page, for tests and previews.
    package init(
        items: [ScreenItem] = [], total: Int = 0, isTotalCapped: Bool = false, page: Int = 1,
        pages: Int = 1, revision: Cut = Cut(), asOf: Date = Date()
    ) {
        self.items = items
        self.total = total
        self.isTotalCapped = isTotalCapped
        self.page = page
        self.pages = pages
        self.revision = revision
        self.asOf = asOf
    }
}

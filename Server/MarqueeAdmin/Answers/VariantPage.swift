import MarqueeModel
import MarqueeScreens
import MarqueeServer

/// A page of the variants, those with the most subscribers first.
struct VariantPage: Encodable {
    struct Row: Encodable {
        var handle: UInt64
        var screen: String
        /// Empty for a view's own list of sections.
        var section: String
        var locale: String
        var sort: String?
        var window: UInt32?
        /// The place of a window that can start anywhere in its list.
        var place: WindowPlace?
        var user: String?
        /// The audiences whose values a section or title has, one for each list of such values.
        var rendition: [String]?
        /// The sections of a view's own list that only some readers see.
        var targeted: [String]?
        var subscribers: Int
        var items: Int
        /// The newest version's checksum, as hexadecimal digits.
        var version: String
        /// The catalogue revision since which this version has been the newest.
        var since: UInt64?
        var content: UInt64
    }

    let total: Int
    /// Variants that have subscribers.
    let shown: Int
    let idle: Int
    let idleBytes: Int
    /// Contents that variants show: variants that always show the same share one.
    let contents: Int
    let offset: Int
    let limit: Int
    let variants: [Row]

    init(_ counts: VariantCounts, _ reports: [VariantReport], _ page: PageQuery) {
        total = counts.subscribers.count
        shown = counts.subscribers.count { $0.count > 0 }
        idle = counts.idle
        idleBytes = counts.idleBytes
        contents = counts.contents
        offset = page.offset
        limit = page.limit
        variants = reports.map(Row.init)
    }
}

extension VariantPage.Row {
    fileprivate init(_ report: VariantReport) {
        handle = report.handle
        subscribers = report.subscribers
        items = report.items
        version = String(report.sum, radix: 16)
        since = report.since
        content = report.content
        switch report.key {
        case .view(let key):
            (screen, section, locale) = (key.screen, "", key.locale)
            targeted = key.targeted.isEmpty ? nil : key.targeted
            rendition = key.title == .fallback ? nil : key.title.audiences
        case .section(let key):
            (screen, section, locale) = (key.screen, key.section, key.locale)
            sort = key.sort.isEmpty ? nil : key.sort
            window = key.window == 0 ? nil : key.window
            place = key.place
            user = key.user
            rendition = key.rendition == .fallback ? nil : key.rendition.audiences
        }
    }
}

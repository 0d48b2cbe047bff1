import MarqueeCatalogue
import MarqueeModel
import MarqueeStore
import MarqueeTypes

extension Programme {
    /// The types that a search covers, and how its matches are shown.
    package struct Search: Hashable, Sendable {
        /// Aliases of types, each once; their matches take turns in this order.
        package var types: [String]
        /// Number of items on a page.
        package var pageSize: Int
        /// Bodies by record type.
        package var bodies: [String: RecordBody] = [:]
        /// The fields by which matches can be filtered and counted, by type.
        var facets: [String: [FieldPath]] = [:]

        /// The search of a programme that defines none; finds nothing.
        package static let none = Search(types: [], pageSize: 20)

        /// The other records from which the items of records are made, as in any section.
        ///
        /// - Parameter content: the records, and others that are known.
        func referred(by ids: [RecordID], in content: [Change], locale: String) -> Set<RecordID> {
            var catalogue = Catalogue()
            for change in content { _ = catalogue.apply(change) }
            var maker = ItemMaker()
            var referred: Set<RecordID> = []
            for id in ids {
                guard let body = bodies[id.type] else { continue }
                let made = maker.record(id, body: body, locale: locale, in: catalogue)
                for case .record(.typed(let other)) in made?.dependencies ?? [] {
                    // Names in the store are composed, even where a field refers to them in another form.
                    referred.insert(other.composed)
                }
            }
            return referred
        }
    }
}

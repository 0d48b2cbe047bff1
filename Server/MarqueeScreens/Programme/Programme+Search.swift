import MarqueeCatalogue
import MarqueeModel
import MarqueeStore

extension Programme {
    /// The types that a search covers, and how its matches are shown.
    package struct Search: Hashable, Sendable {
        /// Aliases of types, each once; their matches take turns in this order.
        package var types: [String]
        /// Number of items on a page.
        package var pageSize: Int
        /// Bodies by record type.
        package var bodies: [String: RecordBody] = [:]

        /// The search of a programme that defines none; finds nothing.
        package static let none = Search(types: [], pageSize: 20)

        /// The other records that a record's item draws on: those that it would be made of anywhere else.
        func referred(by id: RecordID, _ bytes: [UInt8], locale: String) -> [RecordID] {
            guard let body = bodies[id.type] else { return [] }
            var catalogue = Catalogue()
            _ = catalogue.apply(.put(id, .bytes(bytes)))
            var maker = ItemMaker()
            let made = maker.record(id, body: body, locale: locale, in: catalogue)
            return (made?.dependencies ?? []).compactMap { trigger in
                // Names in the store are composed, even where a field refers to them in another form.
                if case .record(.typed(let other)) = trigger { other.composed } else { nil }
            }
        }
    }
}

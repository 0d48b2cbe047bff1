import MarqueeCatalogue
import MarqueeModel
import MarqueeStore
package import MarqueeTypes

extension Programme {
    /// The types that a search covers, and how its matches are shown.
    package struct Search: Hashable, Sendable {
        /// Aliases of types, each once; their matches take turns in this order.
        package var types: [String]
        /// Number of items on a page.
        package var pageSize: Int
        /// Bodies by record type.
        package var bodies: [String: RecordBody] = [:]
        /// References to other records that the bodies may need, by record type.
        package var references: [String: [TypeDeclaration.Reference]] = [:]

        /// The search of a programme that defines none; finds nothing.
        package static let none = Search(types: [], pageSize: 20)

        /// The records that a record's body may need.
        func referred(by id: RecordID, _ bytes: [UInt8]) -> [RecordID] {
            (references[id.type] ?? []).compactMap { $0.record(in: bytes) }
        }
    }
}

import MarqueeCatalogue
import MarqueeModel
package import MarqueeTypes

extension Programme {
    /// What a search finds, and how it is shown.
    package struct Search: Hashable, Sendable {
        /// Movies or aliases of types, each once; their matches take turns in this order.
        package var types: [String]
        /// Items of a page.
        package var pageSize: Int
        /// How records are shown, by their type.
        package var bodies: [String: RecordBody] = [:]
        /// Other records that they may be made of, by their type.
        package var references: [String: [TypeDeclaration.Reference]] = [:]

        /// What stands for movies among the types.
        static let movie = "movie"

        /// That of a programme which says nothing.
        package static let movies = Search(types: [movie], pageSize: 20)

        /// The records that those of a body are read from.
        func referred(by id: RecordID, _ bytes: [UInt8]) -> [RecordID] {
            (references[id.type] ?? []).compactMap { reference in
                reference.path.values(in: bytes).first?.text.map { RecordID(type: reference.type, id: $0) }
            }
        }
    }
}

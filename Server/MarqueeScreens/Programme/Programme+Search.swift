import MarqueeCatalogue
import MarqueeModel
import MarqueeStore
package import MarqueeTypes

extension Programme {
    /// What a search finds, and how it is shown.
    package struct Search: Hashable, Sendable {
        /// Aliases of types, each once; their matches take turns in this order.
        package var types: [String]
        /// Items of a page.
        package var pageSize: Int
        /// How records are shown, by their type.
        package var bodies: [String: RecordBody] = [:]
        /// Other records that their bodies may need, by their type.
        package var references: [String: [TypeDeclaration.Reference]] = [:]

        /// The search of a programme without one, which finds nothing.
        package static let none = Search(types: [], pageSize: 20)

        /// The records that a body refers to.
        func referred(by id: RecordID, _ bytes: [UInt8]) -> [RecordID] {
            (references[id.type] ?? []).compactMap { $0.record(in: bytes) }
        }
    }
}

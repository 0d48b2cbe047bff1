package import MarqueeCatalogue
import MarqueeModel
import MarqueeTypes

/// A record that a search finds.
struct SearchDocument {
    var id: RecordID
    /// The largest comes first; `nil` comes last.
    var rank: Double?
    /// Everything that it is found by, see `SearchText.joined`.
    var text: String

    init(_ id: RecordID, _ bytes: [UInt8], of type: TypeDeclaration) {
        self.id = id
        rank = type.searchRank(of: bytes)
        text = SearchText.joined(type.searchTexts(of: bytes))
    }
}

/// The types that a search looks through, and the other records that its answer needs.
package struct SearchScope: Sendable {
    /// Aliases of types, in the order in which they take turns.
    package var types: [String]
    /// The other records that a record's item draws on.
    package var referred: @Sendable (RecordID, [UInt8]) -> [RecordID]

    package init(types: [String], referred: @escaping @Sendable (RecordID, [UInt8]) -> [RecordID] = { _, _ in [] }) {
        self.types = types
        self.referred = referred
    }
}

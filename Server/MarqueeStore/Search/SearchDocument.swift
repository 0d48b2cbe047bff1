package import MarqueeCatalogue
import MarqueeModel
package import MarqueeTypes

/// A record, in the form in which a search index holds it.
struct SearchDocument {
    var id: RecordID
    /// Matches with the largest rank come first, those without one last.
    var rank: Double?
    /// Everything that it is found by, see `SearchText.joined` and `SearchMark`.
    var text: String

    init(_ id: RecordID, _ bytes: [UInt8], of type: TypeDeclaration) {
        self.id = id
        rank = type.searchRank(of: bytes)
        text = SearchText.joined(type.searchTexts(of: bytes)) + SearchMark.joined(of: type, bytes)
    }
}

/// The types that a search looks through, and the other records that its answer needs.
package struct SearchScope: Sendable {
    /// Aliases of types, in the order in which they take turns.
    package var types: [String]
    /// The marks that matches of each type have.
    package var filters: [String: [SearchMark]] = [:]
    /// The fields of each type whose values among the matches are counted.
    package var facets: [String: [FieldPath]] = [:]
    /// The other records that the items of these records draw on, as far as the content shows it: records that it lacks
    /// may lead to more.
    package var referred: @Sendable (_ ids: [RecordID], _ content: [Change]) -> Set<RecordID>

    package init(
        types: [String],
        referred: @escaping @Sendable (_ ids: [RecordID], _ content: [Change]) -> Set<RecordID> = { _, _ in [] }
    ) {
        self.types = types
        self.referred = referred
    }
}

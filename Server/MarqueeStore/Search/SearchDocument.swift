package import MarqueeCatalogue
import MarqueeModel
import MarqueeTypes

/// Something that a search finds: a movie, or a record of one of the operator's types.
struct SearchDocument {
    var id: RecordID
    /// The largest comes first; `nil` comes last.
    var rank: Double?
    /// Everything that it is found by, see `SearchText.joined`.
    var text: String

    init(_ movie: Movie) {
        id = SearchDocument.id(ofMovie: movie.id)
        rank = movie.popularity.flatMap { $0.isNaN ? nil : $0 }
        text = SearchText.of(movie)
    }

    init(_ id: RecordID, _ bytes: [UInt8], of type: TypeDeclaration) {
        self.id = id
        rank = type.searchRank(of: bytes)
        text = SearchText.joined(type.searchTexts(of: bytes))
    }

    static func id(ofMovie movie: UInt64) -> RecordID { RecordID(type: SearchScope.movie, id: "\(movie)") }
}

/// The types that a search looks through, and the other records that its answer needs.
package struct SearchScope: Sendable {
    /// What stands for movies in a search. Also a type of records may be called `movie`, but none is called so.
    package static let movie = "<movie>"

    /// `SearchScope.movie`, and aliases of types. In this order they take turns.
    package var types: [String]
    /// Other records that a record's item is made of.
    package var referred: @Sendable (RecordID, [UInt8]) -> [RecordID]

    package init(types: [String], referred: @escaping @Sendable (RecordID, [UInt8]) -> [RecordID] = { _, _ in [] }) {
        self.types = types
        self.referred = referred
    }

    package static let movies = SearchScope(types: [SearchScope.movie])
}

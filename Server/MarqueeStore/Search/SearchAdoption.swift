import MarqueeTypes

/// The changes that new types require in a search index: unchanged types keep their documents.
struct SearchAdoption {
    /// The aliases of the types whose documents have to be removed.
    var dropped: [String] = []
    /// Types whose records have to be indexed, all of them.
    var added: [TypeDeclaration] = []

    /// - Parameters:
    ///   - types: the types in force from now on.
    ///   - known: the searched fields of the types in the index by alias, see `TypeDeclaration.searchSignature`.
    init(of types: TypeSet, known: [String: String]) {
        let searched = types.types.filter(\.isSearched)
        let signatures = Dictionary(searched.map { ($0.alias, $0.searchSignature) }) { first, _ in first }
        dropped = known.filter { signatures[$0.key] != $0.value }.map(\.key)
        added = searched.filter { known[$0.alias] != $0.searchSignature }
    }
}

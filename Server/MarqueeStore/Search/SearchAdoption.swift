import MarqueeTypes

/// The changes to an index of texts that new types require: unchanged types keep their documents.
struct SearchAdoption {
    /// Types whose documents have to go, by alias.
    var dropped: [String] = []
    /// Types whose records have to be indexed, all of them.
    var added: [TypeDeclaration] = []

    /// - Parameters:
    ///   - types: those in force from now on.
    ///   - known: the searched fields of the types in the index by alias, see `TypeDeclaration.searchSignature`.
    init(of types: TypeSet, known: [String: String]) {
        let searched = types.types.filter(\.isSearched)
        let signatures = Dictionary(searched.map { ($0.alias, $0.searchSignature) }) { first, _ in first }
        dropped = known.filter { signatures[$0.key] != $0.value }.map(\.key)
        added = searched.filter { known[$0.alias] != $0.searchSignature }
    }
}

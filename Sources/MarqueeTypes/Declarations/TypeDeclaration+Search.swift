/// The texts in which a search finds a type's records, and the rank by which it orders them.
extension TypeDeclaration {
    /// Whether its records can be found at all.
    package var isSearched: Bool { !search.isEmpty }

    /// The texts of a record that are searched, in the order of the declaration; localized ones in all locales.
    package func searchTexts(of record: [UInt8]) -> [String] {
        search.flatMap { $0.texts(in: record).map(\.text) }
    }

    /// The rank of a record among those found; the largest comes first. `nil` if no rank is declared or the record
    /// lacks the value.
    package func searchRank(of record: [UInt8]) -> Double? {
        switch searchRank?.value(in: record) {
        case .integer(let number): Double(number)
        case .unsigned(let number): Double(number)
        case .real(let number): number.isNaN ? nil : number
        case .timestamp(let seconds, let nanos), .duration(let seconds, let nanos):
            Double(seconds) + Double(nanos) / 1e9
        default: nil
        }
    }

    /// Identifies how the type is searched: declarations with equal signatures find records by the same texts and order
    /// them alike. It names fields by number, because a number doesn't change when a field is renamed.
    package var searchSignature: String {
        let fields = search.map { field in
            switch field {
            case .plain(let path): return path.signature
            case .localized(let field):
                guard case .list(let locale, let text) = field.form else { return field.path.signature }
                return "\(field.path.signature)[\(locale.signature),\(text.signature)]"
            }
        }
        let facets = searchFacets.isEmpty ? "" : " with \(searchFacets.map(\.signature).joined(separator: " "))"
        return fields.joined(separator: " ") + (searchRank.map { " by \($0.signature)" } ?? "") + facets
    }
}

extension FieldPath {
    /// The path's field numbers, followed by `*` if the value is inside a wrapper.
    fileprivate var signature: String {
        let path = numbers.map { "\($0)" }.joined(separator: ".")
        if case .wrapped = target { return path + "*" }
        return path
    }
}

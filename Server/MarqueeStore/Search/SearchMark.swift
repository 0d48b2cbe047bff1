import MarqueeDiff
package import MarqueeTypes

/// A facet's value in a searched document: four characters that stand for it, which no text has. An index finds them
/// like any other text of four characters, so every engine filters by values without another index.
package struct SearchMark: Hashable, Sendable {
    /// The most values that a document is found by. A record's further ones are ignored.
    static let maximumCount = 256
    /// The first code point of the plane for private use whose 65,536 ones stand for 16 bits each.
    private static let plane: UInt32 = 0xF_0000
    private static let bits: UInt64 = 16

    let text: String

    /// - Returns: `nil` for a value that nothing can be compared with, such as bytes.
    package init?(_ value: FieldValue, of path: FieldPath) {
        // Renamed fields and enum values keep their numbers.
        let written: String?
        if case .enumeration(_, let number) = value { written = "\(number)" } else { written = value.text }
        guard let written else { return nil }
        let field = path.numbers.map { "\($0)" }.joined(separator: ".")
        let hash = XXH64.hash(Array(field.utf8) + [0] + Array(written.utf8))
        var scalars = String.UnicodeScalarView()
        for place in 0..<4 as Range<UInt64> {
            let part = UInt32(truncatingIfNeeded: hash >> (place * Self.bits) & 0xFFFF)
            if let scalar = Unicode.Scalar(Self.plane + part) { scalars.append(scalar) }
        }
        text = String(scalars)
    }

    /// The marks of a record's facets, each after a separator.
    static func joined(of type: TypeDeclaration, _ record: [UInt8]) -> String {
        var seen: Set<SearchMark> = []
        var joined = String.UnicodeScalarView()
        for path in type.searchFacets {
            for value in path.values(in: record) {
                guard seen.count < maximumCount, let mark = SearchMark(value, of: path), seen.insert(mark).inserted
                else { continue }
                joined.append(SearchText.separator)
                joined.append(contentsOf: mark.text.unicodeScalars)
            }
        }
        return String(joined)
    }
}

/// The values of a facet among a search's matches.
package struct SearchFacet: Hashable, Sendable {
    /// The most values of a facet that are returned, the most frequent ones.
    static let maximumValues = 50

    /// The field.
    package var field: String
    /// Values and how many of the counted matches have them, the most frequent first.
    package var values: [(value: String, count: Int)] { counts.map { ($0.key, $0.value) }.sorted(by: Self.isBefore) }
    private var counts: [String: Int] = [:]

    init(field: String) { self.field = field }

    private static func isBefore(_ a: (value: String, count: Int), _ b: (value: String, count: Int)) -> Bool {
        a.count != b.count ? a.count > b.count : a.value < b.value
    }

    mutating func add(_ record: [UInt8], _ path: FieldPath) {
        for value in Set(path.values(in: record).compactMap(\.text)) { counts[value, default: 0] += 1 }
    }

    /// Without its rarest values, if there are too many.
    var bounded: SearchFacet {
        guard counts.count > Self.maximumValues else { return self }
        var bounded = self
        bounded.counts = Dictionary(
            uniqueKeysWithValues: values.prefix(Self.maximumValues).map { ($0.value, $0.count) })
        return bounded
    }
}

/// A text with translations: a `map<string, string>`, or a list of messages that each have a locale and a text.
package struct LocalizedField: Hashable, Sendable {
    enum Form: Hashable, Sendable {
        case map
        /// A list of messages; the paths begin in one of them.
        case list(locale: FieldPath, text: FieldPath)
    }

    /// The map or list.
    package let path: FieldPath
    let form: Form

    /// The bytes of a text and of its locale in a record.
    private struct Place {
        var locale: ArraySlice<UInt8>
        var text: ArraySlice<UInt8>
    }

    /// All texts with their locales: those of a map ordered by locale, those of a list in list order. Empty texts count
    /// as missing.
    package func texts(in record: [UInt8]) -> [(locale: String, text: String)] {
        places(in: record).compactMap { place in
            guard let locale = String(validating: place.locale, as: UTF8.self),
                let text = String(validating: place.text, as: UTF8.self)
            else { return nil }
            return (locale, text)
        }
    }

    /// The text in the first of `locales` that has one, or else the first text. Only that text is decoded.
    package func text(in record: [UInt8], locales: [String]) -> String? {
        let places = places(in: record)
        for locale in locales {
            if let match = places.first(where: { $0.locale.elementsEqual(locale.utf8) }) {
                return String(validating: match.text, as: UTF8.self)
            }
        }
        return places.first.flatMap { String(validating: $0.text, as: UTF8.self) }
    }

    private func places(in record: [UInt8]) -> [Place] {
        let ranges: [(key: Range<Int>, text: Range<Int>)]
        switch form {
        case .map: ranges = path.textEntries(in: record)
        case .list(let locale, let text):
            ranges = path.messageRanges(in: record).compactMap { range in
                text.textRange(in: record, at: range).map {
                    (locale.textRange(in: record, at: range) ?? range.upperBound..<range.upperBound, $0)
                }
            }
        }
        return ranges.compactMap { $0.text.isEmpty ? nil : Place(locale: record[$0.key], text: record[$0.text]) }
    }
}

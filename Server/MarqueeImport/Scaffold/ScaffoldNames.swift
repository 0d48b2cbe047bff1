import Foundation
import MarqueeTypes

/// Names of types, fields and screens made from names of tables and columns, and texts for people.
enum ScaffoldNames {
    /// Characters of a text for people.
    private static let labelCharacters = 40
    /// Words that don't change in the plural, or that only look like plurals.
    private static let invariable: Set<String> = [
        "news", "series", "species", "data", "status", "lens", "gps", "weather", "information", "equipment", "staff",
        "sheep", "fish", "aircraft", "software", "hardware", "traffic", "music", "media", "metadata", "furniture",
    ]

    /// Words of lowercase ASCII letters and digits: `ReleaseDate`, `release-date` and `Release date` are the same.
    static func words(of name: String) -> [String] {
        var plain = name
        if !plain.utf8.allSatisfy({ $0 < 0x80 }) {
            plain = plain.applyingTransform(.toLatin, reverse: false) ?? plain
            plain = plain.applyingTransform(.stripDiacritics, reverse: false) ?? plain
        }
        var words: [String] = []
        var word = ""
        var last: Unicode.Scalar?
        for scalar in plain.unicodeScalars {
            let isUpper = ("A"..."Z").contains(scalar)
            let isLetter = isUpper || ("a"..."z").contains(scalar)
            let isDigit = ("0"..."9").contains(scalar)
            // A hyphen that romanization puts between syllables, or an apostrophe.
            guard isLetter || isDigit else {
                if !word.isEmpty { words.append(word) }
                (word, last) = ("", nil)
                continue
            }
            if isUpper, let last, ("a"..."z").contains(last) || ("0"..."9").contains(last), !word.isEmpty {
                words.append(word)
                word = ""
            }
            word.unicodeScalars.append(scalar)
            last = scalar
        }
        if !word.isEmpty { words.append(word) }
        return words.map { $0.lowercased() }
    }

    /// A field's name: `release_date`.
    /// - Parameters:
    ///   - place: the column's position, from 1, for a name without letters.
    ///   - taken: names as mappings compare them.
    static func field(_ column: String, at place: Int, taken: inout Set<String>) -> String {
        var name = words(of: column).joined(separator: "_")
        if name.isEmpty { name = "column_\(place)" }
        if name.first?.isNumber == true { name = "n\(name)" }
        name = String(name.prefix(TypeLimits.fieldNameBytes - 4))
        while name.hasSuffix("_") { name.removeLast() }
        return free(name, "_", &taken) { ColumnName.plain($0) }
    }

    /// A type's alias: `public.order_items` is `order-item`.
    static func alias(_ table: String, taken: inout Set<String>) -> String {
        var parts = words(of: table.split(separator: ".").last.map(String.init) ?? table)
        if let last = parts.popLast() { parts.append(singular(last)) }
        var name = parts.joined(separator: "-")
        if name.isEmpty { name = "record" }
        if name.first?.isNumber == true { name = "n\(name)" }
        name = String(name.prefix(TypeLimits.aliasBytes - 8))
        while name.hasSuffix("-") { name.removeLast() }
        if (TypeLimits.reservedAliases + ["home"]).contains(name) { name += "-record" }
        return free(name, "-", &taken) { $0 }
    }

    /// The name, or the first with a number after it that is free.
    static func free(
        _ name: String, _ joint: String, _ taken: inout Set<String>, _ key: (String) -> String
    ) -> String {
        var (candidate, number) = (name, 1)
        while !taken.insert(key(candidate)).inserted {
            number += 1
            candidate = "\(name)\(joint)\(number)"
        }
        return candidate
    }

    /// `categories` is `category`.
    static func singular(_ word: String) -> String {
        guard word.count > 3, !invariable.contains(word) else { return word }
        if word.hasSuffix("ies") { return word.dropLast(3) + "y" }
        for ending in ["sses", "xes", "ches", "shes", "zzes"] where word.hasSuffix(ending) {
            return String(word.dropLast(2))
        }
        for ending in ["ss", "us", "is"] where word.hasSuffix(ending) { return word }
        return word.hasSuffix("s") ? String(word.dropLast()) : word
    }

    /// `category` is `categories`; a plural stays.
    static func plural(_ word: String) -> String {
        let lower = word.lowercased()
        guard lower.utf8.allSatisfy({ $0 < 0x80 }), let last = lower.last, last.isLetter, !invariable.contains(lower),
            singular(lower) == lower
        else { return word }
        if last == "y", let before = lower.dropLast().last, !"aeiou".contains(before) { return word.dropLast() + "ies" }
        return word + (["s", "x", "z", "ch", "sh"].contains { lower.hasSuffix($0) } ? "es" : "s")
    }

    /// A text for people: `price_cents` is `Price cents`; a header that a person wrote stays.
    static func label(_ name: String) -> String {
        var text = Field.trimmed(name)
        if !text.contains(" "), text.utf8.allSatisfy({ $0 < 0x80 }) {
            let words = words(of: text)
            if text != text.uppercased() || text.contains("_") || text.count > 4 { text = words.joined(separator: " ") }
        }
        text = String(text.prefix(labelCharacters))
        return text.prefix(1).uppercased() + text.dropFirst()
    }

    /// A label within a sentence: `price cents`, `IATA`.
    static func labelInside(_ name: String) -> String {
        let label = label(name)
        return label == label.uppercased() ? label : label.prefix(1).lowercased() + label.dropFirst()
    }

    /// A table's name for people, in the plural: `public.order_item` is `Order items`.
    static func title(_ table: String) -> String {
        var words = label(table.split(separator: ".").last.map(String.init) ?? table).split(separator: " ").map(
            String.init)
        if let last = words.popLast() { words.append(plural(last)) }
        return words.joined(separator: " ")
    }
}

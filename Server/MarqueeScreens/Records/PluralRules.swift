import CICU
import MarqueeTypes

/// A class of numbers that take the same form of a word.
package enum PluralCategory: String, CaseIterable, Sendable {
    case zero, one, two, few, many, other
}

/// A locale's rules for the plural categories of numbers: CLDR's rules for cardinal numbers, from ICU.
///
/// `@unchecked Sendable`: ICU's objects don't change once they are made.
final class PluralRules: @unchecked Sendable {
    private static let all = LocaleCache { PluralRules($0) }
    /// No category has a longer name.
    private static let nameLength = 16

    private let rules: OpaquePointer?
    private let formatter: OpaquePointer?

    private init(_ locale: String) {
        rules = plural_rules_open(locale)
        formatter = plural_formatter_open(locale)
    }

    deinit {
        if let rules { plural_rules_close(rules) }
        if let formatter { plural_formatter_close(formatter) }
    }

    /// The rules of a locale, such as `pl` or `pt-BR`. A locale that CLDR doesn't have has only the category `other`.
    static func of(_ locale: String) -> PluralRules { all[locale] }

    /// The category of a number as the locale prints it by default: its visible digits decide.
    ///
    /// - Returns: `nil` if the value isn't a finite number.
    func category(of value: FieldValue) -> PluralCategory? {
        let decimal: String
        switch value {
        case .integer(let number): decimal = "\(number)"
        case .unsigned(let number): decimal = "\(number)"
        case .real(let number) where number.isFinite: decimal = "\(number)"
        default: return nil
        }
        guard let rules, let formatter else { return .other }
        var name = [UInt16](repeating: 0, count: Self.nameLength)
        let length = plural_category(
            rules, formatter, decimal, Int32(decimal.utf8.count), &name, Int32(Self.nameLength))
        return PluralCategory(rawValue: String(decoding: name.prefix(Int(length)), as: UTF16.self)) ?? .other
    }

    /// The plural categories that the locale has; always includes `other`.
    var categories: Set<PluralCategory> {
        var found: Set<PluralCategory> = [.other]
        guard let rules, let names = plural_categories_open(rules) else { return found }
        defer { plural_categories_close(names) }
        while let name = plural_category_next(names) {
            if let category = PluralCategory(rawValue: String(cString: name)) { found.insert(category) }
        }
        return found
    }
}

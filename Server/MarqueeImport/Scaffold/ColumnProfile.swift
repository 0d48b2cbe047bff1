import Foundation
import MarqueeModel
import MarqueeTypes

/// How the values of a column are written, from a sample of them.
package struct ColumnProfile: Hashable, Sendable {
    /// The look of one value.
    enum Look: Hashable, Sendable {
        case integer
        /// A number with a point or an exponent.
        case decimal
        /// `true`, `no`, `t` …
        case truth
        /// `2026-11-22`
        case day
        /// A time with its zone, and one without.
        case instant, localTime
        /// A day or time in one of `TimeForms`.
        case otherTime
        /// Digits that are a name: they begin with 0, or there are more than a number holds.
        case code
        case link
        case text
        case list, object
    }

    /// The most distinct values that are kept.
    static let distinctValues = 256
    /// The most bytes of a value that is kept.
    static let keptBytes = 128
    /// The most members of objects that are looked at.
    static let members = 32

    /// Values that aren't missing.
    private(set) var count = 0
    private(set) var looks: [Look: Int] = [:]
    /// The most frequent values, with how often they occur; incomplete if there are more than `distinctValues`.
    private(set) var values: [String: Int] = [:]
    private(set) var hasMoreValues = false
    /// Whether no value has occurred twice.
    private(set) var isDistinct = true
    private var seen: Set<Int> = []
    /// The length of the longest text, in characters.
    private(set) var longest = 0
    private(set) var length = 0
    /// The smallest number.
    private(set) var least = Double.infinity
    private(set) var largest = -Double.infinity
    /// The forms of times that all values so far have.
    private(set) var timeForms: [String] = []
    /// Texts with a bar between parts: `moray|barracuda`.
    private(set) var barred = 0
    /// How many texts are amounts with a currency sign or ambiguous separators: `1,5`, `1.204,50`, `€5.00`.
    private(set) var amounts = 0
    /// How many links lead to images, judged by their names.
    private(set) var images = 0
    /// Whether an object was a text for each locale, and nothing else.
    private(set) var isByLocale = true
    /// The profile of the elements of lists; at most one.
    private(set) var elements: [ColumnProfile] = []
    private var partNames: [String] = []
    private var partProfiles: [String: ColumnProfile] = [:]

    package init() {}

    /// - Parameter depth: how many levels of lists and objects are around the value.
    mutating func add(_ value: JSONValue, depth: Int = 0) {
        switch value {
        case .null: return
        case .bool(let flag): add("\(flag)", .truth)
        case .number(let digits): add(digits, Self.look(ofNumber: digits))
        case .text(let text):
            let trimmed = Field.trimmed(text)
            if !trimmed.isEmpty { add(trimmed, look(of: trimmed)) }
        case .list(let list):
            note(.list)
            guard depth < 2 else { return }
            if elements.isEmpty { elements.append(ColumnProfile()) }
            for element in list { elements[0].add(element, depth: depth + 1) }
        case .object(let object):
            note(.object)
            isByLocale = isByLocale && Self.isByLocale(object)
            guard depth < 2 else { return }
            for member in object {
                if partProfiles[member.name] == nil {
                    guard partNames.count < Self.members else { continue }
                    partNames.append(member.name)
                }
                partProfiles[member.name, default: ColumnProfile()].add(member.value, depth: depth + 1)
            }
        }
    }

    private mutating func note(_ look: Look) {
        count += 1
        looks[look, default: 0] += 1
    }

    private mutating func add(_ text: String, _ look: Look) {
        note(look)
        let characters = text.count
        longest = max(longest, characters)
        length += characters
        if isDistinct { isDistinct = seen.insert(text.hashValue).inserted }
        if !isDistinct { seen = [] }
        if [.integer, .decimal].contains(look), let number = Double(text) {
            least = min(least, number)
            largest = max(largest, number)
        }
        if look == .text, text.contains("|") { barred += 1 }
        if look == .text, Self.isAmount(text) { amounts += 1 }
        if look == .link, Self.isImage(text) { images += 1 }
        if values[text] != nil || values.count < Self.distinctValues && text.utf8.count <= Self.keptBytes {
            values[text, default: 0] += 1
        } else {
            hasMoreValues = true
        }
    }

    // MARK: - One value

    private static func look(ofNumber digits: String) -> Look {
        if Int64(digits) != nil { return .integer }
        return digits.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? .code : .decimal
    }

    private mutating func look(of text: String) -> Look {
        guard let first = text.unicodeScalars.first else { return .text }
        if ("0"..."9").contains(first) || first == "-" {
            if let look = Self.look(ofDigits: text) { return look }
            if let look = look(ofTime: text) { return look }
        }
        switch text.lowercased() {
        case "true", "false", "t", "f", "yes", "no", "y", "n", "on", "off": return .truth
        case let lower where lower.hasPrefix("http://") || lower.hasPrefix("https://"): return .link
        default: return .text
        }
    }

    /// - Returns: `nil` for a text that isn't a number.
    private static func look(ofDigits text: String) -> Look? {
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        let isWhole = digits.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard !digits.isEmpty else { return nil }
        let hasZero = digits.count > 1 && digits.hasPrefix("0") && !digits.hasPrefix("0.")
        if isWhole { return hasZero || Int64(text) == nil ? .code : .integer }
        let isPlain = digits.utf8.allSatisfy {
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || ".eE+-".utf8.contains($0)
        }
        guard isPlain, digits.last?.isNumber == true, let number = Double(digits), number.isFinite else { return nil }
        return hasZero ? .code : .decimal
    }

    private mutating func look(ofTime text: String) -> Look? {
        if CalendarDate(text) != nil { return .day }
        do throws(WrittenTime.Failure) {
            _ = try WrittenTime(text)
            return .instant
        } catch {
            if error == .noZone { return .localTime }
        }
        guard text.utf8.count <= TimeForms.longest else { return nil }
        let known = looks[.otherTime] == nil ? TimeForms.all : timeForms
        let fitting = known.filter { TimeForms.reads($0, text) }
        guard !fitting.isEmpty else { return nil }
        timeForms = fitting
        return .otherTime
    }

    /// The most bytes of an amount.
    private static let amountBytes = 40

    private static func isAmount(_ text: String) -> Bool {
        guard text.utf8.count <= amountBytes else { return false }
        let grouped = #/[-+]?([1-9][0-9]{0,2}([.,' \u{A0}\u{202F}][0-9]{3})+([.,][0-9]{1,2})?|[0-9]+,[0-9]+)/#
        let priced = #/[-+]?(\p{Sc}|[A-Z]{3} ) ?[-+]?[0-9][0-9.,' ]*|[-+]?[0-9][0-9.,' ]*( ?(%|\p{Sc})| [A-Z]{3})/#
        return text.wholeMatch(of: grouped) != nil || text.wholeMatch(of: priced) != nil
    }

    private static func isImage(_ link: String) -> Bool {
        let path = link.lowercased().prefix { $0 != "?" && $0 != "#" }
        return [".jpg", ".jpeg", ".png", ".webp", ".gif", ".svg", ".avif"].contains { path.hasSuffix($0) }
    }

    /// Languages of which a text by locale has at least one: other names of two letters may mean anything.
    private static let locales: Set<Substring> = [
        "ar", "da", "de", "en", "es", "fi", "fr", "hi", "it", "ja", "ko", "nl", "pl", "pt", "ru", "sv", "th", "tr",
        "vi", "zh",
    ]

    private static func isByLocale(_ object: [JSONValue.Member]) -> Bool {
        object.contains { locales.contains($0.name.prefix(2)) }
            && object.allSatisfy { member in
                guard case .text = member.value else { return false }
                return member.name.firstMatch(of: #/^[a-z]{2}(-[A-Za-z0-9]{2,8})*$/#) != nil
            }
    }

    // MARK: - All values

    /// Whether every value looks like one of these.
    func isAll(_ allowed: Look...) -> Bool { count > 0 && looks.keys.allSatisfy { allowed.contains($0) } }

    /// The profiles of the members of objects, in the order in which they were met.
    var parts: [(name: String, profile: ColumnProfile)] { partNames.map { ($0, partProfiles[$0] ?? ColumnProfile()) } }

    /// The average length, in characters.
    var averageLength: Double { count == 0 ? 0 : Double(length) / Double(count) }

    /// Whether it is a column of numbers with some words among them: `NA`, `?`, `T` for a trace.
    var isMostlyNumbers: Bool {
        let words = looks[.text] ?? 0
        return words > 0 && isAll(.integer, .decimal, .code, .text) && words * 2 < count
    }

    /// How many different values there are; `nil` if there are more than are kept.
    var distinct: Int? { hasMoreValues ? nil : values.count }
}

/// Days and times as people write them, besides ISO 8601: patterns of `strptime`.
enum TimeForms {
    /// The most bytes of a text that may be one.
    static let longest = 24
    private static let days = ["%d/%m/%Y", "%m/%d/%Y", "%d.%m.%Y", "%d-%m-%Y", "%Y/%m/%d", "%Y.%m.%d"]
    private static let clocks = ["", " %H:%M", " %H:%M:%S"]

    static let all = days.flatMap { day in clocks.map { day + $0 } }

    private static let formats: [String: TimeFormat] = Dictionary(
        uniqueKeysWithValues: all.compactMap { form in (try? TimeFormat(form)).map { (form, $0) } })

    static func reads(_ form: String, _ text: String) -> Bool { (try? formats[form]?.time(text)) != nil }

    /// Whether it has a time of the day.
    static func hasClock(_ form: String) -> Bool { form.contains("%H") }
}

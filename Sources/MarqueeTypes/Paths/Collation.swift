import CICU

/// The order of texts that readers of a language expect: CLDR's, from ICU. Accents count where the letters are equal;
/// case doesn't count.
package struct Collation: Hashable, Sendable {
    /// The order of most languages.
    package static let root = Collation(locale: "root")
    /// The most UTF-16 units of a text that are looked at.
    private static let textUnits = 1_024

    private let rules: Rules

    /// - Parameter locale: such as `sv` or `zh-Hant`. Locales with the same order have the same collation, and one that
    ///   CLDR doesn't have has the root's.
    package init(locale: String) { rules = Rules.all[locale] }

    package static func == (a: Collation, b: Collation) -> Bool { a.name == b.name }
    package func hash(into hasher: inout Hasher) { hasher.combine(name) }

    /// The locale whose rules it has.
    package var name: String { rules.name }

    /// The name, and a number that changes with the keys.
    package var stamp: String { "\(name) \(rules.version)" }

    /// Calls `body` with the first bytes of a text's key. Keys of one collation compare as the texts do, byte by byte;
    /// none of their bytes is 0.
    func withKey<Result>(of text: String, atMost limit: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        let units = text.utf16.prefix(Collation.textUnits)
        return withUnsafeTemporaryAllocation(of: UInt16.self, capacity: Collation.textUnits) { space in
            let (_, end) = space.initialize(from: units)
            // A key has few bytes more than the text.
            return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 2 * Collation.textUnits) { key in
                let length = rules.key(of: space[..<end], in: key)
                if length <= key.count {
                    return body(UnsafeBufferPointer(rebasing: key[..<min(max(length - 1, 0), limit)]))
                }
                return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: length) { key in
                    let length = min(rules.key(of: space[..<end], in: key), key.count)
                    return body(UnsafeBufferPointer(rebasing: key[..<min(max(length - 1, 0), limit)]))
                }
            }
        }
    }

    /// `@unchecked Sendable`: ICU's collators don't change once they are made.
    private final class Rules: @unchecked Sendable {
        static let all = LocaleCache { Rules($0) }

        let name: String
        let version: UInt32
        private let collator: OpaquePointer?

        private init(_ locale: String) {
            collator = collator_open(locale)
            name = collator.flatMap { collator_locale($0) }.map { String(cString: $0) } ?? ""
            version = collator.map { collator_version($0) } ?? 0
        }

        deinit {
            if let collator { collator_close(collator) }
        }

        /// Writes a text's key, with a zero at the end.
        ///
        /// - Returns: its length, or more than there is room for.
        func key(of text: Slice<UnsafeMutableBufferPointer<UInt16>>, in key: UnsafeMutableBufferPointer<UInt8>) -> Int {
            let units = UnsafeMutableBufferPointer(rebasing: text)
            guard let collator else { return written(units, in: key) }
            return Int(
                collator_key(
                    collator, units.baseAddress, Int32(clamping: units.count), key.baseAddress,
                    Int32(clamping: key.count)))
        }

        /// Without ICU's rules, a text's bytes in lower case.
        private func written(
            _ units: UnsafeMutableBufferPointer<UInt16>, in key: UnsafeMutableBufferPointer<UInt8>
        ) -> Int {
            let text = String(decoding: units, as: UTF16.self).lowercased()
            let bytes = text.utf8.lazy.map { max($0, 1) }.prefix(max(key.count - 1, 0))
            let (_, end) = key.initialize(from: bytes)
            return end + 1
        }
    }
}

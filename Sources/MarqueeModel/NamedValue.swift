/// A name and its value, as a person writes both: `topics=food`.
package struct NamedValue: Hashable, Sendable {
    package var name: String
    /// All that follows the first equals sign; possibly empty.
    package var value: String

    /// - Returns: `nil` without an equals sign, or without a name before it.
    package init?(_ text: String) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty else { return nil }
        (name, value) = (String(parts[0]), String(parts[1]))
    }
}

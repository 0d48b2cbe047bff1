/// An environment variable that is on or off.
package enum FlagVariable {
    /// A variable with a value that means neither.
    package struct Mistake: Error, Hashable, CustomStringConvertible {
        package var name: String
        package var text: String

        package var description: String { "\(name) is '\(text)'; write 1, true or yes, or 0, false or no" }
    }

    /// Whether a variable is on; one that is unset or empty isn't.
    package static func isOn(_ name: String, in environment: [String: String]) throws(Mistake) -> Bool {
        guard let text = environment[name], !text.isEmpty else { return false }
        guard let isOn = value(text) else { throw Mistake(name: name, text: text) }
        return isOn
    }

    /// Whether a word turns something on or off, in letters of any case; `nil` if it does neither.
    package static func value(_ word: String) -> Bool? {
        switch word.lowercased() {
        case "1", "true", "yes": true
        case "0", "false", "no": false
        default: nil
        }
    }
}

/// An environment variable that is on or off.
package enum FlagVariable {
    /// A variable whose value means neither on nor off.
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

    /// Whether a word means on or off, ignoring case; `nil` if it means neither.
    package static func value(_ word: String) -> Bool? {
        switch word.lowercased() {
        case "1", "true", "yes": true
        case "0", "false", "no": false
        default: nil
        }
    }
}

import MarqueeModel
import Yams

/// Reads mappings of an operator's YAML, and refuses unknown keys: a misspelt setting would have no effect.
enum YAMLKeys {
    /// The most characters of a key that a message quotes.
    private static let shownCharacters = 64

    struct Mistake: Error {
        /// The description, which begins with the line number if there is one.
        var description: String
    }

    struct Field {
        var key: Node
        var name: String
        var value: Node
    }

    /// - Parameter what: the mapping's name in messages.
    /// - Throws: for anything but a mapping of these keys.
    static func fields(_ node: Node, of what: String, _ allowed: [String]) throws(Mistake) -> [Field] {
        guard let mapping = node.mapping else {
            throw Mistake(description: "\(line(of: node))\(what) is a mapping of \(allowed.joined(separator: ", "))")
        }
        return try mapping.map { (key, value) throws(Mistake) -> Field in
            let name = key.scalar?.string ?? ""
            guard allowed.contains(name) else {
                let hint = NearestName.suggestion(for: name, among: allowed).map { "; did you mean '\($0)'?" }
                throw Mistake(
                    description: "\(line(of: key))\(what) has no '\(name.prefix(shownCharacters))'"
                        + (hint ?? ", only \(allowed.joined(separator: ", "))"))
            }
            return Field(key: key, name: name, value: value)
        }
    }

    /// The reason why a value can't be decoded, for people.
    static func reason(_ error: any Error) -> String {
        func place(_ path: [any CodingKey], _ key: (any CodingKey)? = nil) -> String {
            let keys = path + (key.map { [$0] } ?? [])
            return keys.map { $0.intValue.map { "\($0 + 1)" } ?? $0.stringValue }.joined(separator: " ")
        }
        switch error as? DecodingError {
        case .keyNotFound(let key, let context): return "'\(place(context.codingPath, key))' is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            return "'\(place(context.codingPath))' has a value of another kind than it needs"
        default: return "\(error)"
        }
    }

    /// The beginning of a message about a node.
    static func line(of node: Node) -> String { node.mark.map { "line \($0.line): " } ?? "" }
}

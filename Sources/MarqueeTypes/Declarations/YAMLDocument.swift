package import Yams

/// Parses YAML files written by people.
package enum YAMLDocument {
    package struct Mistake: Error, Hashable, CustomStringConvertible {
        /// From 1.
        package var line: Int
        package var reason: String

        package var description: String { "line \(line): \(reason)" }
    }

    /// Reads a document, skipping the byte order mark that some editors put at its beginning.
    ///
    /// - Returns: `nil` if the document is empty.
    package static func compose(_ text: String) throws(Mistake) -> Node? {
        let text = text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
        do { return try Yams.compose(yaml: text) } catch { throw mistake(error, text) }
    }

    private static func mistake(_ error: any Error, _ text: String) -> Mistake {
        switch error as? YamlError {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            let indent = (lines.dropFirst(max(0, mark.line - 1)).first ?? "").prefix { $0 == " " || $0 == "\t" }
            return Mistake(
                line: mark.line,
                reason: indent.contains("\t")
                    ? "the line begins with a tab; YAML is indented with spaces" : "this is not YAML: \(problem)")
        case .duplicatedKeysInMapping(let duplicates, let context):
            let keys = duplicates.sorted().map { "'\($0)'" }.joined(separator: ", ")
            return Mistake(line: context.mark.line, reason: "this mapping has a duplicate key: \(keys)")
        case .reader(let problem, let offset, _, _):
            let line = text.prefix(offset ?? 0).count { $0.isNewline } + 1
            return Mistake(line: line, reason: "this can't be read as YAML: \(problem)")
        default: return Mistake(line: 1, reason: "this can't be read as YAML")
        }
    }
}

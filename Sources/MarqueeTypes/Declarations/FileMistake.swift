/// One mistake in a file written by a person.
package struct FileMistake: Error, Hashable, Sendable, CustomStringConvertible {
    package var file: String
    /// From 1.
    package var line: Int
    /// The reason, as shown to people.
    package var reason: String

    package init(file: String, line: Int, reason: String) {
        self.file = file
        self.line = line
        self.reason = reason
    }

    /// `types.yaml:12: a type has no key 'sort' …`
    package var description: String { "\(file):\(line): \(reason)" }
}

/// The mistakes in a file, ordered by line.
package struct FileMistakes: Error, Hashable, Sendable, CustomStringConvertible {
    /// Maximum number of mistakes reported for one file.
    package static let limit = 50

    /// Never empty.
    package var mistakes: [FileMistake]

    package var description: String { mistakes.map(\.description).joined(separator: "\n") }
}

extension [FileMistake] {
    /// Each mistake once, by line.
    package var listed: [FileMistake] {
        var known: Set<FileMistake> = []
        return filter { known.insert($0).inserted }.sorted { $0.line < $1.line }
    }
}

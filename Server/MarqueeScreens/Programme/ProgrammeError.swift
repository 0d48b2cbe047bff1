/// One problem in a programme file.
package struct ProgrammeError: Error, Hashable, Sendable, CustomStringConvertible {
    package var file: String
    /// From 1.
    package var line: Int
    /// For people.
    package var reason: String

    package init(file: String, line: Int, reason: String) {
        self.file = file
        self.line = line
        self.reason = reason
    }

    /// `programme.yaml:12: unknown key 'hieght' …`
    package var description: String { "\(file):\(line): \(reason)" }
}

/// All problems in a programme file, in line order.
package struct ProgrammeErrors: Error, Hashable, Sendable, CustomStringConvertible {
    /// Maximum problems reported per file.
    package static let limit = 50

    /// Never empty.
    package var errors: [ProgrammeError]

    package var description: String { errors.map(\.description).joined(separator: "\n") }
}

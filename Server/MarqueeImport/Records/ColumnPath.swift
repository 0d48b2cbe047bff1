import MarqueeModel
import MarqueeTypes

/// Names a column, or a part of the JSON in it: `plays`, `score.ft[0]`, `genres[].name`.
struct ColumnPath: Hashable {
    private enum Step: Hashable {
        case member(String)
        case index(Int)
        /// Each element of a list.
        case all
    }

    let text: String
    /// The column, if `text` as a whole names none.
    private let column: String
    /// `nil` if `text` can only be the name of a column.
    private let steps: [Step]?

    init(_ text: String) {
        self.text = text
        column = String(text.prefix { $0 != "." && $0 != "[" })
        steps = column.isEmpty || column.count == text.count ? nil : ColumnPath.steps(text.dropFirst(column.count))
    }

    /// The existing column that it reads.
    func column(among names: [String]) -> String? {
        if names.contains(text) { return text }
        return steps != nil && names.contains(column) ? column : nil
    }

    /// The value in a row; `nil` if it is missing.
    func value(in row: RecordRow) throws(BadRow) -> JSONValue? {
        if let value = row[text] { return value }
        guard let steps, let value = row[column] else { return nil }
        return try ColumnPath.walk(try ColumnPath.parsed(value), steps[...])
    }

    /// JSON as the text of a cell.
    static func parsed(_ value: JSONValue) throws(BadRow) -> JSONValue {
        guard case .text(let text) = value, let first = text.first(where: { !$0.isWhitespace }), "[{".contains(first)
        else { return value }
        do throws(RecordError) {
            return try JSONValue(parsing: Array(text.utf8))
        } catch {
            throw BadRow(error.reason)
        }
    }

    private static func walk(_ value: JSONValue, _ steps: ArraySlice<Step>) throws(BadRow) -> JSONValue? {
        guard let step = steps.first else { return value }
        let rest = steps.dropFirst()
        switch (step, value) {
        case (_, .null): return nil
        case (.member(let name), .object):
            guard let member = value[name] else { return nil }
            return try walk(member, rest)
        case (.index(let index), .list(let values)):
            guard values.indices.contains(index) else { return nil }
            return try walk(values[index], rest)
        case (.all, .list(let values)):
            var found: [JSONValue] = []
            for value in values {
                if let value = try walk(value, rest) { found.append(value) }
            }
            return .list(found)
        case (.member, _): throw BadRow("an object is expected there, not \(value.found)")
        case (.index, _), (.all, _): throw BadRow("a list is expected there, not \(value.found)")
        }
    }

    /// `.name`, `[0]` and `[]`, one after the other; `nil` for anything else.
    private static func steps(_ text: Substring) -> [Step]? {
        var steps: [Step] = []
        var rest = text
        while let first = rest.first {
            rest = rest.dropFirst()
            if first == "." {
                let name = rest.prefix { $0 != "." && $0 != "[" }
                guard !name.isEmpty else { return nil }
                steps.append(.member(String(name)))
                rest = rest.dropFirst(name.count)
            } else {
                guard first == "[", let end = rest.firstIndex(of: "]") else { return nil }
                let index = rest[..<end]
                if index.isEmpty {
                    steps.append(.all)
                } else {
                    guard let number = Int(index), number >= 0 else { return nil }
                    steps.append(.index(number))
                }
                rest = rest[rest.index(after: end)...]
            }
        }
        return steps
    }
}

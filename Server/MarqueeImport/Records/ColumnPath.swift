import Foundation
import MarqueeModel
import MarqueeTypes

/// Names a column, or a part of the JSON in it: `plays`, `score.ft[0]`, `genres[].name`, `crew[job=Director].name`.
struct ColumnPath: Hashable {
    fileprivate enum Step: Hashable {
        case member(String)
        case index(Int)
        /// Each element of a list.
        case all
        /// The first element of a list in which this member has this value; an object itself if its member has it.
        case having(String, String)
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

    /// The value in an element of a list.
    /// - Parameter column: the part that `elements` returned.
    static func value(_ column: ElementPath, in element: JSONValue) throws(BadRow) -> JSONValue? {
        try walk(element, column.steps[...])
    }

    /// A part of each element of a list.
    struct ElementPath: Hashable {
        fileprivate var steps: [Step]
    }

    /// The innermost list that it leads into, and the part that it names in each element: `credits.cast[]` and `.id`.
    /// - Returns: `nil` if it leads into none.
    var elements: (list: ColumnPath, part: ElementPath)? {
        guard let all = text.range(of: "[]", options: .backwards) else { return nil }
        var end = all.upperBound
        // Conditions choose among the elements.
        while text[end...].hasPrefix("["), let close = text[end...].firstIndex(of: "]") {
            end = text.index(after: close)
        }
        let list = ColumnPath(String(text[..<end]))
        guard list.steps != nil, let steps = ColumnPath.steps(text[end...]) else { return nil }
        return (list, ElementPath(steps: steps))
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
        case (.having(let name, let wanted), .list(let values)):
            guard let found = values.first(where: { has(name, wanted, $0) }) else { return nil }
            return try walk(found, rest)
        case (.having(let name, let wanted), .object):
            return has(name, wanted, value) ? try walk(value, rest) : nil
        case (.member, _): throw BadRow("an object is expected there, not \(value.found)")
        case (.index, _), (.all, _), (.having, _): throw BadRow("a list is expected there, not \(value.found)")
        }
    }

    private static func has(_ name: String, _ wanted: String, _ element: JSONValue) -> Bool {
        switch element[name] {
        case .text(let text)?, .number(let text)?: text == wanted
        case .bool(let flag)?: "\(flag)" == wanted
        default: false
        }
    }

    /// `.name`, `[0]`, `[]` and `[name=value]`, one after the other; `nil` for anything else.
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
                } else if let sign = index.firstIndex(of: "=") {
                    guard sign > index.startIndex else { return nil }
                    steps.append(.having(String(index[..<sign]), String(index[index.index(after: sign)...])))
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

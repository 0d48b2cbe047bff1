internal import MarqueeModel
package import Yams

/// A reader that converts the nodes of a YAML file to values and collects every mistake on the way.
///
/// A function that finds a mistake reports it and returns `nil`; its callers continue, so one run finds all mistakes.
package protocol YAMLReading {
    /// The name of the file, for error messages.
    var file: String { get }
    /// The mistakes so far, in the order found; at most `FileMistakes.limit`.
    var mistakes: [FileMistake] { get set }
}

/// A reader with no state but its mistakes.
package struct YAMLReader: YAMLReading {
    package let file: String
    package var mistakes: [FileMistake] = []

    package init(file: String) { self.file = file }
}

/// A mapping's values by key; only the known keys are kept.
package struct YAMLFields {
    package var node: Node
    /// A phrase for the mapping in error messages, such as `a type`.
    package var what: String
    package var values: [String: Node]

    package subscript(key: String) -> Node? { values[key] }
}

extension YAMLReading {
    package typealias Fields = YAMLFields

    package mutating func report(_ node: Node?, _ reason: String) { report(line: node?.mark?.line ?? 1, reason) }

    package mutating func report(line: Int, _ reason: String) {
        guard mistakes.count < FileMistakes.limit else { return }
        mistakes.append(FileMistake(file: file, line: line, reason: reason))
    }

    /// All mistakes so far, by line. One in a node that aliases repeat counts once.
    package var error: FileMistakes { FileMistakes(mistakes: mistakes.listed) }

    // MARK: - Documents

    /// The root of a document; `nil` if it is too large, empty or not YAML. libyaml refuses documents nested a thousand
    /// levels deep.
    package mutating func root(_ text: String, atMost bytes: Int) -> Node? {
        guard text.utf8.count <= bytes else {
            report(line: 1, "the file is larger than \(bytes) bytes")
            return nil
        }
        do throws(YAMLDocument.Mistake) {
            if let root = try YAMLDocument.compose(text) { return root }
            report(line: 1, "the file is empty")
        } catch {
            report(line: error.line, error.reason)
        }
        return nil
    }

    // MARK: - Shapes

    /// Reads a mapping, and reports keys that aren't among `allowed`.
    package mutating func fields(_ node: Node, _ what: String, allowed: [String]) -> Fields? {
        guard case .mapping(let mapping) = node else {
            report(node, "\(what) must be a mapping with the keys \(allowed.joined(separator: ", "))")
            return nil
        }
        var values: [String: Node] = [:]
        for (key, value) in mapping {
            guard let name = key.scalar?.string, allowed.contains(name) else {
                reportUnknown(key, "key", of: what, allowed)
                continue
            }
            values[name] = value
        }
        return Fields(node: node, what: what, values: values)
    }

    /// The entries of a mapping whose keys are names that its author chose.
    package mutating func entries(_ node: Node, _ what: String, atMost limit: Int) -> [(key: Node, value: Node)]? {
        guard case .mapping(let mapping) = node else {
            report(node, "\(what) must be a mapping")
            return nil
        }
        guard mapping.count <= limit else {
            report(node, "\(what) has \(mapping.count) entries; at most \(limit) are allowed")
            return nil
        }
        return mapping.map { ($0.key, $0.value) }
    }

    /// The value of a required key.
    package mutating func required(_ key: String, in fields: Fields) -> Node? {
        if let node = fields[key] { return node }
        report(fields.node, "\(fields.what) needs '\(key)'")
        return nil
    }

    /// The elements of a list.
    package mutating func list(_ node: Node, _ what: String, atMost limit: Int) -> [Node]? {
        guard case .sequence(let sequence) = node else {
            report(node, "\(what) must be a list")
            return nil
        }
        guard sequence.count <= limit else {
            report(node, "\(what) has \(sequence.count) entries; at most \(limit) are allowed")
            return nil
        }
        return Array(sequence)
    }

    package mutating func reportUnknown(_ node: Node, _ noun: String, of what: String, _ allowed: [String]) {
        let name = node.scalar?.string ?? "(not a name)"
        let hint = NearestName.suggestion(for: name, among: allowed).map { "; did you mean '\($0)'?" } ?? "."
        report(
            node, "\(what) has no \(noun) '\(name.prefix(64))'\(hint) Allowed: \(allowed.joined(separator: ", "))")
    }

    // MARK: - Scalars

    /// A nonempty text.
    package mutating func text(_ node: Node, _ what: String, atMost limit: Int) -> String? {
        guard case .scalar(let scalar) = node else {
            report(node, "\(what) must be text")
            return nil
        }
        guard !scalar.string.isEmpty else {
            report(node, "\(what) is empty")
            return nil
        }
        guard scalar.string.utf8.count <= limit else {
            report(node, "\(what) is longer than \(limit) bytes")
            return nil
        }
        guard !scalar.string.utf8.contains(0) else {
            report(node, "\(what) contains a NUL character")
            return nil
        }
        return scalar.string
    }

    /// A whole number within `range`.
    package mutating func integer<Number: FixedWidthInteger>(
        _ node: Node, _ what: String, in range: ClosedRange<Number>
    ) -> Number? {
        guard let text = node.scalar?.string, let value = Number(text) else {
            report(node, "\(what) must be a whole number from \(range.lowerBound) to \(range.upperBound)")
            return nil
        }
        guard range.contains(value) else {
            report(node, "\(what) must be from \(range.lowerBound) to \(range.upperBound), not \(value)")
            return nil
        }
        return value
    }
}

import MarqueeModel
import MarqueeTypes
import Yams

/// Turns the nodes of a programme file into values and collects every problem along the way.
///
/// A reading function that meets a problem reports it and returns `nil`; its callers continue, so one run finds them
/// all.
struct ProgrammeReader {
    /// A mapping whose keys are all known.
    struct Fields {
        var node: Node
        /// What the mapping describes, for messages.
        var what: String
        var values: [String: Node]

        subscript(key: String) -> Node? { values[key] }
    }

    let file: String
    /// The types of records that the programme may name.
    let types: TypeSet?
    private(set) var problems: [ProgrammeError] = []
    /// Not errors, but probably unintended.
    private(set) var warnings: [ProgrammeError] = []
    /// What the catalogue has to have, in the order of the file.
    var references: [ProgrammeReference] = []
    /// The messages of bodies that programmes give a kind, by it.
    var bodyKinds: [ItemKind: String] = [:]
    /// Where the file's actions lead; the screens are known once the whole file is read.
    var targets: [(screen: String, node: Node)] = []
    /// Known once the head of the file is read.
    var locales: [String] = ["en"]
    var layouts: [String: SectionLayout] = [:]
    /// Collections whose values the templates of the body being read print.
    var printedCollections: Set<CollectionName> = []
    private var knownBodies: Set<RecordBody> = []

    init(file: String, types: TypeSet?) {
        self.file = file
        self.types = types
    }

    /// The body that the file has given before, if there is one like it.
    mutating func shared(_ body: RecordBody) -> RecordBody { knownBodies.insert(body).memberAfterInsert }

    mutating func report(_ node: Node?, _ reason: String) {
        report(line: node?.mark?.line ?? 1, reason)
    }

    mutating func report(line: Int, _ reason: String) {
        guard problems.count < ProgrammeErrors.limit else { return }
        problems.append(ProgrammeError(file: file, line: line, reason: reason))
    }

    mutating func warn(_ node: Node, _ reason: String) {
        guard warnings.count < ProgrammeErrors.limit else { return }
        warnings.append(ProgrammeError(file: file, line: node.mark?.line ?? 1, reason: reason))
    }

    // MARK: - Shapes

    /// A mapping; reports keys that are not among `allowed`.
    mutating func fields(_ node: Node, _ what: String, allowed: [String]) -> Fields? {
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

    /// The value of a required key.
    mutating func required(_ key: String, in fields: Fields) -> Node? {
        if let node = fields[key] { return node }
        report(fields.node, "\(fields.what) needs '\(key)'")
        return nil
    }

    /// The elements of a list.
    mutating func list(_ node: Node, _ what: String, atMost limit: Int) -> [Node]? {
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

    mutating func reportUnknown(_ node: Node, _ noun: String, of what: String, _ allowed: [String]) {
        let name = node.scalar?.string ?? "(not a name)"
        let hint = NearestName.suggestion(for: name, among: allowed).map { "; did you mean '\($0)'?" } ?? "."
        report(
            node, "\(what) has no \(noun) '\(name.prefix(64))'\(hint) Allowed: \(allowed.joined(separator: ", "))")
    }

    // MARK: - Scalars

    /// A nonempty text.
    mutating func text(_ node: Node, _ what: String, atMost limit: Int = ProgrammeLimits.textBytes) -> String? {
        guard case .scalar(let scalar) = node else {
            report(node, "\(what) must be a text")
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

    /// An id: letters, digits, `-`, `_` and `.`.
    mutating func identifier(_ node: Node, _ what: String) -> String? {
        guard let name = text(node, what, atMost: ProgrammeLimits.idBytes) else { return nil }
        let isPlain = name.unicodeScalars.allSatisfy {
            switch $0 {
            case "a"..."z", "A"..."Z", "0"..."9", "-", "_", ".": true
            default: false
            }
        }
        guard isPlain else {
            report(node, "\(what) '\(name)' may contain only letters, digits, '-', '_' and '.'")
            return nil
        }
        return name
    }

    /// A whole number within `range`.
    mutating func integer<Number: FixedWidthInteger>(
        _ node: Node, _ what: String, in range: ClosedRange<Number>
    ) -> Number? {
        guard let text = node.scalar?.string, let value = Number(text) else {
            report(node, "\(what) must be a whole number")
            return nil
        }
        guard range.contains(value) else {
            report(node, "\(what) must be from \(range.lowerBound) to \(range.upperBound), not \(value)")
            return nil
        }
        return value
    }

    /// A finite number within `range`.
    mutating func number(_ node: Node, _ what: String, in range: ClosedRange<Double>) -> Double? {
        guard let text = node.scalar?.string, let value = Double(text), value.isFinite else {
            report(node, "\(what) must be a number")
            return nil
        }
        guard range.contains(value) else {
            report(node, "\(what) must be from \(range.lowerBound) to \(range.upperBound), not \(text)")
            return nil
        }
        return value
    }

    /// One of a closed set of names.
    mutating func choice<Value>(_ node: Node, _ what: String, _ choices: [(name: String, value: Value)]) -> Value? {
        guard let name = text(node, what) else { return nil }
        if let choice = choices.first(where: { $0.name == name }) { return choice.value }
        let names = choices.map(\.name)
        let hint = NearestName.suggestion(for: name, among: names).map { "; did you mean '\($0)'?" } ?? "."
        report(node, "unknown \(what) '\(name.prefix(64))'\(hint) Known: \(names.joined(separator: ", "))")
        return nil
    }

    /// A plain text for every locale, or a mapping of texts by locale.
    mutating func localized(
        _ node: Node, _ what: String, atMost limit: Int = ProgrammeLimits.textBytes
    ) -> LocalizedText? {
        guard case .mapping = node else { return text(node, what, atMost: limit).map { LocalizedText($0) } }
        guard let fields = fields(node, what, allowed: locales), let first = locales.first else { return nil }
        guard fields[first] != nil else {
            report(node, "\(what) has no text for the default locale '\(first)'")
            return nil
        }
        var texts: [String: String] = [:]
        for locale in locales {
            guard let node = fields[locale] else { continue }
            guard let text = text(node, "\(what) (\(locale))", atMost: limit) else { return nil }
            texts[locale] = text
        }
        guard let fallback = texts[first] else { return nil }
        return LocalizedText(texts, fallback: fallback)
    }
}

import MarqueeModel
import MarqueeStore
import MarqueeTypes
import Yams

/// Turns the nodes of a programme file into values.
struct ProgrammeReader: YAMLReading {
    let file: String
    /// The types of records that the programme may name.
    let types: TypeSet?
    var mistakes: [FileMistake] = []
    /// Mistakes that aren't errors.
    private(set) var warnings: [FileMistake] = []
    /// References to the catalogue, in the order of the file.
    var references: [ProgrammeReference] = []
    /// The messages to which bodies give a kind, by kind.
    var bodyKinds: [ItemKind: String] = [:]
    /// Targets of the file's actions, checked once the whole file has been read and the screens are known.
    var targets: [(screen: String, node: Node)] = []
    /// The families of screens for which the app itself shows the title and a way back.
    var ownBars: Set<String> = []
    /// Set once the head of the file has been read.
    var locales: [String] = ["en"]
    /// The zone of days, and of times whose format names none: the programme's, or that of the section being read.
    var zone = TextFormat.universal
    var layouts: [String: SectionLayout] = [:]
    var audiences: [String: ReadAudience] = [:]
    /// The observations that clients report about sections without settings of their own.
    var counting: Counting?
    /// Collections whose values the templates of the body being read print.
    var printedCollections: Set<CollectionName> = []
    /// The families in which templates count records.
    var counted: Set<RecordFamily> = []
    /// The records in the orders of the fields until whose values templates print the time left.
    var countdowns: Set<RecordFamily> = []
    private var knownBodies: Set<RecordBody> = []

    init(file: String, types: TypeSet?) {
        self.file = file
        self.types = types
    }

    /// The equal body read earlier from the file, if any; otherwise this one.
    mutating func shared(_ body: RecordBody) -> RecordBody { knownBodies.insert(body).memberAfterInsert }

    mutating func warn(_ node: Node, _ reason: String) {
        guard warnings.count < FileMistakes.limit else { return }
        warnings.append(FileMistake(file: file, line: node.mark?.line ?? 1, reason: reason))
    }

    /// Reads part of the file again with other values, without repeating what was found before.
    mutating func readingOnce<Value>(_ read: (inout ProgrammeReader) -> Value) -> Value {
        let before = (mistakes, warnings, targets, references)
        (mistakes, warnings, targets, references) = ([], [], [], [])
        let value = read(&self)
        let (knownMistakes, knownWarnings) = (Set(before.0), Set(before.1))
        let knownTargets = Set(before.2.map { [$0.screen, $0.node.mark?.description ?? ""] })
        mistakes = Array((before.0 + mistakes.filter { !knownMistakes.contains($0) }).prefix(FileMistakes.limit))
        warnings = Array((before.1 + warnings.filter { !knownWarnings.contains($0) }).prefix(FileMistakes.limit))
        targets = before.2 + targets.filter { !knownTargets.contains([$0.screen, $0.node.mark?.description ?? ""]) }
        let knownReferences = Set(before.3)
        references = before.3 + references.filter { !knownReferences.contains($0) }
        return value
    }

    // MARK: - Scalars

    /// Reads a nonempty text of at most `ProgrammeLimits.textBytes`.
    mutating func text(_ node: Node, _ what: String) -> String? {
        text(node, what, atMost: ProgrammeLimits.textBytes)
    }

    /// Reads an id: letters, digits, `-`, `_` and `.`.
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

    /// Reads the name of something in the catalogue, by the rule of the catalogue.
    /// - Parameter judge: returns the reason why nothing in the catalogue can have that name.
    mutating func stored(_ node: Node, _ what: String, _ judge: (String) -> String?) -> String? {
        guard let name = text(node, what) else { return nil }
        guard let refusal = judge(name) else { return name }
        report(node, "'\(name.prefix(64))': \(refusal)")
        return nil
    }

    /// Reads the name of a pool.
    mutating func poolName(_ node: Node) -> String? {
        let what = "the name of a pool"
        return stored(node, what) { CatalogueBounds.refusal(of: $0, what, limit: CatalogueBounds.identifier) }
    }

    /// Reads a finite number within `range`.
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

    /// Reads one of a closed set of names.
    mutating func choice<Value>(_ node: Node, _ what: String, _ choices: [(name: String, value: Value)]) -> Value? {
        guard let name = text(node, what) else { return nil }
        if let choice = choices.first(where: { $0.name == name }) { return choice.value }
        let names = choices.map(\.name)
        let hint = NearestName.suggestion(for: name, among: names).map { "; did you mean '\($0)'?" } ?? "."
        report(node, "unknown \(what) '\(name.prefix(64))'\(hint) Known: \(names.joined(separator: ", "))")
        return nil
    }

    /// Reads `true` or `false`.
    mutating func flag(_ node: Node, _ what: String) -> Bool? {
        choice(node, what, [(name: "true", value: true), (name: "false", value: false)])
    }

    /// Reads a text, or a mapping of texts by locale. Reports words beginning with `$` that aren't among the
    /// placeholders, such as the name of a field: they would be shown as they are.
    mutating func localized(_ node: Node, _ what: String, showing placeholders: [String]) -> LocalizedText? {
        let texts = node.mapping?.compactMap { $0.value.scalar?.string } ?? [node.scalar?.string ?? ""]
        for text in texts {
            guard let word = ProgrammeReader.placeholder(in: text, besides: placeholders) else { continue }
            let known = placeholders.isEmpty ? "nothing but words" : placeholders.joined(separator: " and ")
            report(node, "\(what) shows \(known), not '\(word.prefix(64))'")
            return nil
        }
        return localized(node, what)
    }

    /// The first word that looks like a placeholder, such as `$record`, and isn't a known one.
    private static func placeholder(in text: String, besides known: [String]) -> String? {
        text.matches(of: /\$\{?[a-z][A-Za-z0-9_]*/).lazy.map { String($0.output) }.first { !known.contains($0) }
    }

    /// Reads a plain text for every locale, or a mapping of texts by locale.
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

package import MarqueeTypes
import Yams

extension RecordMapping {
    /// The most bytes of a mapping.
    private static let fileBytes = 1 << 20
    /// The most entries of one part.
    private static let entries = 1_024
    /// The most bytes of a name or value.
    private static let textBytes = 4_096

    /// Reads a mapping from YAML: `id`, `omit` and `null`, each a text or a list of texts, `map`, `set`, `split`,
    /// `time` and `unknown`, each a mapping of fields, `zone` and `decimal`.
    ///
    /// - Parameter file: its name, for messages.
    /// - Throws: every mistake found.
    package init(yaml text: String, file: String) throws(FileMistakes) {
        var reader = YAMLReader(file: file)
        self.init()
        if let root = reader.root(text, atMost: RecordMapping.fileBytes),
            let fields = reader.fields(root, "a mapping", allowed: RecordMapping.keys)
        {
            self.init(fields, &reader)
        }
        if !reader.mistakes.isEmpty { throw reader.error }
    }

    /// Reads the parts of a mapping among the fields of something larger.
    init(_ fields: YAMLFields, _ reader: inout YAMLReader) {
        self.init()
        func texts(_ key: String) -> [String] {
            fields[key].map { RecordMapping.texts($0, "'\(key)'", &reader) } ?? []
        }
        id = texts("id")
        omitted = texts("omit")
        nullTexts = texts("null")
        if let node = fields["zone"], let name = reader.text(node, "'zone'", atMost: RecordMapping.textBytes) {
            zone = ImportZone(name)
            if zone == nil { reader.report(node, ImportZone.refusal(of: name)) }
        }
        if let node = fields["decimal"], let name = reader.text(node, "'decimal'", atMost: RecordMapping.textBytes) {
            decimal = DecimalMark(rawValue: name)
            if decimal == nil { reader.report(node, "'decimal' is \(DecimalMark.words)") }
        }
        func entries(_ key: String) -> [Entry] {
            guard let node = fields[key],
                let pairs = reader.entries(node, "'\(key)'", atMost: RecordMapping.entries)
            else { return [] }
            return pairs.compactMap { pair in
                guard let field = reader.text(pair.key, "a field of '\(key)'", atMost: RecordMapping.textBytes),
                    let value = reader.text(pair.value, "'\(field)'", atMost: RecordMapping.textBytes)
                else { return nil }
                return Entry(field: field, value: value)
            }
        }
        columns = entries("map")
        constants = entries("set")
        separators = entries("split")
        times = entries("time")
        unknowns = entries("unknown")
    }

    static let keys = ["id", "map", "set", "split", "time", "zone", "decimal", "null", "omit", "unknown"]

    private static func texts(_ node: Node, _ what: String, _ reader: inout YAMLReader) -> [String] {
        guard case .sequence = node else {
            return reader.text(node, what, atMost: textBytes).map { [$0] } ?? []
        }
        let nodes = reader.list(node, what, atMost: entries) ?? []
        return nodes.compactMap { reader.text($0, "a text of \(what)", atMost: textBytes) }
    }
}

package import MarqueeModel

extension JSONValue {
    /// Reads a document. A record inside another document, such as a change, is read as part of it and then by its
    /// coder.
    ///
    /// - Parameter limit: the most bytes of the document.
    /// - Throws: when it is not JSON, with line and column; also for a name that occurs twice in an object.
    package init(parsing bytes: [UInt8], atMost limit: Int = RecordLimits.jsonBytes) throws(RecordError) {
        self = try JSONReader.read(bytes, atMost: limit)
    }

    /// A short description of the value, for people.
    package var found: String {
        let limit = 40
        switch self {
        case .null: return "null"
        case .bool(let value): return "\(value)"
        case .number(let text): return "\(text.prefix(limit))\(text.utf8.count > limit ? "…" : "")"
        case .text(let text): return "the text '\(text.prefix(limit))\(text.count > limit ? "…" : "")'"
        case .list: return "a list"
        case .object: return "an object"
        }
    }
    /// The value as JSON without spaces, with the members of objects sorted by name, and numbers as they were written.
    package var sortedText: String {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.text
    }

    private func write(to writer: inout JSONWriter) {
        switch self {
        case .null: writer.word("null")
        case .bool(let value): writer.word("\(value)")
        case .number(let digits): writer.word(digits)
        case .text(let text): writer.string(text)
        case .list(let values): writer.list { writer in for value in values { value.write(to: &writer) } }
        case .object(let members):
            writer.object { writer in
                for member in members.sorted(by: { $0.name < $1.name }) {
                    writer.name(member.name)
                    member.value.write(to: &writer)
                }
            }
        }
    }
}

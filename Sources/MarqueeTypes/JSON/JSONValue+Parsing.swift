package import MarqueeModel

extension JSONValue {
    /// Reads a document. A record inside another document, such as a change, is parsed with that document and then
    /// passed to its coder.
    ///
    /// - Parameter limit: maximum size of the document in bytes.
    /// - Throws: if it isn't JSON, with line and column; also if a name occurs twice in an object.
    package init(parsing bytes: [UInt8], atMost limit: Int = RecordLimits.jsonBytes) throws(RecordError) {
        self = try JSONReader.read(bytes, atMost: limit)
    }

    /// Reads a document that is a list, one element at a time. Each element may have as many values as a whole
    /// document.
    package static func forEachElement(
        of bytes: [UInt8], _ body: (JSONValue) throws(RecordError) -> Void
    ) throws(RecordError) { try JSONReader.forEachElement(of: bytes, body) }

    /// A short description of the value, for error messages.
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

    /// The value as JSON without spaces, with the members of objects sorted by name and numbers as they were written.
    package var sortedText: String {
        var writer = JSONWriter()
        writer.value(self)
        return writer.text
    }

    /// A number within the value that JSON can't express, such as `inf`.
    package var invalidNumber: String? {
        switch self {
        case .null, .bool, .text: nil
        case .number(let text): Numerals.isNumber(text) ? nil : text
        case .list(let values): values.lazy.compactMap(\.invalidNumber).first
        case .object(let members): members.lazy.compactMap(\.value.invalidNumber).first
        }
    }
}

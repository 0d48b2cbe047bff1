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

    /// Reads a document that is a list, an element at a time. Each may be as large as a document.
    package static func forEachElement(
        of bytes: [UInt8], _ body: (JSONValue) throws(RecordError) -> Void
    ) throws(RecordError) { try JSONReader.forEachElement(of: bytes, body) }

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

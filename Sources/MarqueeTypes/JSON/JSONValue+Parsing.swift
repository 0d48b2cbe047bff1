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

    /// What stands there, for people.
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
}

import MarqueeCatalogue
import MarqueeModel
import MarqueeTypes

extension Change {
    /// Of a larger document, most of the cost is base64, which Foundation reads faster.
    private static let mostBytes = 4_096

    /// Reads a record to put, with its bytes, from exactly the document that `document()` writes for it. Sources and
    /// imports send hundreds of thousands of these, which needn't be taken apart as JSON.
    /// - Returns: `nil` for any other document, for a large one, and for names that aren't plain ASCII.
    static func put(written json: [UInt8]) -> Change? {
        guard json.count <= mostBytes else { return nil }
        return json.withUnsafeBufferPointer { json in
            var reader = WrittenPut(rest: json[...])
            guard reader.take(#"{"put":{"bytes":""#), let digits = reader.text(),
                reader.take(#","id":""#), let id = reader.text(),
                reader.take(#","type":""#), let type = reader.text(),
                reader.take("}}"), reader.rest.isEmpty, let bytes = Base64.bytes(exactly: digits)
            else { return nil }
            let name = RecordID(type: String(decoding: type, as: UTF8.self), id: String(decoding: id, as: UTF8.self))
            return .put(name, .bytes(bytes))
        }
    }
}

private struct WrittenPut {
    var rest: Slice<UnsafeBufferPointer<UInt8>>

    mutating func take(_ words: StaticString) -> Bool {
        let isThere = words.withUTF8Buffer { rest.starts(with: $0) }
        if isThere { rest = rest.dropFirst(words.utf8CodeUnitCount) }
        return isThere
    }

    /// The bytes before a quotation mark, which is taken too.
    mutating func text() -> UnsafeBufferPointer<UInt8>? {
        guard let end = rest.firstIndex(where: { !(0x20..<0x7F).contains($0) || Self.isMark($0) }),
            rest[end] == UInt8(ascii: "\"")
        else { return nil }
        defer { rest = rest[(end + 1)...] }
        return UnsafeBufferPointer(rebasing: rest[..<end])
    }

    private static func isMark(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") }
}

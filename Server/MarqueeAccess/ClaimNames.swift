import Foundation

/// The names of a JSON object's members.
///
/// A token in which a claim is there twice means one thing to a reader that takes the first and another to one that
/// takes the last, so RFC 7519 (4) has it refused. Decoders don't tell.
struct ClaimNames {
    private var depth = 0
    private var isEscaped = false
    /// Where the string being read began.
    private var begin: Int?
    /// The last string read at the object's own level.
    private var text: Range<Int>?
    private var names: Set<String> = []

    /// The part of a JSON Web Token that holds its claims; `nil` if it can't be decoded.
    static func claims(of token: String) -> [UInt8]? {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        var text = String(parts[1].map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
        text += String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        return Data(base64Encoded: text).map(Array.init)
    }

    /// Whether no member of an object is there twice.
    /// - Parameter json: the object, which is known to be valid JSON.
    static func areUnique(in json: [UInt8]) -> Bool {
        var reader = ClaimNames()
        return json.indices.allSatisfy { reader.accepts(json[$0], at: $0, of: json) }
    }

    private mutating func accepts(_ byte: UInt8, at index: Int, of json: [UInt8]) -> Bool {
        if let begin { return goOn(with: byte, at: index, since: begin) }
        switch byte {
        case UInt8(ascii: "\""): begin = index
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
        case UInt8(ascii: ":") where depth == 1: return isNew(json)
        default: break
        }
        return true
    }

    private mutating func goOn(with byte: UInt8, at index: Int, since begin: Int) -> Bool {
        if isEscaped {
            isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
            isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
            if depth == 1 { text = begin..<index + 1 }
            self.begin = nil
        }
        return true
    }

    /// Names may be written with escapes.
    private mutating func isNew(_ json: [UInt8]) -> Bool {
        guard let text, let name = try? JSONDecoder().decode(String.self, from: Data(json[text])) else { return false }
        return names.insert(name).inserted
    }
}

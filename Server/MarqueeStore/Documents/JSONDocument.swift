package import Foundation
import MarqueeCatalogue
import MarqueeModel

/// Reads values from JSON and rejects anything it doesn't understand: a field that no type asks for is an error, at any
/// depth.
///
/// Works with any `Decodable` type. `JSONDecoder` parses; this adds a check that every field is used, and errors that
/// name the field by its path and say which JSON was expected.
package enum JSONDocument {
    /// The treatment of fields that no type asks for.
    package enum UnknownFields: Sendable { case refused, ignored }

    /// - Parameter unknownFields: `ignored` for documents that other people wrote.
    /// - Throws: `DocumentError`.
    package static func decode<Value: Decodable>(
        _ type: Value.Type, from json: Data, unknownFields: UnknownFields = .refused
    ) throws(DocumentError) -> Value {
        // Tracking fields costs time, and only errors need it here.
        if unknownFields == .ignored, let value = try? JSONDecoder().decode(type, from: json) { return value }
        let decoder = JSONDecoder()
        if let key = StrictDecoder.unknownFields { decoder.userInfo[key] = unknownFields }
        do {
            return try decoder.decode(Whole<Value>.self, from: json).value
        } catch let error as DocumentError {
            throw error
        } catch let error as DecodingError {
            throw DocumentError(error)
        } catch {
            throw DocumentError(path: "", reason: "the document can't be read: \(error)")
        }
    }

    private struct Whole<Value: Decodable>: Decodable {
        var value: Value

        init(from decoder: any Decoder) throws {
            value = try StrictDecoder(decoder, at: []).value(Value.self)
        }
    }
}

extension Change {
    /// Reads a change from its JSON document, such as `{"remove": {"type": "episode", "id": "e1"}}`. Its names and
    /// texts are taken in composed form (NFC).
    ///
    /// Refuses changes that are invalid by themselves, such as one with an empty id.
    /// - Throws: `DocumentError` for anything that is not a change, and for fields that its type doesn't have.
    package init(document json: Data) throws(DocumentError) {
        if let usual = Change(usual: json) {
            self = usual
        } else {
            self = try JSONDocument.decode(Change.self, from: json)
        }
        // Where all of it is ASCII, also as escapes, there is nothing to compose.
        if json.contains(where: { $0 >= 0x80 || $0 == UInt8(ascii: "\\") }) { self = composed }
        if let reason = CatalogueBounds.refusal(of: self) { throw DocumentError(path: "", reason: reason) }
    }
}

extension DocumentError {
    /// A decoder's error without Swift's names for things.
    fileprivate init(_ error: DecodingError) {
        switch error {
        case .dataCorrupted(let context) where context.codingPath.isEmpty:
            let cause = context.underlyingError.map { $0 as NSError }
            let detail = cause?.userInfo["NSDebugDescription"] as? String
            self.init(path: "", reason: "this is not JSON\(detail.map { ": \($0)" } ?? "")")
        case .keyNotFound(let key, let context):
            self.init(path: context.codingPath.path, reason: "the field '\(key.stringValue)' is missing")
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            self.init(path: context.codingPath.path, reason: context.debugDescription)
        @unknown default:
            self.init(path: "", reason: "the document can't be read")
        }
    }
}

extension [any CodingKey] {
    /// `cast[2].person`
    var path: String {
        reduce(into: "") { path, key in
            if let index = key.intValue {
                path += "[\(index)]"
            } else {
                path += path.isEmpty ? key.stringValue : ".\(key.stringValue)"
            }
        }
    }
}

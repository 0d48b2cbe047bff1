package import Foundation
import MarqueeModel

/// Reads values from JSON and accepts nothing that it doesn't understand: a field that no type asks for is an error, at
/// any depth.
///
/// Any `Decodable` type will do. `JSONDecoder` parses; what is added here is that fields are accounted for, and that
/// errors name the field by its path and say what JSON was expected there.
package enum JSONDocument {
    /// Fields that no type asks for.
    package enum UnknownFields: Sendable { case refused, ignored }

    /// - Parameter unknownFields: to be ignored in documents of other people's making.
    /// - Throws: `DocumentError`.
    package static func decode<Value: Decodable>(
        _ type: Value.Type, from json: Data, unknownFields: UnknownFields = .refused
    ) throws(DocumentError) -> Value {
        // Keeping account is not free, and here only errors need it.
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
    /// Reads a change from its JSON document, such as `{"movie": {"id": 27205, "title": "Inception"}}`.
    ///
    /// What a change must not be by itself, such as a negative popularity, is refused here too.
    /// - Throws: `DocumentError` for anything that is no change, and for fields that its type doesn't have.
    package init(document json: Data) throws(DocumentError) {
        self = try JSONDocument.decode(Change.self, from: json)
        if let reason = CatalogueBounds.refusal(of: self) { throw DocumentError(path: "", reason: reason) }
    }
}

extension DocumentError {
    /// An error of a decoder, without the names that Swift has for things.
    fileprivate init(_ error: DecodingError) {
        switch error {
        case .dataCorrupted(let context) where context.codingPath.isEmpty:
            let cause = context.underlyingError.map { $0 as NSError }
            let detail = cause?.userInfo["NSDebugDescription"] as? String
            self.init(path: "", reason: "this is no JSON\(detail.map { ": \($0)" } ?? "")")
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

import Foundation
import MarqueeCatalogue
import MarqueeModel

/// Changes as the log stores them: a JSON array in the form that `Change` documents.
enum ChangeCoding {
    /// Equal changes give equal bytes.
    static func encode(_ changes: [Change]) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // A change with such a number is refused, but only after its mutation's fingerprint is taken.
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        return [UInt8](try encoder.encode(changes))
    }

    static func decode(_ json: Data) throws -> [Change] {
        try JSONDecoder().decode([Change].self, from: json)
    }
}

extension Change {
    /// Its JSON document, as `init(document:)` reads it. Equal changes give equal bytes.
    /// - Throws: `invalid` for a number that JSON can't express; no catalogue accepts one.
    package func document() throws(StoreError) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return [UInt8](try encoder.encode(self))
        } catch {
            throw StoreError(.invalid, "a change holds a number that can't be written", cause: "\(error)")
        }
    }
}

import Foundation
import MarqueeModel

/// Changes as they stand in the log: a JSON array of the form that `Change` documents.
enum ChangeCoding {
    /// Equal changes give equal bytes.
    static func encode(_ changes: [Change]) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Such numbers are refused, but a mutation's fingerprint is taken before.
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        return [UInt8](try encoder.encode(changes))
    }

    static func decode(_ json: Data) throws -> [Change] {
        try JSONDecoder().decode([Change].self, from: json)
    }
}

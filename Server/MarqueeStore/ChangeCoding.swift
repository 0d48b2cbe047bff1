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
        var json = [UInt8(ascii: "[")]
        for change in changes {
            if json.count > 1 { json.append(UInt8(ascii: ",")) }
            if let plain = change.plainJSON { json += plain.utf8 } else { json += try encoder.encode(change) }
        }
        json.append(UInt8(ascii: "]"))
        return json
    }

    static func decode(_ json: Data) throws -> [Change] {
        try JSONDecoder().decode([Change].self, from: json)
    }
}

extension Change {
    /// The JSON of a whole record or of an edit of a list, if none of its names needs escapes: nearly all of a large
    /// publication, for which an encoder takes ten times as long.
    fileprivate var plainJSON: String? {
        switch self {
        case .put(let id, .bytes(let bytes)):
            guard id.type.isPlainInJSON, id.id.isPlainInJSON else { return nil }
            let content = Data(bytes).base64EncodedString()
            return #"{"put":{"bytes":"\#(content)","id":"\#(id.id)","type":"\#(id.type)"}}"#
        case .listItem(let edit):
            guard edit.list.edition == nil, edit.list.list.isPlainInJSON, let item = edit.entry?.plainJSON else {
                return nil
            }
            let rank = edit.rank.map { #""at":\#($0),"# } ?? ""
            return #"{"listItem":{\#(rank)"item":\#(item),"list":"\#(edit.list.list)"}}"#
        default: return nil
        }
    }

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

extension ListEntry {
    fileprivate var plainJSON: String? {
        let subject = record?.subject.name
        guard place == nil, key.isPlainInJSON, subject?.isPlainInJSON ?? true else { return nil }
        let members = [
            key == subject ? nil : #""key":"\#(key)""#, subject.map { #""record":"\#($0)""# },
        ]
        return "{\(members.compactMap { $0 }.joined(separator: ","))}"
    }
}

extension String {
    fileprivate var isPlainInJSON: Bool {
        utf8.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
    }
}

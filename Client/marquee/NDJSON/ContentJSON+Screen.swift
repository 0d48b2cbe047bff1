import Foundation
import MarqueeClient
import MarqueeModel
import MarqueeScreenJSON

extension ContentJSON {
    /// A section with its items.
    /// - Parameters:
    ///   - records: reads the records that items carry.
    ///   - hasBodies: whether to add the bytes of the head and the bodies.
    static func section(_ section: ScreenSection, _ records: RecordReader? = nil, hasBodies: Bool = false) -> JSONValue
    {
        .object(
            head(section).merging(
                JSONValue.pairs([
                    "sum": .string(hexadecimal(section.sum)),
                    "head": hasBodies ? base64(section.encodedHead) : nil,
                    "items": .array(section.items.map { item($0, records, hasBody: hasBodies) }),
                ])
            ) { _, own in own })
    }

    /// Everything in a section except its items and its sum.
    static func head(_ section: ScreenSection) -> [String: JSONValue] {
        head(section.id, section.head, placeholders: section.placeholders)
    }

    static func item(_ item: ScreenItem, _ records: RecordReader? = nil, hasBody: Bool = false) -> JSONValue {
        .object([
            "id": .string(item.id),
            "kind": .string(kind(item.kind)),
            "subject": text(item.subject?.name),
            "favorite": .string(mark(item.favorite)),
            "favoriteError": text(item.favoriteError?.message),
            "content": content(item.content, record: records?.read(item).map(RecordJSON.pairs)),
            "kindNumber": hasBody ? .integer(item.kind.rawValue) : nil,
            "body": hasBody ? base64(item.item.body) : nil,
        ])
    }

    private static func base64(_ bytes: [UInt8]) -> JSONValue { .string(Data(bytes).base64EncodedString()) }

    static func mark(_ mark: FavoriteMark) -> String {
        switch mark {
        case .no: "no"
        case .yes: "yes"
        case .pendingYes: "pending-yes"
        case .pendingNo: "pending-no"
        }
    }

    private static func text(_ text: String?) -> JSONValue? { text.map { .string($0) } }
}

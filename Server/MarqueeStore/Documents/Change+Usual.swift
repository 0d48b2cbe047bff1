import Foundation
import MarqueeCatalogue
import MarqueeModel
import MarqueeTypes

/// Changes as nearly all are written. A `Decoder` finds out what a value is by trying, and each wrong guess costs more
/// than reading the value; a large publication would take seconds.
extension Change {
    /// Reads a change of a record or of one entry of a list.
    /// - Returns: `nil` for any other document. `JSONDocument` reads it, or says what is wrong.
    init?(usual json: Data) {
        guard case .object(let members)? = try? JSONValue(parsing: [UInt8](json)), members.count == 1,
            let (name, value) = members.first.map({ ($0.name, $0.value) })
        else { return nil }
        switch name {
        case "put":
            guard let fields = Fields(value, known: ["type", "id", "record"]), let id = fields.id,
                let record = fields["record"]?.asDecoded
            else { return nil }
            self = .put(id, .json(record))
        case "merge":
            guard let fields = Fields(value, known: ["type", "id", "record"]), let id = fields.id,
                let record = fields["record"]?.asDecoded
            else { return nil }
            self = .merge(id, .json(record), clear: [])
        case "remove":
            guard let fields = Fields(value, known: ["type", "id"]), let id = fields.id else { return nil }
            self = .remove(id)
        case "listItem":
            guard let fields = Fields(value, known: ["list", "item", "at"]), let edit = fields.edit else { return nil }
            self = .listItem(edit)
        default: return nil
        }
    }

    /// The fields of an object that has no others than some.
    private struct Fields {
        private let members: [JSONValue.Member]

        init?(_ value: JSONValue, known: Set<String>) {
            guard case .object(let members) = value, members.allSatisfy({ known.contains($0.name) }) else { return nil }
            self.members = members
        }

        subscript(name: String) -> JSONValue? { members.first { $0.name == name }?.value }

        var id: RecordID? {
            guard case .text(let type)? = self["type"], case .text(let id)? = self["id"] else { return nil }
            return RecordID(type: type, id: id)
        }

        /// An entry that is put at a rank, or where it is.
        var edit: EntryEdit? {
            guard case .text(let list)? = self["list"], let item = self["item"],
                let entry = Fields(item, known: ["key", "record"])?.entry
            else { return nil }
            guard let at = self["at"] else { return EntryEdit(ListName(list), putting: entry) }
            guard case .number(let digits) = at, let rank = Int(digits) else { return nil }
            return EntryEdit(ListName(list), putting: entry, at: rank)
        }

        private var entry: ListEntry? {
            switch (self["key"], self["record"]) {
            case (.text(let key)?, nil): return ListEntry(key: key)
            case (let key, .text(let subject)?):
                guard let record = Subject(subject).record else { return nil }
                guard let key else { return ListEntry(record) }
                guard case .text(let key) = key else { return nil }
                return ListEntry(key: key, record: record)
            default: return nil
            }
        }
    }
}

extension JSONValue {
    /// The most digits with which a fraction is the shortest text of its double.
    private static let exactDigits = 15

    /// As its decoder would give it: members by name, and numbers without what says the same.
    /// - Returns: `nil` for a number in a form that is seldom seen.
    fileprivate var asDecoded: JSONValue? {
        switch self {
        case .null: return nil
        case .bool, .text: return self
        case .number(let digits):
            if let whole = Int64(digits) { return .number("\(whole)") }
            guard digits.utf8.count <= Self.exactDigits,
                !digits.utf8.contains(where: { $0 | 0x20 == UInt8(ascii: "e") }), let fraction = Double(digits),
                fraction != fraction.rounded()
            else { return nil }
            return .number("\(fraction)")
        case .list(let values):
            let decoded = values.compactMap(\.asDecoded)
            return decoded.count == values.count ? .list(decoded) : nil
        case .object(let members):
            let decoded = members.compactMap { member in
                member.value.asDecoded.map { Member(name: member.name, value: $0) }
            }
            return decoded.count == members.count ? .object(decoded.sorted { $0.name < $1.name }) : nil
        }
    }
}

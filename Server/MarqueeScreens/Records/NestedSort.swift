import MarqueeCatalogue
import MarqueeTypes

/// An order of the messages of a list, by one of their fields or by a field of a record they refer to. Missing values
/// come last.
package struct NestedSort: Hashable, Sendable {
    /// A singular field: a number, a text, a time or a duration.
    var field: RecordField
    /// The references to the record that has the field; empty for a field of the message itself.
    var way: RecordValue.Way = []
    var isDescending: Bool

    /// Whether a change of a record of a type may move messages that lead to it.
    func isDecided(by type: String, from old: [UInt8]?, to new: [UInt8]?, locales: [String]) -> Bool {
        way.indices.contains { place in
            guard way[place].type == type else { return false }
            guard place + 1 < way.count else { return key(of: old, locales: locales) != key(of: new, locales: locales) }
            let next = way[place + 1]
            return old.flatMap { next.record(in: $0) } != new.flatMap { next.record(in: $0) }
        }
    }

    /// - Parameters:
    ///   - bytes: the message or record that has the field; `nil` if it is missing.
    ///   - locales: in order of preference.
    func key(of bytes: [UInt8]?, locales: [String]) -> FieldKey {
        guard let bytes else { return FieldKey(nil) }
        let collation = locales.first.map { Collation(locale: $0) } ?? .root
        if case .plain(let path) = field {
            return FieldKey(path.value(in: bytes), descending: isDescending, collation: collation)
        }
        let text = field.texts(in: bytes, locales: locales, limit: 1).first
        return FieldKey(text.map { .text($0) }, descending: isDescending, collation: collation)
    }
}

extension RecordValue.Way {
    /// The first records on the way from a message, as far as they exist; the last may not.
    ///
    /// - Parameter record: looks up a record's bytes.
    func records(from message: [UInt8], _ record: (RecordID) -> [UInt8]?) -> [RecordID] {
        var found: [RecordID] = []
        var bytes: [UInt8]? = message
        for reference in self {
            guard let here = bytes, let next = reference.record(in: here) else { break }
            found.append(next)
            bytes = record(next)
        }
        return found
    }
}

extension TypeDeclaration.Reference {
    /// The first record that a message refers to.
    func record(in message: [UInt8]) -> RecordID? {
        path.values(in: message).first?.text.map { RecordID(type: type, id: $0) }
    }
}

extension RecordField {
    /// Whether records can be ordered by it.
    var isOrdered: Bool {
        guard case .plain(let path) = self else { return true }
        guard path.field.isSingle || path.isEntry else { return false }
        return switch path.target {
        case .scalar(let scalar), .wrapped(let scalar): scalar != .bool && scalar != .bytes
        case .timestamp, .duration: true
        case .enumeration, .message: false
        }
    }
}

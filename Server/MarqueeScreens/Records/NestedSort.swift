import MarqueeCatalogue
import MarqueeTypes

/// An order of the messages of a list, by one of their fields or by a field of the record they refer to. Missing values
/// come last.
package struct NestedSort: Hashable, Sendable {
    /// A singular field: a number, a text, a time or a duration.
    var field: RecordField
    /// The reference to the record that has the field; `nil` for a field of the message itself.
    var reference: TypeDeclaration.Reference?
    var isDescending: Bool

    /// The record whose field decides a message's position.
    func record(of message: [UInt8]) -> RecordID? { reference.flatMap { $0.record(in: message) } }

    /// - Parameters:
    ///   - bytes: the message or record that has the field; `nil` if it is missing.
    ///   - locales: in order of preference.
    func key(of bytes: [UInt8]?, locales: [String]) -> FieldKey {
        guard let bytes else { return FieldKey(nil) }
        if case .plain(let path) = field { return FieldKey(path.value(in: bytes), descending: isDescending) }
        let text = field.texts(in: bytes, locales: locales, limit: 1).first
        return FieldKey(text.map { .text($0) }, descending: isDescending)
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

import MarqueeModel
package import MarqueeTypes

/// Which values of a record stand in which fields of a message: a body of the operator's own schema, or of one of
/// Marquee's kinds. Compiled once; no message is decoded to make one.
package struct MessageMapping: Hashable, Sendable {
    package struct Field: Hashable, Sendable {
        var number: UInt32
        var content: Content
        /// Whether a field that equals its default is left out, as where it has no presence.
        var skipsZero: Bool
    }

    /// What a field holds. What the record lacks is left out.
    package indirect enum Content: Hashable, Sendable {
        case text(LocalizedTemplate)
        case constant(FieldValue, ScalarType)
        /// A number, a bool, bytes or an enum's value.
        case value(RecordValue, ScalarType)
        /// A list of texts as people read them.
        case texts(RecordValue)
        /// All values of a list.
        case values(RecordValue, ScalarType, isPacked: Bool)
        /// A message, all messages of a list, or all entries of a map, byte for byte.
        case copy(RecordValue)
        /// The same, with a text in the field of that number of each message that has none there.
        case completed(RecordValue, number: UInt32, text: String)
        case message(MessageMapping)
        /// Entries of a list that are given one by one.
        case list([Content], packed: ScalarType?)
    }

    /// Bytes of a body, at most; a field that doesn't fit any more is left out.
    static let bytes = RecordLimits.bytes

    /// The full name of the message.
    package var message: String
    /// Ascending by number.
    package var fields: [Field]

    /// The body of a record.
    func body(of record: inout RecordReader) -> [UInt8] { written(of: &record).writer.bytes }

    /// - Returns: also whether a value of the record is in it, or none is asked for.
    private func written(of record: inout RecordReader) -> (writer: MessageWriter, isThere: Bool) {
        var writer = MessageWriter()
        var (asks, isThere) = (false, false)
        for field in fields {
            var one = MessageWriter()
            let isFound = field.content.write(to: &one, field.number, skipsZero: field.skipsZero, of: &record)
            if let isFound {
                asks = true
                isThere = isThere || isFound
            }
            if writer.bytes.count + one.bytes.count <= MessageMapping.bytes { writer.append(one) }
        }
        return (writer, isThere || !asks)
    }

    /// Writes it as a field of another message, unless all values of the record that it asks for are missing.
    fileprivate func write(to writer: inout MessageWriter, _ number: UInt32, of record: inout RecordReader) -> Bool {
        let (inner, isThere) = written(of: &record)
        if isThere { writer.write(inner.bytes, to: number) }
        return isThere
    }

    /// Whether it asks for any value of a record.
    fileprivate var hasValues: Bool { fields.contains { $0.content.hasValues } }
}

extension MessageMapping.Content {
    fileprivate var hasValues: Bool {
        switch self {
        case .text(let template): template.hasValues
        case .constant: false
        case .value, .texts, .values, .copy, .completed: true
        case .message(let mapping): mapping.hasValues
        case .list(let entries, _): entries.contains { $0.hasValues }
        }
    }

    /// - Returns: whether a value of the record was there; `nil` where none is asked for.
    fileprivate func write(
        to writer: inout MessageWriter, _ number: UInt32, skipsZero: Bool, of record: inout RecordReader
    ) -> Bool? {
        switch self {
        case .text(let template):
            let text = template.text(of: &record)
            if let text { writer.write(text.clipped(to: TextBounds.prose).utf8, to: number) }
            return template.hasValues ? text != nil : nil
        case .constant(let value, let scalar):
            writer.write(value, as: scalar, to: number, skipsZero: skipsZero)
            return nil
        case .value(let value, let scalar):
            return record.value(of: value).map {
                writer.write($0.fitting(scalar), as: scalar, to: number, skipsZero: skipsZero)
            } ?? false
        case .texts(let value):
            let texts = record.texts(of: value)
            for text in texts { writer.write(text.clipped(to: TextBounds.prose).utf8, to: number) }
            return !texts.isEmpty
        case .values(let value, let scalar, let isPacked):
            let values = record.values(of: value).map { $0.fitting(scalar) }
            if isPacked {
                writer.write(packed: values, as: scalar, to: number)
            } else {
                for value in values {
                    let text = scalar == .string ? value.plainText.map { FieldValue.text($0) } : value
                    if let text { writer.write(text, as: scalar, to: number, skipsZero: false) }
                }
            }
            return !values.isEmpty
        case .copy(let value):
            let copies = record.messages(of: value)
            for copy in copies { writer.write(copy, to: number) }
            return !copies.isEmpty
        case .completed(let value, let field, let text):
            let messages = record.messages(of: value)
            for message in messages { writer.write(Self.completed(Array(message), field, text), to: number) }
            return !messages.isEmpty
        case .message(let mapping):
            let isThere = mapping.write(to: &writer, number, of: &record)
            return mapping.hasValues ? isThere : nil
        case .list(let entries, let packed):
            if let packed { return write(entries, packed, to: &writer, number, of: &record) }
            let found = entries.compactMap { $0.write(to: &writer, number, skipsZero: false, of: &record) }
            return found.isEmpty ? nil : found.contains(true)
        }
    }

    private static func completed(_ message: [UInt8], _ number: UInt32, _ text: String) -> [UInt8] {
        guard FieldSelection.bytes(of: [number], in: message).isEmpty else { return message }
        var writer = MessageWriter()
        writer.write(text.utf8, to: number)
        return FieldSelection.bytes(in: message) { $0 < number } + writer.bytes
            + FieldSelection.bytes(in: message) { $0 > number }
    }

    /// The numbers of a list that shares one field.
    private func write(
        _ entries: [Self], _ packed: ScalarType, to writer: inout MessageWriter, _ number: UInt32,
        of record: inout RecordReader
    ) -> Bool? {
        var values: [FieldValue] = []
        for entry in entries {
            switch entry {
            case .constant(let value, _): values.append(value)
            case .value(let value, _): if let value = record.value(of: value) { values.append(value.fitting(packed)) }
            default: continue
            }
        }
        writer.write(packed: values, as: packed, to: number)
        return hasValues ? values.count > 0 : nil
    }
}

extension FieldValue {
    /// A text that is a whole number, such as an id, as that number for a field of numbers; else itself.
    fileprivate func fitting(_ scalar: ScalarType) -> FieldValue {
        guard scalar != .string, case .text(let text) = self else { return self }
        // One spelling of each number, so that ids that differ don't become equal.
        if let number = UInt64(text), "\(number)" == text { return .unsigned(number) }
        if let number = Int64(text), "\(number)" == text { return .integer(number) }
        return self
    }
}

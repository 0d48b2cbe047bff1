import MarqueeModel
package import MarqueeTypes

/// Maps values of a record to the fields of a message: a body of the operator's own schema, or of one of Marquee's
/// kinds. Compiled once; bodies are made without decoding any message.
package struct MessageMapping: Hashable, Sendable {
    package struct Field: Hashable, Sendable {
        var number: UInt32
        var content: Content
        /// Whether a value equal to the default is omitted, as for fields without presence.
        var skipsZero: Bool
    }

    /// The content of a field. Values that the record lacks are omitted.
    package indirect enum Content: Hashable, Sendable {
        case text(LocalizedTemplate)
        case constant(FieldValue, ScalarType)
        /// A number, a bool, bytes or an enum's value.
        case value(RecordValue, ScalarType)
        /// A list of texts in printed form.
        case texts(RecordValue)
        /// All values of a list.
        case values(RecordValue, ScalarType, isPacked: Bool)
        /// A message, all messages of a list, or all entries of a map, byte for byte.
        case copy(RecordValue)
        /// The same, with a text added to each message that lacks the field with this number.
        case completed(RecordValue, number: UInt32, text: String)
        case message(MessageMapping)
        /// A list whose entries are given one by one.
        case list([Content], packed: ScalarType?)
    }

    /// Maximum bytes of a body. A field that no longer fits is omitted.
    static let bytes = RecordLimits.bytes

    /// The full name of the message.
    package var message: String
    /// Ascending by number.
    package var fields: [Field]

    /// The body of a record.
    func body(of record: inout RecordReader) -> [UInt8] { written(of: &record).writer.bytes }

    /// - Returns: the message, and whether it contains a value of the record or needs none.
    private func written(of record: inout RecordReader) -> (writer: MessageWriter, isPresent: Bool) {
        var writer = MessageWriter()
        var (asks, isPresent) = (false, false)
        for field in fields {
            var one = MessageWriter()
            let isFound = field.content.write(to: &one, field.number, skipsZero: field.skipsZero, of: &record)
            if let isFound {
                asks = true
                isPresent = isPresent || isFound
            }
            if writer.bytes.count + one.bytes.count <= MessageMapping.bytes { writer.append(one) }
        }
        return (writer, isPresent || !asks)
    }

    /// Writes the message as a field of another one, unless all the record's values that it needs are missing.
    fileprivate func write(to writer: inout MessageWriter, _ number: UInt32, of record: inout RecordReader) -> Bool {
        let (inner, isPresent) = written(of: &record)
        if isPresent { writer.write(inner.bytes, to: number) }
        return isPresent
    }

    /// Whether it needs any value of a record.
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

    /// - Returns: whether a value of the record was present; `nil` if none is needed.
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
            let isPresent = mapping.write(to: &writer, number, of: &record)
            return mapping.hasValues ? isPresent : nil
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

    /// Writes the numbers of a list as one packed field.
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
    /// For a field of numbers, converts a text that is a whole number, such as an id, into that number.
    fileprivate func fitting(_ scalar: ScalarType) -> FieldValue {
        guard scalar != .string, case .text(let text) = self else { return self }
        // Accept only one spelling of each number, so that different ids don't become equal.
        if let number = UInt64(text), "\(number)" == text { return .unsigned(number) }
        if let number = Int64(text), "\(number)" == text { return .integer(number) }
        return self
    }
}

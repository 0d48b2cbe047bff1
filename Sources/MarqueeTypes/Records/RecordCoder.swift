package import MarqueeModel

/// Reads and writes the records of one type: JSON ↔ canonical bytes, by protobuf's standard JSON mapping.
///
/// ```swift
/// let coder = try RecordCoder(set: set, message: "podcast.v1.Show", name: "show")
/// let record = try coder.record(json: Array(#"{"slug": "daily", "title": "The Daily"}"#.utf8))
/// try coder.json(of: record)   // {"slug":"daily","title":"The Daily"}
/// ```
///
/// In addition to the mapping's rules, a text must not contain NUL, and a document must not have unknown fields.
package struct RecordCoder: Hashable, Sendable {
    let set: DescriptorSet
    /// The message that a record consists of.
    package let message: MessageDescriptor
    /// The name of a record in error messages.
    package let name: String

    /// - Throws: if the set has no such message, or the message contains something that Marquee doesn't support.
    package init(set: DescriptorSet, message fullName: String, name: String) throws(DescriptorError) {
        try self.init(set: set, message: fullName, name: name, isRecord: true)
    }

    /// - Parameter isRecord: whether the message must have fields of its own, rather than be a single value in JSON.
    init(set: DescriptorSet, message fullName: String, name: String, isRecord: Bool) throws(DescriptorError) {
        guard let place = set.place(named: fullName) else {
            let hint = NameHint.words(for: fullName, among: set.messages.map(\.fullName))
            throw DescriptorError("there is no message '\(fullName.prefix(RecordLimits.shownCharacters))'\(hint)")
        }
        let refusals = set.refusals(of: place, isRecord: isRecord)
        guard refusals.isEmpty else { throw DescriptorError(refusals.joined(separator: "\n")) }
        self.init(set: set, message: set.messages[place], name: name)
    }

    init(set: DescriptorSet, message: MessageDescriptor, name: String) {
        self.set = set
        self.message = message
        self.name = name
    }

    /// The canonical bytes of a record given as JSON.
    package func record(json: [UInt8]) throws(RecordError) -> [UInt8] {
        try record(json: try named { () throws(RecordError) in try JSONValue(parsing: json) })
    }

    /// The canonical bytes of a record inside a document.
    package func record(json: JSONValue) throws(RecordError) -> [UInt8] {
        try RecordMistakes.refusing { record(json: json, noting: &$0) }
    }

    /// The canonical bytes of a record inside a document.
    /// - Parameter mistakes: receives everything wrong with it.
    /// - Returns: with mistakes, the bytes of the valid parts; `nil` if there are none.
    package func record(json: JSONValue, noting mistakes: inout RecordMistakes) -> [UInt8]? {
        var reader = RecordFromJSON(set: set, limit: mistakes.room)
        defer { mistakes.add(reader.mistakes, inside: name) }
        do throws(RecordError) {
            let value = try reader.message(json, message, path: "")
            noteMissing(in: value, message, isRecord: true, noting: &reader.mistakes)
            return try encode(value)
        } catch {
            reader.mistakes.note(error)
            return nil
        }
    }

    /// The canonical bytes of a record that a publisher sent as protobuf. Unknown fields are kept.
    package func record(bytes: [UInt8]) throws(RecordError) -> [UInt8] {
        try RecordMistakes.refusing { record(bytes: bytes, noting: &$0) }
    }

    /// The canonical bytes of a record that a publisher sent as protobuf.
    /// - Parameter mistakes: receives what is wrong with it. Reading stops at the first unreadable field.
    /// - Returns: with mistakes, the bytes of the valid parts; `nil` if there are none.
    package func record(bytes: [UInt8], noting mistakes: inout RecordMistakes) -> [UInt8]? {
        isPlainlyCanonical(bytes) ? bytes : canonical(bytes, noting: &mistakes)
    }

    /// The canonical bytes of a record, by decoding it.
    func canonical(_ bytes: [UInt8], noting mistakes: inout RecordMistakes) -> [UInt8]? {
        var own = RecordMistakes(limit: mistakes.room)
        defer { mistakes.add(own, inside: name) }
        do throws(RecordError) {
            let value = try RecordDecoder(set: set, source: .publisher).message(bytes, message)
            noteMissing(in: value, message, isRecord: true, noting: &own)
            return try encode(value)
        } catch {
            own.note(error)
            return nil
        }
    }

    /// A stored record as JSON on one line; unknown fields are left out.
    package func json(of record: [UInt8]) throws(RecordError) -> String {
        try named { () throws(RecordError) in
            let value = try RecordDecoder(set: set, source: .store).message(record, message)
            var writer = JSONWriter()
            try RecordToJSON(set: set).message(value, message, to: &writer)
            return writer.text
        }
    }

    // MARK: - Parts

    func encode(_ value: MessageValue) throws(RecordError) -> [UInt8] {
        try RecordEncoder(set: set).bytes(value, message)
    }

    /// Prefixes the paths of errors thrown by `body` with the record's name.
    func named<Result>(_ body: () throws(RecordError) -> Result) throws(RecordError) -> Result {
        do throws(RecordError) {
            return try body()
        } catch {
            throw error.inside(name)
        }
    }

    /// Refuses a message that lacks a field required by proto2.
    func checkRequired(_ value: MessageValue, _ descriptor: MessageDescriptor) throws(RecordError) {
        var mistakes = RecordMistakes(limit: 1)
        noteMissing(in: value, descriptor, isRecord: false, noting: &mistakes)
        if let first = mistakes.all.first { throw first }
    }

    /// Notes the fields required by proto2 that a message lacks.
    /// - Parameter isRecord: whether the message is the record itself, not one inside it.
    private func noteMissing(
        in value: MessageValue, _ descriptor: MessageDescriptor, isRecord: Bool,
        noting mistakes: inout RecordMistakes
    ) {
        for (place, field) in descriptor.fields.enumerated() where field.presence == .required && value[place] == nil {
            mistakes.note(
                RecordError("the field '\(field.jsonName)' is missing"), about: isRecord ? field.name : nil)
        }
        for nested in messages(in: value, descriptor) where !mistakes.isFull {
            let known = mistakes.all.count
            noteMissing(in: nested.value, nested.descriptor, isRecord: false, noting: &mistakes)
            mistakes.enclose(in: nested.place, from: known)
        }
    }

    /// The messages directly inside a message, each with its path for error messages, such as `notes[1]`.
    func messages(
        in value: MessageValue, _ descriptor: MessageDescriptor
    ) -> [(place: String, value: MessageValue, descriptor: MessageDescriptor)] {
        var found: [(place: String, value: MessageValue, descriptor: MessageDescriptor)] = []
        for field in value.fields {
            let declared = descriptor.fields[field.place]
            guard let index = declared.message else { continue }
            func add(_ content: MessageValue.Value, _ position: String) {
                guard case .message(let message) = content else { return }
                found.append((declared.jsonName + position, message, set.messages[index]))
            }
            switch field.content {
            case .single(let value): add(value, "")
            case .list(let list): for (position, value) in list.enumerated() { add(value, "[\(position)]") }
            case .map(let entries): for entry in entries { add(entry.value, "[…]") }
            }
        }
        return found
    }
}

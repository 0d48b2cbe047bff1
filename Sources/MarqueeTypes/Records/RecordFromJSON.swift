internal import MarqueeModel

/// Reads a record from JSON by protobuf's JSON mapping. Invalid members are noted as mistakes; the others are read.
struct RecordFromJSON {
    let set: DescriptorSet
    /// The mistakes, with paths relative to the record. A value read with mistakes lacks the invalid parts.
    var mistakes: RecordMistakes
    /// Fields that the document sets to the value an absent field reads as. The bytes can't express that, but a change
    /// has to clear these fields.
    private(set) var emptied: [String] = []

    /// - Parameter limit: maximum number of mistakes to look for.
    init(set: DescriptorSet, limit: Int = 1) {
        self.set = set
        mistakes = RecordMistakes(limit: limit)
    }

    /// - Parameter path: the message's path within the record, in the schema's names; `nil` inside lists and maps,
    ///   whose values a change replaces as a whole.
    /// - Throws: if the JSON isn't such a message at all.
    mutating func message(
        _ json: JSONValue, _ descriptor: MessageDescriptor, path: String?, depth: Int = 1
    ) throws(RecordError) -> MessageValue {
        guard depth <= RecordLimits.depth else {
            throw RecordError("messages are nested more than \(RecordLimits.depth) deep")
        }
        if let wellKnown = descriptor.wellKnown { return try message(json, descriptor, wellKnown) }
        guard case .object(let members) = json else { throw expected("an object", json) }
        var message = MessageValue()
        var seen: Set<Int> = []
        var alternatives: [Int: String] = [:]
        for member in members where !mistakes.isFull {
            guard let place = descriptor.place(named: member.name) else {
                let name = String(member.name.prefix(RecordLimits.shownCharacters))
                mistakes.note(RecordError(path: name, noField(member.name, descriptor)))
                continue
            }
            let field = descriptor.fields[place]
            guard seen.insert(place).inserted else {
                let reason = "the field is given twice, as '\(field.jsonName)' and '\(field.name)'"
                mistakes.note(RecordError(path: member.name, reason))
                continue
            }
            if member.value == .null { continue }
            let fieldPath = path.map { $0.isEmpty ? field.name : "\($0).\(field.name)" }
            if let oneof = field.oneof, let other = alternatives.updateValue(member.name, forKey: oneof) {
                let reason = "'\(other)' is given too; only one of '\(descriptor.oneofs[oneof])' can be set"
                mistakes.note(RecordError(path: member.name, reason), about: fieldPath)
                continue
            }
            let known = mistakes.all.count
            do throws(RecordError) {
                let content = try content(member.value, field, path: fieldPath, depth: depth)
                if let fieldPath, RecordFromJSON.isEmpty(content, field) { emptied.append(fieldPath) }
                message.set(place, content)
            } catch {
                mistakes.note(error, about: fieldPath)
                // Marks the field as present, so that it isn't reported as missing too. An empty list writes no bytes.
                message.set(place, .list([]))
            }
            mistakes.enclose(in: member.name, from: known)
        }
        return message
    }

    private static func isEmpty(_ content: MessageValue.Content, _ field: FieldDescriptor) -> Bool {
        switch content {
        case .single(let value): field.presence == .implicit && value.isZero
        case .list(let values): values.isEmpty
        case .map: false
        }
    }

    // MARK: - Fields

    private mutating func content(
        _ json: JSONValue, _ field: FieldDescriptor, path: String?, depth: Int
    ) throws(RecordError) -> MessageValue.Content {
        switch field.cardinality {
        case .single: return .single(try value(json, field.type, path: path, depth: depth))
        case .repeated:
            guard case .list(let elements) = json else { throw expected("a list", json) }
            var values: [MessageValue.Value] = []
            values.reserveCapacity(elements.count)
            for (index, element) in elements.enumerated() where !mistakes.isFull {
                let known = mistakes.all.count
                do throws(RecordError) {
                    values.append(try value(element, field.type, path: nil, depth: depth))
                } catch {
                    mistakes.note(error)
                    // A placeholder keeps the indices of later elements right.
                    values.append(.bytes([]))
                }
                mistakes.enclose(in: "[\(index)]", from: known)
            }
            return .list(values)
        case .map(let key):
            guard case .object(let members) = json else { throw expected("an object", json) }
            var entries: [MessageValue.Entry] = []
            entries.reserveCapacity(members.count)
            for member in members where !mistakes.isFull {
                let known = mistakes.all.count
                do throws(RecordError) {
                    let name = try self.key(member.name, key)
                    entries.append(
                        MessageValue.Entry(
                            key: name, value: try value(member.value, field.type, path: nil, depth: depth)))
                } catch {
                    mistakes.note(error)
                }
                mistakes.enclose(in: "[\(member.name.prefix(RecordLimits.shownCharacters))]", from: known)
            }
            return .map(MessageValue.settled(entries, key))
        }
    }

    func key(_ name: String, _ type: ScalarType) throws(RecordError) -> MessageValue.Value {
        switch type {
        case .string: return try scalar(.text(name), .string)
        case .bool:
            guard name == "true" || name == "false" else { throw expected("the key 'true' or 'false'", .text(name)) }
            return .bits(name == "true" ? 1 : 0)
        default:
            // A number has only one valid spelling as a key, so no key occurs twice.
            guard let bits = Numerals.whole(name, type), name == RecordToJSON.whole(bits, type) else {
                throw expected(RecordFromJSON.range(type), .text(name))
            }
            return .bits(bits)
        }
    }

    private mutating func value(
        _ json: JSONValue, _ type: FieldDescriptor.ValueType, path: String?, depth: Int
    ) throws(RecordError) -> MessageValue.Value {
        switch type {
        case .scalar(let scalar): return try self.scalar(json, scalar)
        case .enumeration(let index): return try enumeration(json, set.enumerations[index])
        case .message(let index):
            return .message(try message(json, set.messages[index], path: path, depth: depth + 1))
        case .unsupported(let what): throw RecordError("a \(what) is not supported")
        }
    }

    private func enumeration(_ json: JSONValue, _ type: EnumDescriptor) throws(RecordError) -> MessageValue.Value {
        switch json {
        case .text(let name):
            if let number = type.number(named: name) { return .bits(UInt64(bitPattern: Int64(number))) }
            let names = type.values.map(\.name)
            throw RecordError("\(type.fullName) has no value '\(shown(name))'\(hint(name, names))")
        case .number(let text):
            guard let bits = Numerals.whole(text, .int32) else { break }
            try type.check(Int32(truncatingIfNeeded: bits))
            return .bits(bits)
        default: break
        }
        throw expected("the name or number of a value of \(type.fullName)", json)
    }

    private func scalar(_ json: JSONValue, _ type: ScalarType) throws(RecordError) -> MessageValue.Value {
        switch type {
        case .string:
            guard case .text(let text) = json else { throw expected("text", json) }
            let bytes = Array(text.utf8)
            guard !bytes.contains(0) else { throw RecordError("text without NUL is expected") }
            return .bytes(bytes[...])
        case .bytes:
            guard case .text(let text) = json, let bytes = Base64.bytes(text) else { throw expected("base64", json) }
            return .bytes(bytes[...])
        case .bool:
            guard case .bool(let value) = json else { throw expected("true or false", json) }
            return .bits(value ? 1 : 0)
        case .double, .float:
            guard let bits = RecordFromJSON.real(json, type) else {
                throw expected(
                    "a number\(type == .float ? " of 32 bits" : ""), \"NaN\", \"Infinity\" or \"-Infinity\"", json)
            }
            return .bits(bits)
        default:
            switch json {
            case .number(let text), .text(let text):
                if let bits = Numerals.whole(text, type) { return .bits(bits) }
            default: break
            }
            throw expected(RecordFromJSON.range(type), json)
        }
    }

    private static func real(_ json: JSONValue, _ type: ScalarType) -> UInt64? {
        var text = ""
        switch json {
        case .number(let number): text = number
        case .text("NaN"): return type == .float ? UInt64(Float.nan.bitPattern) : Double.nan.bitPattern
        case .text("Infinity"): return type == .float ? UInt64(Float.infinity.bitPattern) : Double.infinity.bitPattern
        case .text("-Infinity"):
            return type == .float ? UInt64((-Float.infinity).bitPattern) : (-Double.infinity).bitPattern
        case .text(let number) where Numerals.isNumber(number): text = number
        default: return nil
        }
        if type == .float { return Float(text).flatMap { $0.isFinite ? UInt64($0.bitPattern) : nil } }
        return Double(text).flatMap { $0.isFinite ? $0.bitPattern : nil }
    }

    // MARK: - Protobuf's own messages

    private mutating func message(
        _ json: JSONValue, _ descriptor: MessageDescriptor, _ type: WellKnownType
    ) throws(RecordError) -> MessageValue {
        switch type {
        case .timestamp:
            guard case .text(let text) = json, let time = WellKnownText.timestamp(text) else {
                throw expected("a time such as \"2026-11-22T07:10:44Z\"", json)
            }
            return WellKnownText.message(seconds: time.seconds, nanos: time.nanos)
        case .duration:
            guard case .text(let text) = json, let duration = WellKnownText.duration(text) else {
                throw expected("a duration in seconds such as \"3.5s\"", json)
            }
            return WellKnownText.message(seconds: duration.seconds, nanos: duration.nanos)
        case .wrapper:
            var message = MessageValue()
            if let field = descriptor.fields.first {
                message.set(0, .single(try value(json, field.type, path: nil, depth: 1)))
            }
            return message
        }
    }

    // MARK: - Error messages

    static func range(_ type: ScalarType) -> String {
        switch (type.isSigned, type.isWide) {
        case (true, true): "a whole number from \(Int64.min) to \(Int64.max)"
        case (true, false): "a whole number from \(Int32.min) to \(Int32.max)"
        case (false, true): "a whole number from 0 to \(UInt64.max)"
        case (false, false): "a whole number from 0 to \(UInt32.max)"
        }
    }

    private func expected(_ what: String, _ json: JSONValue) -> RecordError {
        RecordError("\(what) is expected, not \(json.found)")
    }

    private func noField(_ name: String, _ descriptor: MessageDescriptor) -> String {
        "there is no field '\(shown(name))' here\(hint(name, descriptor.fields.map(\.jsonName)))"
    }

    private func hint(_ name: String, _ known: [String]) -> String { NameHint.words(for: name, among: known) }

    private func shown(_ name: String) -> Substring { name.prefix(RecordLimits.shownCharacters) }
}

/// The hint at the end of an error message about an unknown name.
enum NameHint {
    /// `; did you mean 'title'?`, or a list of the known names.
    static func words(for name: String, among known: [String]) -> String {
        let hint = NearestName.hint(for: name, among: known)
        guard hint.isEmpty else { return hint }
        guard !known.isEmpty else { return "; there is none" }
        let more = known.count > RecordLimits.listedNames ? ", …" : ""
        return "; known: \(known.prefix(RecordLimits.listedNames).joined(separator: ", "))\(more)"
    }
}

/// Decodes the bytes of a record into a value.
struct RecordDecoder {
    /// The origin of the bytes.
    enum Source {
        /// From outside: anything that doesn't match the schema is refused.
        case publisher
        /// From the store, possibly written under an older schema: a value that its field can't hold is kept as
        /// unknown.
        case store
    }

    let set: DescriptorSet
    let source: Source

    func message(_ bytes: [UInt8], _ descriptor: MessageDescriptor) throws(RecordError) -> MessageValue {
        guard bytes.count <= RecordLimits.bytes else {
            throw RecordError("a record of \(bytes.count) bytes; at most \(RecordLimits.bytes) are allowed")
        }
        var message = MessageValue()
        try read(bytes, bytes.indices, descriptor, into: &message, depth: 1)
        settle(&message, descriptor)
        return message
    }

    /// Reads fields into `message`, merging with those already present: protobuf merges a message that occurs twice.
    private func read(
        _ bytes: [UInt8], _ range: Range<Int>, _ descriptor: MessageDescriptor, into message: inout MessageValue,
        depth: Int
    ) throws(RecordError) {
        guard depth <= RecordLimits.depth else {
            throw RecordError("messages are nested more than \(RecordLimits.depth) deep")
        }
        var reader = WireReader(bytes, range)
        while let wire = try next(&reader) {
            guard let place = descriptor.place(numbered: wire.number) else {
                message.append(unknown: unknown(wire, bytes))
                continue
            }
            let field = descriptor.fields[place]
            do throws(RecordError) {
                try read(wire, bytes, field, place, descriptor, into: &message, depth: depth)
            } catch {
                guard source == .store else { throw error.inside(field.jsonName) }
                message.append(unknown: unknown(wire, bytes))
            }
        }
    }

    private func next(_ reader: inout WireReader) throws(RecordError) -> WireField? {
        do throws(WireFault) {
            return try reader.next()
        } catch {
            throw RecordError("these bytes are not protobuf: \(error.reason)")
        }
    }

    private func read(
        _ wire: WireField, _ bytes: [UInt8], _ field: FieldDescriptor, _ place: Int, _ descriptor: MessageDescriptor,
        into message: inout MessageValue, depth: Int
    ) throws(RecordError) {
        switch field.cardinality {
        case .repeated:
            message.append(place, values: try elements(wire, bytes, field, depth: depth))
        case .map(let key):
            message.append(place, entry: try entry(wire, bytes, key, field, depth: depth))
        case .single:
            // In a oneof, the last member that could be read wins.
            defer { if message[place] != nil { for rival in descriptor.rivals(of: place) { message.remove(rival) } } }
            guard let nested = field.message else {
                message.set(place, .single(try value(wire, bytes, field.type, depth: depth)))
                return
            }
            try expect(.lengthPrefixed, wire)
            var inner = MessageValue()
            // The old value is restored after an error only when reading from the store, where reading continues.
            // Holding on to it forces a copy, so it isn't held otherwise.
            let before = source == .store ? message[place] : nil
            if case .single(.message(let value)) = message.take(place) { inner = value }
            do throws(RecordError) {
                try read(bytes, wire.payload, set.messages[nested], into: &inner, depth: depth + 1)
                try check(inner, set.messages[nested])
                message.set(place, .single(.message(inner)))
            } catch {
                if let before { message.set(place, before) } else { message.remove(place) }
                throw error
            }
        }
    }

    private func elements(
        _ wire: WireField, _ bytes: [UInt8], _ field: FieldDescriptor, depth: Int
    ) throws(RecordError) -> [MessageValue.Value] {
        let scalar = field.type.scalarOnWire
        guard let scalar, scalar.isPackable, wire.wireType == .lengthPrefixed else {
            return [try value(wire, bytes, field.type, depth: depth)]
        }
        var reader = WireReader(bytes, wire.payload)
        var values: [MessageValue.Value] = []
        do throws(WireFault) {
            while let bits = try reader.packed(scalar.wireType) { values.append(.bits(scalar.value(ofWire: bits))) }
        } catch {
            throw RecordError("these bytes are not protobuf: \(error.reason)")
        }
        for case .bits(let bits) in values { try checkNamed(bits, field.type) }
        return values
    }

    private func entry(
        _ wire: WireField, _ bytes: [UInt8], _ key: ScalarType, _ field: FieldDescriptor, depth: Int
    ) throws(RecordError) -> MessageValue.Entry {
        try expect(.lengthPrefixed, wire)
        var entry = MessageValue.Entry(
            key: MessageValue.Value.zero(of: .scalar(key), in: set), value: .zero(of: field.type, in: set))
        var reader = WireReader(bytes, wire.payload)
        while let part = try next(&reader) {
            // A map entry has no other fields; any others are dropped.
            if part.number == 1 { entry.key = try value(part, bytes, .scalar(key), depth: depth) }
            if part.number == 2 { entry.value = try value(part, bytes, field.type, depth: depth) }
        }
        return entry
    }

    private func value(
        _ wire: WireField, _ bytes: [UInt8], _ type: FieldDescriptor.ValueType, depth: Int
    ) throws(RecordError) -> MessageValue.Value {
        if case .message(let nested) = type {
            try expect(.lengthPrefixed, wire)
            var inner = MessageValue()
            try read(bytes, wire.payload, set.messages[nested], into: &inner, depth: depth + 1)
            try check(inner, set.messages[nested])
            return .message(inner)
        }
        guard let scalar = type.scalarOnWire else { throw RecordError("a \(set.name(of: type)) is not supported") }
        try expect(scalar.wireType, wire)
        switch scalar {
        case .string:
            guard UTF8Check.holds(bytes[wire.payload]) else {
                throw RecordError("text is expected: valid UTF-8 without NUL")
            }
            return .bytes(bytes[wire.payload])
        case .bytes: return .bytes(bytes[wire.payload])
        default:
            let bits = scalar.value(ofWire: wire.bits)
            try checkNamed(bits, type)
            return .bits(bits)
        }
    }

    /// Refuses a number for which a closed enum has no name, as the JSON reader does.
    private func checkNamed(_ bits: UInt64, _ type: FieldDescriptor.ValueType) throws(RecordError) {
        guard case .enumeration(let index) = type else { return }
        try set.enumerations[index].check(Int32(truncatingIfNeeded: bits))
    }

    /// Checks the range of a timestamp or duration.
    private func check(_ message: MessageValue, _ descriptor: MessageDescriptor) throws(RecordError) {
        guard let wellKnown = descriptor.wellKnown else { return }
        if let refusal = WellKnownText.refusal(of: message, wellKnown) { throw RecordError(refusal) }
    }

    private func expect(_ type: WireType, _ wire: WireField) throws(RecordError) {
        guard wire.wireType == type else {
            throw RecordError("the encoding should be \(type.name), not \(wire.wireType.name)")
        }
    }

    private func unknown(_ wire: WireField, _ bytes: [UInt8]) -> MessageValue.UnknownField {
        MessageValue.UnknownField(
            number: wire.number, wireType: wire.wireType, bits: wire.bits, payload: bytes[wire.payload])
    }

    // MARK: - Canonical order

    /// Sorts maps and unknown fields after all bytes are read: sorting at each occurrence of a message that occurs
    /// several times would take quadratic time.
    private func settle(_ message: inout MessageValue, _ descriptor: MessageDescriptor) {
        message.sortUnknown()
        for place in message.fields.map(\.place) {
            let field = descriptor.fields[place]
            guard var content = message.take(place) else { continue }
            if case .map(let entries) = content, case .map(let key) = field.cardinality {
                content = .map(MessageValue.settled(entries, key))
            }
            if let nested = field.message { settle(&content, set.messages[nested]) }
            message.set(place, content)
        }
    }

    private func settle(_ content: inout MessageValue.Content, _ descriptor: MessageDescriptor) {
        func settled(_ value: MessageValue.Value) -> MessageValue.Value {
            guard case .message(var message) = value else { return value }
            settle(&message, descriptor)
            return .message(message)
        }
        switch content {
        case .single(let value): content = .single(settled(value))
        case .list(let values): content = .list(values.map(settled))
        case .map(let entries):
            content = .map(entries.map { MessageValue.Entry(key: $0.key, value: settled($0.value)) })
        }
    }
}

extension MessageValue {
    /// Sorts entries by key, keeping only the last entry of a repeated key.
    static func settled(_ entries: [Entry], _ key: ScalarType) -> [Entry] {
        let sorted = entries.enumerated().sorted {
            if Entry.precedes($0.element.key, $1.element.key, key) { return true }
            if Entry.precedes($1.element.key, $0.element.key, key) { return false }
            return $0.offset < $1.offset
        }
        var settled: [Entry] = []
        for (_, entry) in sorted {
            if settled.last?.key == entry.key { settled.removeLast() }
            settled.append(entry)
        }
        return settled
    }
}

extension MessageValue.Value {
    /// The value that an absent field of this type reads as.
    static func zero(of type: FieldDescriptor.ValueType, in set: DescriptorSet) -> MessageValue.Value {
        switch type {
        case .scalar(.string), .scalar(.bytes): .bytes([])
        case .scalar, .unsupported: .bits(0)
        case .enumeration(let index): .bits(UInt64(bitPattern: Int64(set.enumerations[index].defaultNumber)))
        case .message: .message(MessageValue())
        }
    }
}

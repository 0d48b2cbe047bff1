/// Reads values by walking canonical bytes: the fields on the path are found by number, and all others are skipped by
/// length. Bytes that don't match the schema, as in a record written under an older one, read as missing.
extension FieldPath {
    /// The value of a field that occurs once, or of the map entry that the path names.
    ///
    /// A missing number without presence reads as 0, a missing bool as false, and a missing field with a declared
    /// default (proto2) as that default. Empty text or bytes without presence count as missing, and so does everything
    /// inside a missing message.
    ///
    /// - Parameter range: where the message that the path begins in is in `bytes`; all of `bytes` by default.
    /// - Returns: `nil` if the value is missing, and for a list or a whole map.
    package func value(in bytes: [UInt8], at range: Range<Int>? = nil) -> FieldValue? {
        guard let message = enclosing(bytes, range ?? bytes.indices) else { return nil }
        if key != nil { return entryValue(in: bytes, message) }
        guard field.isSingle else { return nil }
        guard let found = FieldPath.find(field.number, bytes, message) else { return absent }
        return value(of: found, bytes)
    }

    /// Like `value(in:at:)`, for a text; `nil` if the value isn't text.
    package func text(in bytes: [UInt8], at range: Range<Int>? = nil) -> String? {
        if case .text(let text) = value(in: bytes, at: range) { text } else { nil }
    }

    /// All values of a list in order, or the value of a field that occurs once.
    package func values(in bytes: [UInt8], at range: Range<Int>? = nil) -> [FieldValue] {
        var values: [FieldValue] = []
        forEachValue(in: bytes, at: range) { values.append($0) }
        return values
    }

    /// Calls `body` with each of `values(in:at:)`.
    package func forEachValue(in bytes: [UInt8], at range: Range<Int>? = nil, _ body: (FieldValue) -> Void) {
        guard field.cardinality == .repeated else {
            if let value = value(in: bytes, at: range) { body(value) }
            return
        }
        guard let message = enclosing(bytes, range ?? bytes.indices) else { return }
        forEach(bytes, message) { found in
            if let scalar = packedScalar, found.wireType == .lengthPrefixed {
                var reader = WireReader(bytes, found.payload)
                while let bits = try? reader.packed(scalar.wireType) {
                    body(value(ofBits: scalar.value(ofWire: bits)))
                }
            } else if let value = value(of: found, bytes) {
                body(value)
            }
        }
    }

    /// The range in `bytes` of the message at the end of the path; `nil` if it is missing or not a message.
    package func messageRange(in bytes: [UInt8], at range: Range<Int>? = nil) -> Range<Int>? {
        guard case .message = target, field.isSingle, let message = enclosing(bytes, range ?? bytes.indices),
            let found = FieldPath.find(field.number, bytes, message), found.wireType == .lengthPrefixed
        else { return nil }
        return found.payload
    }

    /// The ranges in `bytes` of the messages of a list, in order.
    package func messageRanges(in bytes: [UInt8], at range: Range<Int>? = nil) -> [Range<Int>] {
        guard case .message = target, field.cardinality == .repeated,
            let message = enclosing(bytes, range ?? bytes.indices)
        else { return [] }
        var ranges: [Range<Int>] = []
        forEach(bytes, message) { if $0.wireType == .lengthPrefixed { ranges.append($0.payload) } }
        return ranges
    }

    /// The ranges in `bytes` of messages and map entries: the message of a field that occurs once, those of a list in
    /// list order, or those of a map ordered by key.
    package func payloads(in bytes: [UInt8]) -> [Range<Int>] {
        guard let message = enclosing(bytes, bytes.indices) else { return [] }
        if field.isSingle {
            let found = FieldPath.find(field.number, bytes, message)
            return found?.wireType == .lengthPrefixed ? [found?.payload].compactMap { $0 } : []
        }
        var ranges: [Range<Int>] = []
        forEach(bytes, message) { if $0.wireType == .lengthPrefixed { ranges.append($0.payload) } }
        return ranges
    }

    /// The range in `bytes` of the text at the end of the path; `nil` if it is missing or not text.
    package func textRange(in bytes: [UInt8], at range: Range<Int>? = nil) -> Range<Int>? {
        guard target == .scalar(.string), field.isSingle, let message = enclosing(bytes, range ?? bytes.indices),
            let found = FieldPath.find(field.number, bytes, message), found.wireType == .lengthPrefixed
        else { return nil }
        return found.payload
    }

    /// The ranges in `bytes` of the keys and values of a map from text to text, ordered by key.
    package func textEntries(
        in bytes: [UInt8], at range: Range<Int>? = nil
    ) -> [(key: Range<Int>, text: Range<Int>)] {
        guard case .map(.string) = field.cardinality, target == .scalar(.string),
            let message = enclosing(bytes, range ?? bytes.indices)
        else { return [] }
        var entries: [(key: Range<Int>, text: Range<Int>)] = []
        forEach(bytes, message) { entry in
            guard entry.wireType == .lengthPrefixed else { return }
            let nothing = entry.payload.upperBound..<entry.payload.upperBound
            let key = FieldPath.find(1, bytes, entry.payload).map(\.payload) ?? nothing
            entries.append((key, FieldPath.find(2, bytes, entry.payload).map(\.payload) ?? nothing))
        }
        return entries
    }

    // MARK: - Walking

    /// The range of the message that holds the field; `nil` if a message on the path is missing.
    private func enclosing(_ bytes: [UInt8], _ range: Range<Int>) -> Range<Int>? {
        var range = range.clamped(to: bytes.indices)
        for step in steps {
            guard let found = FieldPath.find(step, bytes, range), found.wireType == .lengthPrefixed else { return nil }
            range = found.payload
        }
        return range
    }

    /// The last field with this number, in bytes whose field numbers ascend.
    static func find(_ number: UInt32, _ bytes: [UInt8], _ range: Range<Int>) -> WireField? {
        var reader = WireReader(bytes, range)
        var last: WireField?
        while let field = try? reader.next(numbered: number) { last = field }
        return last
    }

    private func forEach(_ bytes: [UInt8], _ range: Range<Int>, _ body: (WireField) -> Void) {
        var reader = WireReader(bytes, range)
        while let found = try? reader.next(numbered: field.number) { body(found) }
    }

    private func entryValue(in bytes: [UInt8], _ range: Range<Int>) -> FieldValue? {
        guard case .map(let type) = field.cardinality, let key else { return nil }
        var result: FieldValue?
        forEach(bytes, range) { entry in
            guard entry.wireType == .lengthPrefixed, result == nil else { return }
            let found = FieldPath.find(1, bytes, entry.payload)
            let isMatch =
                switch key {
                case .bytes(let text): found.map { bytes[$0.payload] == text } ?? text.isEmpty
                case .bits(let bits): found.map { type.value(ofWire: $0.bits) == bits } ?? (bits == 0)
                case .message: false
                }
            guard isMatch else { return }
            result = FieldPath.find(2, bytes, entry.payload).flatMap { value(of: $0, bytes) } ?? zero
        }
        return result
    }

    // MARK: - Values

    private var packedScalar: ScalarType? {
        switch target {
        case .scalar(let scalar): scalar.isPackable ? scalar : nil
        case .enumeration: .int32
        default: nil
        }
    }

    private func value(of found: WireField, _ bytes: [UInt8]) -> FieldValue? {
        switch target {
        case .scalar(let scalar): return FieldPath.value(of: found, bytes, scalar)
        case .enumeration:
            return found.wireType == .varint ? value(ofBits: ScalarType.int32.value(ofWire: found.bits)) : nil
        case .message: return found.wireType == .lengthPrefixed ? .message(Array(bytes[found.payload])) : nil
        case .wrapped(let scalar):
            guard found.wireType == .lengthPrefixed else { return nil }
            guard let inner = FieldPath.find(1, bytes, found.payload) else {
                return scalar.wireType == .lengthPrefixed ? FieldValue([], scalar) : FieldValue(0, scalar)
            }
            return FieldPath.value(of: inner, bytes, scalar)
        case .timestamp, .duration:
            guard found.wireType == .lengthPrefixed else { return nil }
            func number(_ number: UInt32) -> Int64 {
                let found = FieldPath.find(number, bytes, found.payload)
                return found.map { $0.wireType == .varint ? Int64(bitPattern: $0.bits) : 0 } ?? 0
            }
            // Nanoseconds are an int32.
            let (seconds, nanos) = (number(1), Int64(Int32(truncatingIfNeeded: number(2))))
            return target == .timestamp
                ? .timestamp(seconds: seconds, nanos: nanos) : .duration(seconds: seconds, nanos: nanos)
        }
    }

    private static func value(of found: WireField, _ bytes: [UInt8], _ scalar: ScalarType) -> FieldValue? {
        guard found.wireType == scalar.wireType else { return nil }
        return scalar.isPackable
            ? FieldValue(scalar.value(ofWire: found.bits), scalar) : FieldValue(bytes[found.payload], scalar)
    }

    private func value(ofBits bits: UInt64) -> FieldValue {
        switch target {
        case .scalar(let scalar): return FieldValue(bits, scalar)
        case .enumeration(let type):
            let number = Int32(truncatingIfNeeded: bits)
            return .enumeration(name: type.name(of: number) ?? "\(number)", number: number)
        default: return .unsigned(bits)
        }
    }

    /// The value that the field reads as when it is absent.
    private var absent: FieldValue? {
        switch field.declaredDefault {
        case .number(let bits): return value(ofBits: bits)
        case .bytes(let bytes):
            guard case .scalar(let scalar) = target else { return nil }
            return FieldValue(bytes[...], scalar)
        case nil: return field.presence == .implicit ? zero : nil
        }
    }

    /// 0, false or the enum's default value; `nil` for types whose zero value is empty.
    private var zero: FieldValue? {
        switch target {
        case .scalar(let scalar): scalar.isPackable ? FieldValue(0, scalar) : nil
        case .enumeration(let type): value(ofBits: UInt64(bitPattern: Int64(type.defaultNumber)))
        default: nil
        }
    }
}

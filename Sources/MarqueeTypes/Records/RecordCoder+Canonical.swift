extension RecordCoder {
    /// Whether bytes are a record in canonical form, as far as walking over them once can tell: nearly all that sources
    /// and imports publish are, and needn't be decoded to be encoded again.
    ///
    /// - Returns: `false` also for canonical records that have lists, maps, messages, a `oneof` or unknown fields.
    func isPlainlyCanonical(_ bytes: [UInt8]) -> Bool {
        guard bytes.count <= RecordLimits.bytes, !message.fields.contains(where: { $0.presence == .required })
        else { return false }
        var last: UInt32 = 0
        var reader = WireReader(bytes)
        do throws(WireFault) {
            while true {
                let start = reader.index
                guard let wire = try reader.next() else { return true }
                guard wire.number > last, reader.index - start == wire.shortestLength,
                    let place = message.place(numbered: wire.number), isCanonical(wire, bytes, message.fields[place])
                else { return false }
                last = wire.number
            }
        } catch {
            return false
        }
    }

    private func isCanonical(_ wire: WireField, _ bytes: [UInt8], _ field: FieldDescriptor) -> Bool {
        guard field.isSingle, field.oneof == nil, let scalar = field.type.scalarOnWire,
            wire.wireType == scalar.wireType
        else { return false }
        guard scalar.isPackable else {
            if wire.payload.isEmpty { return field.presence != .implicit }
            return scalar == .bytes || UTF8Check.holds(bytes[wire.payload])
        }
        let value = scalar.value(ofWire: wire.bits)
        if case .enumeration(let index) = field.type,
            (try? set.enumerations[index].check(Int32(truncatingIfNeeded: value))) == nil
        {
            return false
        }
        // A number of ten bytes may have bits beyond the 64th.
        let isWhole = wire.payload.count < 10 || bytes[wire.payload.upperBound - 1] == 1
        return isWhole && scalar.wire(ofValue: value) == wire.bits && (value != 0 || field.presence != .implicit)
    }
}

extension WireField {
    /// The bytes that it has if its tag, number and length are as short as possible.
    fileprivate var shortestLength: Int {
        let tag = Self.varintLength(UInt64(number) << 3)
        return switch wireType {
        case .varint: tag + Self.varintLength(bits)
        case .fixed64, .fixed32: tag + payload.count
        case .lengthPrefixed: tag + Self.varintLength(UInt64(payload.count)) + payload.count
        }
    }

    private static func varintLength(_ value: UInt64) -> Int {
        max(1, (UInt64.bitWidth - value.leadingZeroBitCount + 6) / 7)
    }
}

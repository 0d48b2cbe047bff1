/// The encoding of a field's value. Groups (3 and 4) are not supported.
enum WireType: UInt8, Hashable, Sendable {
    case varint = 0
    case fixed64 = 1
    case lengthPrefixed = 2
    case fixed32 = 5

    /// Its name in error messages.
    var name: String {
        switch self {
        case .varint: "a varint"
        case .fixed64: "8 bytes"
        case .lengthPrefixed: "a length and bytes"
        case .fixed32: "4 bytes"
        }
    }
}

/// One encoded field: a number and a value.
struct WireField: Hashable {
    var number: UInt32
    var wireType: WireType
    /// The value of a varint or a fixed-width number.
    var bits: UInt64
    /// The range of the value's bytes, excluding the length prefix if there is one.
    var payload: Range<Int>
}

/// The reason why bytes aren't protobuf.
struct WireFault: Error {
    var reason: String
}

/// Reads the fields of one message within `bytes`. Allocates nothing.
struct WireReader {
    private static let maximumVarintBytes = 10

    let bytes: [UInt8]
    private(set) var index: Int
    let end: Int

    init(_ bytes: [UInt8]) {
        self.init(bytes, bytes.indices)
    }

    /// - Parameter range: where the message is in `bytes`.
    init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        index = range.lowerBound
        end = range.upperBound
    }

    var isAtEnd: Bool { index >= end }

    /// The next field, or `nil` at the end.
    mutating func next() throws(WireFault) -> WireField? {
        guard index < end else { return nil }
        let tag = try varint()
        guard let tag = UInt32(exactly: tag), tag >> 3 >= 1 else {
            throw WireFault(reason: "a tag of \(tag) names no field")
        }
        guard let wireType = WireType(rawValue: UInt8(tag & 7)) else {
            throw WireFault(reason: "field \(tag >> 3) has the wire type \(tag & 7); groups are not supported")
        }
        var field = WireField(number: tag >> 3, wireType: wireType, bits: 0, payload: index..<index)
        switch wireType {
        case .varint:
            let start = index
            field.bits = try varint()
            field.payload = start..<index
        case .fixed64: (field.bits, field.payload) = try fixed(8)
        case .fixed32: (field.bits, field.payload) = try fixed(4)
        case .lengthPrefixed:
            let length = try varint()
            guard length <= UInt64(end - index) else {
                throw WireFault(reason: "field \(tag >> 3) is longer than its message")
            }
            field.payload = index..<index + Int(length)
            index += Int(length)
        }
        return field
    }

    /// The next field with this number, in bytes whose field numbers ascend; `nil` if there is none.
    mutating func next(numbered number: UInt32) throws(WireFault) -> WireField? {
        while index < end {
            let start = index
            let tag = try varint()
            if tag >> 3 < UInt64(number) {
                try skip(tag)
            } else {
                index = start
                return tag >> 3 == UInt64(number) ? try next() : nil
            }
        }
        return nil
    }

    /// Skips the value of a field without reading it.
    private mutating func skip(_ tag: UInt64) throws(WireFault) {
        switch WireType(rawValue: UInt8(tag & 7)) {
        case .varint: _ = try varint()
        case .fixed64: try skip(bytes: 8)
        case .fixed32: try skip(bytes: 4)
        case .lengthPrefixed: try skip(bytes: try varint())
        case nil: throw WireFault(reason: "field \(tag >> 3) is of a group")
        }
    }

    private mutating func skip(bytes count: UInt64) throws(WireFault) {
        guard count <= UInt64(end - index) else { throw WireFault(reason: "a value ends early") }
        index += Int(count)
    }

    /// The next value of a packed field.
    mutating func packed(_ wireType: WireType) throws(WireFault) -> UInt64? {
        guard index < end else { return nil }
        switch wireType {
        case .fixed64: return try fixed(8).bits
        case .fixed32: return try fixed(4).bits
        case .varint, .lengthPrefixed: return try varint()
        }
    }

    private mutating func varint() throws(WireFault) -> UInt64 {
        // Most tags, lengths and numbers are one byte.
        if index < end, bytes[index] < 0x80 {
            index += 1
            return UInt64(bytes[index - 1])
        }
        var value: UInt64 = 0
        for place in 0..<WireReader.maximumVarintBytes {
            guard index < end else { throw WireFault(reason: "a number ends early") }
            let byte = bytes[index]
            index += 1
            // Bits beyond the 64th are dropped, as in every protobuf reader.
            value |= UInt64(byte & 0x7F) << UInt64(7 * place)
            if byte < 0x80 { return value }
        }
        throw WireFault(reason: "a number of more than \(WireReader.maximumVarintBytes) bytes")
    }

    private mutating func fixed(_ count: Int) throws(WireFault) -> (bits: UInt64, payload: Range<Int>) {
        guard count <= end - index else { throw WireFault(reason: "a number ends early") }
        let payload = index..<index + count
        let bits = bytes.withUnsafeBytes { bytes in
            count == MemoryLayout<UInt64>.size
                ? UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: payload.lowerBound, as: UInt64.self))
                : UInt64(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: payload.lowerBound, as: UInt32.self)))
        }
        index += count
        return (bits, payload)
    }
}

/// Writes fields with the shortest possible tags, numbers and lengths.
struct WireWriter {
    private(set) var bytes: [UInt8] = []

    /// - Parameter capacity: the bytes for which there is room from the beginning.
    init(capacity: Int = 0) { bytes.reserveCapacity(capacity) }

    mutating func tag(_ number: UInt32, _ wireType: WireType) {
        varint(UInt64(number) << 3 | UInt64(wireType.rawValue))
    }

    mutating func varint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    /// Writes a value's encoded bits.
    mutating func bits(_ value: UInt64, _ wireType: WireType) {
        switch wireType {
        case .varint, .lengthPrefixed: varint(value)
        case .fixed64: withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
        case .fixed32:
            withUnsafeBytes(of: UInt32(truncatingIfNeeded: value).littleEndian) { bytes.append(contentsOf: $0) }
        }
    }

    mutating func append(_ other: WireWriter) { bytes.append(contentsOf: other.bytes) }

    mutating func lengthPrefixed(_ value: some Collection<UInt8>) {
        varint(UInt64(value.count))
        bytes.append(contentsOf: value)
    }
}

extension ScalarType {
    /// Converts encoded bits to the bits that a record stores: 32-bit numbers are truncated to 32 bits and, if signed,
    /// sign-extended; zigzag is decoded; a bool is 0 or 1.
    func value(ofWire bits: UInt64) -> UInt64 {
        switch self {
        case .int32, .sfixed32: UInt64(bitPattern: Int64(Int32(truncatingIfNeeded: bits)))
        case .uint32: UInt64(UInt32(truncatingIfNeeded: bits))
        case .bool: bits == 0 ? 0 : 1
        case .sint32:
            UInt64(
                bitPattern: Int64(
                    Int32(truncatingIfNeeded: ScalarType.unzigzag(UInt64(UInt32(truncatingIfNeeded: bits))))))
        case .sint64: UInt64(bitPattern: ScalarType.unzigzag(bits))
        default: bits
        }
    }

    /// Converts the bits that a record stores to encoded bits.
    func wire(ofValue bits: UInt64) -> UInt64 {
        switch self {
        case .sint32, .sint64:
            let value = Int64(bitPattern: bits)
            return UInt64(bitPattern: (value << 1) ^ (value >> 63))
        default: return bits
        }
    }

    private static func unzigzag(_ bits: UInt64) -> Int64 {
        Int64(bitPattern: bits >> 1) ^ -Int64(bitPattern: bits & 1)
    }
}

/// Checks that a record may hold bytes as text: they must be UTF-8 without NUL, where other software would cut the text
/// off.
enum UTF8Check {
    static func holds(_ bytes: ArraySlice<UInt8>) -> Bool {
        var isASCII = true
        for byte in bytes {
            if byte == 0 { return false }
            if byte >= 0x80 { isASCII = false }
        }
        return isASCII || String(validating: bytes, as: UTF8.self) != nil
    }
}

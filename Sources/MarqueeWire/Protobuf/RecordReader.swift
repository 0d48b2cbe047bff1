/// How a record's value is laid out. Groups (3 and 4) are not supported.
enum WireType: UInt8 {
    case varint = 0
    case fixed64 = 1
    case lengthPrefixed = 2
    case fixed32 = 5
}

/// One record of a message: a field number and a value, borrowed from the bytes it was read from.
struct WireRecord {
    var number: UInt32
    var wireType: WireType
    /// The value, without its length prefix if it has one.
    var payload: UnsafeRawBufferPointer
    /// Bytes of the value, including the length prefix.
    var wholeBytes: Int
}

/// Reads the records of one message. Borrows the bytes, allocates nothing.
struct RecordReader {
    private let bytes: UnsafeRawBufferPointer
    private var index = 0

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    /// The next record, or `nil` at the end.
    ///
    /// - Throws: `truncated`, `malformed`, or `wrongWireType` for a group.
    mutating func next() throws(WireError) -> WireRecord? {
        guard index < bytes.count else { return nil }
        let tag = try Varints.read(bytes, &index, maximumBytes: Varints.maximumTagBytes)
        guard let tag = UInt32(exactly: tag), tag >> 3 >= 1 else {
            throw WireError(.malformed, "tag \(tag) names no field")
        }
        guard let wireType = WireType(rawValue: UInt8(tag & 7)) else {
            throw WireError(.wrongWireType, "field \(tag >> 3) has wire type \(tag & 7), which isn't supported")
        }
        let start = index
        let length: Int
        switch wireType {
        case .varint:
            _ = try Varints.read(bytes, &index, maximumBytes: Varints.maximumBytes)
            length = index - start
            index = start
        case .fixed64: length = 8
        case .fixed32: length = 4
        case .lengthPrefixed:
            let stated = try Varints.read(bytes, &index, maximumBytes: Varints.maximumTagBytes)
            guard let fitting = Int(exactly: stated) else {
                throw WireError(.truncated, "field \(tag >> 3) is longer than its message")
            }
            length = fitting
        }
        guard length <= bytes.count - index else {
            throw WireError(.truncated, "field \(tag >> 3) is longer than its message")
        }
        let payload = UnsafeRawBufferPointer(rebasing: bytes[index..<index + length])
        index += length
        return WireRecord(number: tag >> 3, wireType: wireType, payload: payload, wholeBytes: index - start)
    }
}

/// Protobuf's variable-length numbers.
enum Varints {
    static let maximumBytes = 10
    /// For a tag or a length.
    static let maximumTagBytes = 5

    /// Reads one number and moves `index` past it.
    static func read(
        _ bytes: UnsafeRawBufferPointer, _ index: inout Int, maximumBytes: Int
    ) throws(WireError) -> UInt64 {
        var value: UInt64 = 0
        for place in 0..<maximumBytes {
            guard index < bytes.count else { throw WireError(.truncated, "a number ends early") }
            let byte = bytes[index]
            index += 1
            // Bits beyond the 64th are dropped, as in every protobuf reader.
            value |= UInt64(byte & 0x7F) << UInt64(7 * place)
            if byte < 0x80 { return value }
        }
        throw WireError(.malformed, "a number is longer than \(maximumBytes) bytes")
    }

    /// How many numbers `bytes` contains.
    static func count(_ bytes: UnsafeRawBufferPointer) throws(WireError) -> Int {
        var count = 0
        var length = 0
        for byte in bytes {
            length += 1
            guard length <= maximumBytes else {
                throw WireError(.malformed, "a number is longer than \(maximumBytes) bytes")
            }
            if byte < 0x80 {
                count += 1
                length = 0
            }
        }
        guard length == 0 else { throw WireError(.truncated, "a packed number ends early") }
        return count
    }

    /// Bytes a number occupies.
    static func size(_ value: UInt64) -> Int {
        max(1, (UInt64.bitWidth - value.leadingZeroBitCount + 6) / 7)
    }
}

/// The encoding of a record's value. Groups (3 and 4) are not supported.
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
    /// The number of a varint.
    var value: UInt64
}

/// Reads the records of one message. Borrows the bytes and allocates nothing.
struct RecordReader {
    private var place: UnsafeRawPointer
    private let end: UnsafeRawPointer

    /// - Returns: `nil` if `bytes` has no memory, and so no records.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress else { return nil }
        place = start
        end = start + bytes.count
    }

    /// The next record, or `nil` at the end.
    ///
    /// - Throws: `truncated`, `malformed`, or `wrongWireType` for a group.
    @inline(__always)
    mutating func next() throws(WireError) -> WireRecord? {
        guard place < end else { return nil }
        let tag = try Varints.read(&place, end, maximumBytes: Varints.maximumTagBytes)
        guard tag >= 1 << 3, tag <= UInt64(UInt32.max) else { throw Self.noField(tag) }
        let number = UInt32(truncatingIfNeeded: tag) &>> 3
        guard let wireType = WireType(rawValue: UInt8(truncatingIfNeeded: tag) & 7) else {
            throw Self.unsupported(tag)
        }
        let start = place
        let length: Int
        var value: UInt64 = 0
        switch wireType {
        case .lengthPrefixed:
            // At most 35 bits, so it fits an Int.
            length = Int(truncatingIfNeeded: try Varints.read(&place, end, maximumBytes: Varints.maximumTagBytes))
        case .varint:
            value = try Varints.read(&place, end, maximumBytes: Varints.maximumBytes)
            length = place - start
            place = start
        case .fixed64: length = 8
        case .fixed32: length = 4
        }
        guard length <= end - place else { throw Self.tooLong(number) }
        let payload = UnsafeRawBufferPointer(start: place, count: length)
        place += length
        return WireRecord(number: number, wireType: wireType, payload: payload, wholeBytes: place - start, value: value)
    }

    // Errors, made out of line to keep the fast path small.

    @inline(never)
    private static func noField(_ tag: UInt64) -> WireError { WireError(.malformed, "tag \(tag) names no field") }

    @inline(never)
    private static func unsupported(_ tag: UInt64) -> WireError {
        WireError(.wrongWireType, "field \(tag >> 3) has wire type \(tag & 7), which isn't supported")
    }

    @inline(never)
    private static func tooLong(_ number: UInt32) -> WireError {
        WireError(.truncated, "field \(number) is longer than its message")
    }
}

/// Protobuf's variable-length numbers.
enum Varints {
    static let maximumBytes = 10
    /// For a tag or a length.
    static let maximumTagBytes = 5

    /// Reads one number and moves `place` past it. Optimized for numbers of one byte.
    @inline(__always)
    static func read(
        _ place: inout UnsafeRawPointer, _ end: UnsafeRawPointer, maximumBytes: Int
    ) throws(WireError) -> UInt64 {
        if place < end {
            let byte = place.load(as: UInt8.self)
            if byte < 0x80 {
                place += 1
                return UInt64(byte)
            }
        }
        return try readLong(&place, end, maximumBytes: maximumBytes)
    }

    private static func readLong(
        _ place: inout UnsafeRawPointer, _ end: UnsafeRawPointer, maximumBytes: Int
    ) throws(WireError) -> UInt64 {
        var value: UInt64 = 0
        for index in 0..<maximumBytes {
            guard place < end else { throw WireError(.truncated, "a number ends early") }
            let byte = place.load(as: UInt8.self)
            place += 1
            // Bits beyond the 64th are dropped, as in every protobuf reader.
            value |= UInt64(byte & 0x7F) << UInt64(7 * index)
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

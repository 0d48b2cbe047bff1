/// The reason why bytes are not a canonical body.
package struct BodyError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A human-readable message.
    package var message: String

    init(_ message: String) { self.message = message }

    package var description: String { message }
}

/// The canonical form of a body: protobuf records in ascending order of field number, with records of the same number
/// in their original order.
///
/// Needs no schema, so unknown fields are ordered, compared and passed on like all others. Records themselves are never
/// re-encoded.
package enum CanonicalBody {
    /// Maximum bytes of a body; a larger one would not fit into one data part.
    package static let maximumLength = 65_536

    /// The same records in canonical order.
    ///
    /// - Throws: when the bytes are too long, truncated, or contain a group or a field number that is 0 or too large.
    package static func canonicalize(_ bytes: [UInt8]) throws(BodyError) -> [UInt8] {
        var reader = try RecordReader(bytes)
        var records: [Record] = []
        var isOrdered = true
        while let record = try reader.next() {
            if let last = records.last, last.number > record.number { isOrdered = false }
            records.append(record)
        }
        if isOrdered { return bytes }
        // The position as the second key keeps records of the same number in order.
        records.sort { ($0.number, $0.range.lowerBound) < ($1.number, $1.range.lowerBound) }
        var ordered: [UInt8] = []
        ordered.reserveCapacity(bytes.count)
        for record in records { ordered.append(contentsOf: bytes[record.range]) }
        return ordered
    }

    /// Whether the bytes are a canonical body.
    package static func isCanonical(_ bytes: [UInt8]) -> Bool {
        do {
            var fields = try FieldReader(bytes)
            while try fields.next() != nil {}
            return true
        } catch {
            return false
        }
    }
}

/// One top-level record, or several consecutive ones with the same number.
struct Record: Hashable {
    var number: UInt32
    var range: Range<Int>
}

/// Walks the top-level records of a message.
struct RecordReader {
    /// The largest field number in protobuf.
    static let maximumNumber: UInt32 = (1 << 29) - 1
    private static let maximumVarintBytes = 10

    let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) throws(BodyError) {
        guard bytes.count <= CanonicalBody.maximumLength else {
            throw BodyError("a body of \(bytes.count) bytes, at most \(CanonicalBody.maximumLength) are allowed")
        }
        self.bytes = bytes
    }

    /// The next record, or nil at the end.
    mutating func next() throws(BodyError) -> Record? {
        guard position < bytes.count else { return nil }
        let start = position
        let tag = try varint()
        guard tag <= UInt64(UInt32.max), tag >> 3 >= 1 else {
            throw BodyError("field number \(tag >> 3) at byte \(start)")
        }
        switch tag & 7 {
        case 0: _ = try varint()
        case 1: try skip(8)
        case 2: try skip(try varint())
        case 5: try skip(4)
        default: throw BodyError("wire type \(tag & 7) at byte \(start)")
        }
        return Record(number: UInt32(tag >> 3), range: start..<position)
    }

    private mutating func varint() throws(BodyError) -> UInt64 {
        var value: UInt64 = 0
        for index in 0..<RecordReader.maximumVarintBytes {
            guard position < bytes.count else { throw BodyError("truncated at byte \(position)") }
            let byte = bytes[position]
            position += 1
            // Only one bit of the tenth byte fits; like every implementation of the format, drop the rest.
            value |= UInt64(byte & 0x7F) << UInt64(7 * index)
            if byte & 0x80 == 0 { return value }
        }
        throw BodyError("a number of more than \(RecordReader.maximumVarintBytes) bytes before byte \(position)")
    }

    private mutating func skip(_ count: UInt64) throws(BodyError) {
        guard count <= UInt64(bytes.count - position) else { throw BodyError("truncated at byte \(position)") }
        position += Int(count)
    }
}

/// Walks the fields of a canonical body: all records of one number at a time.
struct FieldReader {
    private var records: RecordReader
    private var pending: Record?

    /// - Throws: when the first record is malformed.
    init(_ bytes: [UInt8]) throws(BodyError) {
        records = try RecordReader(bytes)
        pending = try records.next()
    }

    /// The next field, or nil at the end.
    ///
    /// - Throws: also when field numbers descend.
    mutating func next() throws(BodyError) -> Record? {
        guard var field = pending else { return nil }
        pending = try records.next()
        while let record = pending, record.number == field.number {
            field.range = field.range.lowerBound..<record.range.upperBound
            pending = try records.next()
        }
        if let record = pending, record.number < field.number {
            throw BodyError("field \(record.number) follows field \(field.number)")
        }
        return field
    }
}

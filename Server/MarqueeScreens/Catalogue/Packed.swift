/// A record in one block of memory: a fraction of what its fields would take as separate values. Reading it rebuilds
/// the record.
struct Packed<Record: Packable>: Sendable {
    private let bytes: [UInt8]

    init(_ record: Record) {
        var writer = PackWriter()
        record.pack(into: &writer)
        bytes = writer.exactBytes
    }

    var record: Record {
        var reader = PackReader(bytes)
        return Record(unpacking: &reader)
    }

    /// Reads only the beginning of the record.
    func reading<Value>(_ body: (inout PackReader) -> Value) -> Value {
        var reader = PackReader(bytes)
        return body(&reader)
    }
}

/// A record that can be written as bytes and read back without loss. The bytes never leave the process.
protocol Packable {
    func pack(into writer: inout PackWriter)
    /// - Parameter reader: positioned at what `pack` wrote.
    init(unpacking reader: inout PackReader)
}

/// Writes the fields of a record one after another.
struct PackWriter {
    /// Enough for most records; larger ones cost another allocation.
    private static let usualBytes = 1_024

    private var bytes: [UInt8] = []

    init() { bytes.reserveCapacity(PackWriter.usualBytes) }

    /// The written bytes, in an array without spare capacity.
    var exactBytes: [UInt8] {
        bytes.withUnsafeBufferPointer { written in
            Array(unsafeUninitializedCapacity: written.count) { buffer, count in
                count = buffer.initialize(fromContentsOf: written)
            }
        }
    }

    mutating func number(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    mutating func double(_ value: Double) {
        withUnsafeBytes(of: value.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func text(_ value: String) {
        number(UInt64(value.utf8.count))
        bytes.append(contentsOf: value.utf8)
    }

    mutating func list<Element>(_ elements: some Collection<Element>, _ write: (inout PackWriter, Element) -> Void) {
        number(UInt64(elements.count))
        for element in elements { write(&self, element) }
    }

    mutating func optional<Value>(_ value: Value?, _ write: (inout PackWriter, Value) -> Void) {
        bytes.append(value == nil ? 0 : 1)
        if let value { write(&self, value) }
    }
}

/// Reads the fields of a record in the order they were written.
struct PackReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func number() -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            let byte = bytes[position]
            position += 1
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
            shift += 7
        }
    }

    mutating func double() -> Double {
        let bits = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: position, as: UInt64.self) }
        position += MemoryLayout<UInt64>.size
        return Double(bitPattern: UInt64(littleEndian: bits))
    }

    mutating func text() -> String {
        let count = Int(number())
        defer { position += count }
        return String(decoding: bytes[position..<position + count], as: UTF8.self)
    }

    mutating func list<Element>(_ read: (inout PackReader) -> Element) -> [Element] {
        let count = Int(number())
        var elements: [Element] = []
        elements.reserveCapacity(count)
        for _ in 0..<count { elements.append(read(&self)) }
        return elements
    }

    mutating func optional<Value>(_ read: (inout PackReader) -> Value) -> Value? {
        let isThere = bytes[position] == 1
        position += 1
        return isThere ? read(&self) : nil
    }
}

/// Writes protobuf in canonical bytes. Made-up records by the million have to cost less than taking them in.
struct FilmBytes {
    private(set) var bytes: [UInt8] = []

    private mutating func varint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    mutating func number(_ field: UInt64, _ value: UInt64) {
        if value == 0 { return }
        varint(field << 3)
        varint(value)
    }

    mutating func double(_ field: UInt64, _ value: Double) {
        if value == 0 { return }
        varint(field << 3 | 1)
        for shift in stride(from: 0, to: 64, by: 8) {
            bytes.append(UInt8(truncatingIfNeeded: value.bitPattern >> UInt64(shift)))
        }
    }

    mutating func text(_ field: UInt64, _ value: String) {
        if !value.isEmpty { content(field, Array(value.utf8)) }
    }

    mutating func content(_ field: UInt64, _ content: [UInt8]) {
        varint(field << 3 | 2)
        varint(UInt64(content.count))
        bytes += content
    }

    mutating func message(_ field: UInt64, _ write: (inout FilmBytes) -> Void) {
        var inner = FilmBytes()
        write(&inner)
        content(field, inner.bytes)
    }

    mutating func numbers(_ field: UInt64, _ values: [UInt64]) {
        guard !values.isEmpty else { return }
        var inner = FilmBytes()
        for value in values { inner.varint(value) }
        content(field, inner.bytes)
    }

    mutating func map(_ field: UInt64, _ entries: [String: String]) {
        for (key, value) in entries.sorted(by: { $0.key < $1.key }) {
            message(field) { entry in
                entry.text(1, key)
                entry.text(2, value)
            }
        }
    }
}

/// Reads choices and bytes from the beginning of an input. Beyond its end it reads zeros.
struct FuzzInput {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

    mutating func bool() -> Bool { byte() & 1 == 1 }

    /// - Parameter limit: 1 to 256.
    mutating func below(_ limit: Int) -> Int { Int(byte()) % limit }

    /// Two bytes, the lower one first.
    mutating func short() -> UInt16 { UInt16(byte()) | UInt16(byte()) << 8 }

    /// Eight bytes, the lowest one first.
    mutating func long() -> UInt64 { (0..<8).reduce(0) { $0 | UInt64(byte()) << UInt64(8 * $1) } }

    /// Two bytes with a count, and as many bytes, if they are there.
    mutating func bytes() -> [UInt8] {
        let count = min(Int(short()), rest.count)
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    /// One byte with a count, and text of as many bytes.
    mutating func text() -> String {
        let count = min(Int(byte()), rest.count)
        defer { rest = rest.dropFirst(count) }
        return String(decoding: rest.prefix(count), as: UTF8.self)
    }

    /// Everything that follows.
    mutating func remainder() -> [UInt8] {
        defer { rest = [] }
        return Array(rest)
    }
}

/// Writes what `FuzzInput` reads, for seeds.
struct FuzzSeed {
    private(set) var bytes: [UInt8] = []

    mutating func byte(_ byte: Int) { bytes.append(UInt8(truncatingIfNeeded: byte)) }

    mutating func short(_ number: UInt16) { for shift in [0, 8] { byte(Int(number) >> shift) } }

    mutating func long(_ number: UInt64) {
        for shift in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(8 * shift))) }
    }

    mutating func bytes(_ content: [UInt8]) {
        let content = content.prefix(Int(UInt16.max))
        short(UInt16(content.count))
        bytes += content
    }

    mutating func text(_ text: String) {
        let content = text.utf8.prefix(Int(UInt8.max))
        byte(content.count)
        bytes += content
    }

    mutating func remainder(_ content: some Sequence<UInt8>) { bytes += content }
}

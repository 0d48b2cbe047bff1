internal import CMarqueeChecksum
package import NIOCore

/// CRC-32C (Castagnoli), computed incrementally: the checksum of a frame.
///
/// Detects every error within 32 adjacent bits and misses other errors once in four billion. Not a defense against
/// attackers. A copy continues from the same state, so a prefix shared by many inputs is read once.
package struct CRC32C: Hashable, Sendable {
    private var remainder: UInt32 = .max

    package init() {}

    /// The checksum of everything added so far.
    package var value: UInt32 { ~remainder }

    /// Adds bytes at any address.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        guard Self.isBuiltIn else { return updateByTable(bytes) }
        remainder = marquee_crc32c_extend(remainder, bytes.baseAddress, bytes.count)
    }

    /// The table-driven version, for processors without the instruction.
    mutating func updateByTable(_ bytes: UnsafeRawBufferPointer) {
        remainder = Self.tables.withUnsafeBufferPointer { Self.remainder(of: bytes, after: remainder, $0) }
    }

    /// Whether the processor has a CRC-32C instruction.
    private static let isBuiltIn = marquee_crc32c_is_built_in()

    /// Adds the readable bytes.
    package mutating func update(_ bytes: ByteBuffer) {
        bytes.withUnsafeReadableBytes { update($0) }
    }

    /// Adds a number, big endian.
    package mutating func update(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.bigEndian) { update($0) }
    }

    // MARK: - Tables

    /// The reflected polynomial.
    private static let polynomial: UInt32 = 0x82F6_3B78
    /// Bytes consumed per step, each with its own table ("slicing by eight").
    private static let slices = 8

    /// Entry `slice * 256 + byte`: the remainder of that byte followed by `slice` zero bytes.
    private static let tables: [UInt32] = {
        var tables = [UInt32](repeating: 0, count: slices * 256)
        for byte in 0..<256 {
            tables[byte] = (0..<8).reduce(UInt32(byte)) { entry, _ in
                entry & 1 == 0 ? entry >> 1 : entry >> 1 ^ polynomial
            }
        }
        for index in 256..<tables.count {
            let shorter = tables[index - 256]
            tables[index] = shorter >> 8 ^ tables[Int(shorter & 0xFF)]
        }
        return tables
    }()

    private static func remainder(
        of bytes: UnsafeRawBufferPointer, after start: UInt32, _ tables: UnsafeBufferPointer<UInt32>
    ) -> UInt32 {
        var remainder = start
        var offset = 0
        while bytes.count &- offset >= slices {
            let word =
                UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) ^ UInt64(remainder)
            // The first byte is followed by the most bytes.
            remainder =
                tables[7 &* 256 &+ Int(word & 0xFF)]
                ^ tables[6 &* 256 &+ Int(word &>> 8 & 0xFF)]
                ^ tables[5 &* 256 &+ Int(word &>> 16 & 0xFF)]
                ^ tables[4 &* 256 &+ Int(word &>> 24 & 0xFF)]
                ^ tables[3 &* 256 &+ Int(word &>> 32 & 0xFF)]
                ^ tables[2 &* 256 &+ Int(word &>> 40 & 0xFF)]
                ^ tables[1 &* 256 &+ Int(word &>> 48 & 0xFF)]
                ^ tables[Int(word &>> 56)]
            offset &+= slices
        }
        while offset < bytes.count {
            remainder = remainder >> 8 ^ tables[Int((remainder ^ UInt32(bytes[offset])) & 0xFF)]
            offset &+= 1
        }
        return remainder
    }
}

import NIOCore
import Testing

@testable import MarqueeWire

@Suite struct CRC32CTests {
    private func check(_ bytes: [UInt8]) -> UInt32 {
        var crc = CRC32C()
        bytes.withUnsafeBytes { crc.update($0) }
        return crc.value
    }

    /// Computes the checksum by its definition, one bit at a time.
    private func slowCheck(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        var remainder: UInt32 = .max
        for byte in bytes {
            remainder ^= UInt32(byte)
            for _ in 0..<8 {
                let carry: UInt32 = remainder & 1 == 0 ? 0 : 0x82F6_3B78
                remainder = remainder >> 1 ^ carry
            }
        }
        return ~remainder
    }

    /// The check value of the catalogue of CRCs, and RFC 3720, appendix B.4.
    private static let published: [([UInt8], UInt32)] = [
        ([], 0), (Array("123456789".utf8), 0xE306_9283), ([UInt8](repeating: 0, count: 32), 0x8A91_36AA),
        ([UInt8](repeating: 0xFF, count: 32), 0x62A8_AB43), ([UInt8](0..<32), 0x46DD_794E),
        ([UInt8](0..<32).reversed(), 0x113F_DB5C),
    ]

    @Test func `Published test vectors give their published checksums`() {
        for (bytes, expected) in Self.published { #expect(check(bytes) == expected) }
    }

    @Test func `The checksum matches the definition at every length and alignment`() {
        var generator = SeededGenerator(seed: 3)
        let bytes = (0..<80).map { _ in UInt8.random(in: 0...255, using: &generator) }
        for start in 0..<9 {
            for end in start...bytes.count {
                let slice = bytes[start..<end]
                var crc = CRC32C()
                bytes.withUnsafeBytes { crc.update(UnsafeRawBufferPointer(rebasing: $0[start..<end])) }
                #expect(crc.value == slowCheck(slice))
            }
        }
    }

    @Test func `The processor's instruction and the table both match the definition`() {
        var generator = SeededGenerator(seed: 4)
        let bytes = (0..<20_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
        // Lengths around multiples of what is read in three lanes.
        for count in [1_023, 3_071, 3_072, 3_073, 6_144, 9_223, bytes.count] {
            var (crc, table) = (CRC32C(), CRC32C())
            bytes.withUnsafeBytes {
                crc.update(UnsafeRawBufferPointer(rebasing: $0[..<count]))
                table.updateByTable(UnsafeRawBufferPointer(rebasing: $0[..<count]))
            }
            let expected = slowCheck(bytes[..<count])
            #expect(crc.value == expected)
            #expect(table.value == expected)
        }
    }

    @Test func `Input in pieces gives the same checksum as the whole`() {
        let bytes = (0..<100).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        for cut in 0...bytes.count {
            var crc = CRC32C()
            crc.update(ByteBuffer(bytes: bytes[..<cut]))
            crc.update(ByteBuffer(bytes: bytes[cut...]))
            #expect(crc.value == check(bytes))
        }
        var numbers = CRC32C()
        numbers.update(UInt32(0x3132_3334))
        numbers.update(UInt16(0x3536))
        #expect(numbers.value == check(Array("123456".utf8)))
    }
}

/// XXH64 with seed 0: a fast 64-bit hash that detects bugs and rot, not attackers.
package enum XXH64 {
    private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
    private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
    private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
    private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
    private static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5
    /// Bytes the four lanes consume in one step.
    private static let stripe = 32

    /// The hash of all of `bytes`.
    package static func hash(_ bytes: [UInt8]) -> UInt64 {
        bytes.withUnsafeBytes { hash($0) }
    }

    /// The hash of all of `bytes`, at any alignment.
    package static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var offset = 0
        var hash: UInt64
        if bytes.count >= stripe {
            hash = hashStripes(bytes, offset: &offset)
        } else {
            hash = prime5
        }
        hash &+= UInt64(bytes.count)
        return avalanche(mixTail(bytes, from: offset, into: hash))
    }

    /// Runs the four lanes over all whole stripes and leaves `offset` after the last one.
    private static func hashStripes(_ bytes: UnsafeRawBufferPointer, offset: inout Int) -> UInt64 {
        var lane1 = prime1 &+ prime2
        var lane2 = prime2
        var lane3: UInt64 = 0
        var lane4 = 0 &- prime1
        while bytes.count - offset >= stripe {
            lane1 = round(lane1, word(bytes, offset))
            lane2 = round(lane2, word(bytes, offset + 8))
            lane3 = round(lane3, word(bytes, offset + 16))
            lane4 = round(lane4, word(bytes, offset + 24))
            offset += stripe
        }
        var hash =
            rotate(lane1, 1) &+ rotate(lane2, 7) &+ rotate(lane3, 12) &+ rotate(lane4, 18)
        hash = merge(hash, lane1)
        hash = merge(hash, lane2)
        hash = merge(hash, lane3)
        return merge(hash, lane4)
    }

    /// Mixes in what remains after the stripes: words of 8 bytes, then one of 4, then single bytes.
    private static func mixTail(_ bytes: UnsafeRawBufferPointer, from start: Int, into seed: UInt64) -> UInt64 {
        var hash = seed
        var offset = start
        while bytes.count - offset >= 8 {
            hash ^= round(0, word(bytes, offset))
            hash = rotate(hash, 27) &* prime1 &+ prime4
            offset += 8
        }
        if bytes.count - offset >= 4 {
            let half = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
            hash ^= UInt64(half) &* prime1
            hash = rotate(hash, 23) &* prime2 &+ prime3
            offset += 4
        }
        while offset < bytes.count {
            hash ^= UInt64(bytes[offset]) &* prime5
            hash = rotate(hash, 11) &* prime1
            offset += 1
        }
        return hash
    }

    private static func avalanche(_ value: UInt64) -> UInt64 {
        var hash = value
        hash ^= hash >> 33
        hash = hash &* prime2
        hash ^= hash >> 29
        hash = hash &* prime3
        return hash ^ (hash >> 32)
    }

    @inline(__always)
    private static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    @inline(__always)
    private static func round(_ lane: UInt64, _ input: UInt64) -> UInt64 {
        rotate(lane &+ input &* prime2, 31) &* prime1
    }

    @inline(__always)
    private static func merge(_ hash: UInt64, _ lane: UInt64) -> UInt64 {
        (hash ^ round(0, lane)) &* prime1 &+ prime4
    }

    @inline(__always)
    private static func rotate(_ value: UInt64, _ bits: UInt64) -> UInt64 {
        (value &<< bits) | (value &>> (64 - bits))
    }
}

/// XXH64 with seed 0: a fast 64-bit hash that detects bugs and corruption, but isn't secure against attackers.
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
        guard let start = bytes.baseAddress else { return avalanche(prime5) }
        let end = start + bytes.count
        var position = start
        var hash = bytes.count >= stripe ? hashStripes(&position, end) : prime5
        hash &+= UInt64(bytes.count)
        return avalanche(mixTail(position, end, into: hash))
    }

    /// Runs the four lanes over all whole stripes and leaves `position` after the last one.
    @inline(__always)
    private static func hashStripes(_ position: inout UnsafeRawPointer, _ end: UnsafeRawPointer) -> UInt64 {
        var lane1 = prime1 &+ prime2
        var lane2 = prime2
        var lane3: UInt64 = 0
        var lane4 = 0 &- prime1
        while end - position >= stripe {
            lane1 = round(lane1, word(position))
            lane2 = round(lane2, word(position + 8))
            lane3 = round(lane3, word(position + 16))
            lane4 = round(lane4, word(position + 24))
            position += stripe
        }
        var hash =
            rotate(lane1, 1) &+ rotate(lane2, 7) &+ rotate(lane3, 12) &+ rotate(lane4, 18)
        hash = merge(hash, lane1)
        hash = merge(hash, lane2)
        hash = merge(hash, lane3)
        return merge(hash, lane4)
    }

    /// Mixes in what remains after the stripes: words of 8 bytes, then one of 4, then single bytes.
    @inline(__always)
    private static func mixTail(_ start: UnsafeRawPointer, _ end: UnsafeRawPointer, into seed: UInt64) -> UInt64 {
        var hash = seed
        var position = start
        while end - position >= 8 {
            hash ^= round(0, word(position))
            hash = rotate(hash, 27) &* prime1 &+ prime4
            position += 8
        }
        if end - position >= 4 {
            let half = UInt32(littleEndian: position.loadUnaligned(as: UInt32.self))
            hash ^= UInt64(half) &* prime1
            hash = rotate(hash, 23) &* prime2 &+ prime3
            position += 4
        }
        while position < end {
            hash ^= UInt64(position.load(as: UInt8.self)) &* prime5
            hash = rotate(hash, 11) &* prime1
            position += 1
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
    private static func word(_ bytes: UnsafeRawPointer) -> UInt64 {
        UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self))
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

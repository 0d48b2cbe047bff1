package import MarqueeDiff

extension Manifest {
    /// Maximum pairs in one part.
    package static let pairsPerPart = 2_048
    /// Maximum bytes of a manifest frame besides its pairs.
    private static let fixedBytes = 64

    /// The parts of a manifest of `content`.
    /// - Parameter limits: the receiver's.
    package static func parts(of content: ContentManifest, handle: UInt64, limits: WireLimits) -> [Manifest] {
        let room = (Int(min(limits.partBytes, limits.frameBytes)) - fixedBytes) / pairBytes
        let pairsPerPart = max(1, min(Self.pairsPerPart, room))
        var parts: [Manifest] = []
        var start = 0
        repeat {
            let end = min(start + pairsPerPart, content.pairs.count)
            var bytes: [UInt8] = []
            bytes.reserveCapacity(pairBytes * (end - start))
            for pair in content.pairs[start..<end] {
                bytes.append(littleEndian: pair.id)
                bytes.append(littleEndian: pair.body)
            }
            start = end
            parts.append(
                Manifest(
                    handle: handle, sum: content.sum, headHash: content.headHash, pairs: bytes,
                    more: end < content.pairs.count))
        } while start < content.pairs.count
        return parts
    }

    /// The pairs of this part. Ignores trailing bytes that don't form a whole pair; the decoder refuses those.
    package var contentPairs: [ContentManifest.Pair] {
        pairs.withUnsafeBytes { bytes in
            (0..<bytes.count / Self.pairBytes).map { index in
                let start = index * Self.pairBytes
                return ContentManifest.Pair(
                    id: UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self)),
                    body: UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: start + 8, as: UInt64.self)))
            }
        }
    }
}

extension [UInt8] {
    fileprivate mutating func append(littleEndian value: UInt64) {
        Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
    }
}

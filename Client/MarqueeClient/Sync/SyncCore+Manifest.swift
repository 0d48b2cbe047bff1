import MarqueeDiff
import MarqueeModel
import MarqueeWire

extension SyncCore {
    /// What is held of one variant, in parts that fit the server's limits.
    func manifest(_ handle: UInt64) -> [Action] {
        guard let version = held(handle) else { return [] }
        let perPart = 2_048
        var parts: [Action] = []
        var start = 0
        repeat {
            let end = min(start + perPart, version.items.count)
            var pairs: [UInt8] = []
            pairs.reserveCapacity(16 * (end - start))
            for index in start..<end {
                pairs.append(littleEndian: XXH64.hash(Array(version.items[index].id.utf8)))
                pairs.append(littleEndian: version.bodyHashes[index])
            }
            start = end
            parts.append(
                .send(
                    .manifest(
                        Manifest(
                            handle: handle, sum: version.sum, headHash: version.headHash, pairs: pairs,
                            more: end < version.items.count))))
        } while start < version.items.count
        return parts
    }
}

extension [UInt8] {
    fileprivate mutating func append(littleEndian value: UInt64) {
        for shift in stride(from: UInt64(0), to: 64, by: 8) { append(UInt8(truncatingIfNeeded: value >> shift)) }
    }
}

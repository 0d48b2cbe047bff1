import MarqueeModel

/// The order-sensitive checksum that names a version.
///
/// Every item contributes an edge, a hash of its predecessor's id and of itself; a closing edge ends the list. The sum
/// is all edges plus the hash of the head, modulo 2^64. So one operation on a list changes a constant number of edges.
package enum Sum {
    /// Bytes of an edge besides its three strings: three lengths, the kind, the body's hash.
    private static let fixedBytes = 4 + 4 + 4 + 4 + 8

    /// The edge from the previous item (an empty id at the front) to an item.
    static func edge(from previous: String, to item: Item, bodyHash: UInt64) -> UInt64 {
        edge(previous: previous, id: item.id, kind: item.kind.rawValue, subject: item.subject, bodyHash: bodyHash)
    }

    /// The edge after the last item, whose id is empty in an empty list.
    static func closingEdge(from last: String) -> UInt64 {
        edge(previous: last, id: "", kind: 0, subject: "", bodyHash: 0)
    }

    /// The sum of a whole list. `bodyHashes` holds one hash for each item.
    static func list(head headHash: UInt64, items: [Item], bodyHashes: [UInt64]) -> UInt64 {
        var sum = headHash
        var previous = ""
        for (item, bodyHash) in zip(items, bodyHashes) {
            sum &+= edge(from: previous, to: item, bodyHash: bodyHash)
            previous = item.id
        }
        return sum &+ closingEdge(from: previous)
    }

    /// The sum of a screen as it is displayed: the sum of the view's own list, with each section's sum in place of its
    /// body's hash.
    ///
    /// - Parameters:
    ///   - view: the view's own list of sections.
    ///   - sectionSums: the sum of each section's version by section id; an absent section counts as 0.
    package static func screen(view: Version, sectionSums: [String: UInt64]) -> UInt64 {
        list(head: view.headHash, items: view.items, bodyHashes: view.items.map { sectionSums[$0.id] ?? 0 })
    }

    private static func edge(
        previous: String, id: String, kind: UInt32, subject: String, bodyHash: UInt64
    ) -> UInt64 {
        let count = fixedBytes + previous.utf8.count + id.utf8.count + subject.utf8.count
        // On the stack for every length that occurs in practice.
        return withUnsafeTemporaryAllocation(byteCount: count, alignment: 8) { buffer in
            var offset = 0
            append(previous, to: buffer, at: &offset)
            append(id, to: buffer, at: &offset)
            append(kind, to: buffer, at: &offset)
            append(subject, to: buffer, at: &offset)
            append(bodyHash, to: buffer, at: &offset)
            return XXH64.hash(UnsafeRawBufferPointer(buffer))
        }
    }

    private static func append(
        _ string: String, to buffer: UnsafeMutableRawBufferPointer, at offset: inout Int
    ) {
        string.withBytes { bytes in
            append(UInt32(truncatingIfNeeded: bytes.count), to: buffer, at: &offset)
            UnsafeMutableRawBufferPointer(rebasing: buffer[offset..<offset + bytes.count]).copyMemory(from: bytes)
            offset += bytes.count
        }
    }

    private static func append<Number: FixedWidthInteger>(
        _ number: Number, to buffer: UnsafeMutableRawBufferPointer, at offset: inout Int
    ) {
        buffer.storeBytes(of: number.littleEndian, toByteOffset: offset, as: Number.self)
        offset += MemoryLayout<Number>.size
    }
}

import MarqueeModel

/// The order-sensitive checksum that names a version.
///
/// Every item contributes an edge, a hash of its predecessor's id and of the item itself; a closing edge ends the list.
/// The sum is the total of all edges and the hash of the head, modulo 2^64. So one operation on a list changes a
/// constant number of edges.
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

    /// The edges of a whole list, the closing one last. `bodyHashes` holds one hash for each item.
    static func edges(items: [Item], bodyHashes: [UInt64]) -> [UInt64] {
        [UInt64](unsafeUninitializedCapacity: items.count + 1) { edges, count in
            for (place, bodyHash) in bodyHashes.enumerated() {
                let previous = place == 0 ? "" : items[place - 1].id
                edges.initializeElement(at: place, to: edge(from: previous, to: items[place], bodyHash: bodyHash))
            }
            edges.initializeElement(at: items.count, to: closingEdge(from: items.last?.id ?? ""))
            count = items.count + 1
        }
    }

    /// The sum of a screen as it is displayed: the sum of the view's own list, with each section's sum in place of its
    /// body's hash.
    ///
    /// - Parameters:
    ///   - view: the view's own list of sections.
    ///   - sectionSums: the sum of each section's version by section id; an absent section counts as 0.
    package static func screen(view: Version, sectionSums: [String: UInt64]) -> UInt64 {
        edges(items: view.items, bodyHashes: view.items.map { sectionSums[$0.id] ?? 0 }).reduce(view.headHash, &+)
    }

    private static func edge(
        previous: String, id: String, kind: UInt32, subject: String, bodyHash: UInt64
    ) -> UInt64 {
        previous.withBytes { previous in
            id.withBytes { id in
                subject.withBytes { subject in
                    edge(previous: previous, id: id, kind: kind, subject: subject, bodyHash: bodyHash)
                }
            }
        }
    }

    private static func edge(
        previous: UnsafeRawBufferPointer, id: UnsafeRawBufferPointer, kind: UInt32, subject: UnsafeRawBufferPointer,
        bodyHash: UInt64
    ) -> UInt64 {
        let count = fixedBytes + previous.count + id.count + subject.count
        // On the stack for every length that occurs in practice.
        return withUnsafeTemporaryAllocation(byteCount: count, alignment: 8) { buffer in
            var rest = UnsafeMutableRawBufferPointer(rebasing: buffer[...])
            append(previous, to: &rest)
            append(id, to: &rest)
            append(kind, to: &rest)
            append(subject, to: &rest)
            append(bodyHash, to: &rest)
            return XXH64.hash(UnsafeRawBufferPointer(buffer))
        }
    }

    /// The length of a string and its bytes.
    @inline(__always)
    private static func append(_ bytes: UnsafeRawBufferPointer, to rest: inout UnsafeMutableRawBufferPointer) {
        append(UInt32(truncatingIfNeeded: bytes.count), to: &rest)
        rest.copyMemory(from: bytes)
        rest = UnsafeMutableRawBufferPointer(rebasing: rest[bytes.count...])
    }

    @inline(__always)
    private static func append<Number: FixedWidthInteger>(
        _ number: Number, to rest: inout UnsafeMutableRawBufferPointer
    ) {
        rest.storeBytes(of: number.littleEndian, as: Number.self)
        rest = UnsafeMutableRawBufferPointer(rebasing: rest[MemoryLayout<Number>.size...])
    }
}

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

    /// The edge to an item of an array, without copying the item.
    @inline(__always)
    static func edge(from previous: String, to items: [Item], at place: Int, bodyHash: UInt64) -> UInt64 {
        edge(
            previous: previous, id: items[place].id, kind: items[place].kind.rawValue, subject: items[place].subject,
            bodyHash: bodyHash)
    }

    /// The edge after the last item, whose id is empty in an empty list.
    static func closingEdge(from last: String) -> UInt64 {
        edge(previous: last, id: "", kind: 0, subject: "", bodyHash: 0)
    }

    /// The total of the edges before each item of a whole list, then that of all edges. `bodyHashes` holds one hash for
    /// each item.
    static func edgeTotals(items: [Item], bodyHashes: [UInt64]) -> [UInt64] {
        [UInt64](unsafeUninitializedCapacity: items.count + 1) { totals, count in
            var total: UInt64 = 0
            totals.initializeElement(at: 0, to: total)
            for (place, bodyHash) in bodyHashes.enumerated() {
                let previous = place == 0 ? "" : items[place - 1].id
                total &+= edge(from: previous, to: items, at: place, bodyHash: bodyHash)
                totals.initializeElement(at: place + 1, to: total)
            }
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
        var (sum, previous) = (view.headHash, "")
        for item in view.items {
            sum &+= edge(from: previous, to: item, bodyHash: sectionSums[item.id] ?? 0)
            previous = item.id
        }
        return sum &+ closingEdge(from: previous)
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
            guard var end = buffer.baseAddress else { preconditionFailure("an edge has no bytes") }
            append(previous, to: &end)
            append(id, to: &end)
            append(kind, to: &end)
            append(subject, to: &end)
            append(bodyHash, to: &end)
            return XXH64.hash(UnsafeRawBufferPointer(buffer))
        }
    }

    /// The length of a string and its bytes.
    @inline(__always)
    private static func append(_ bytes: UnsafeRawBufferPointer, to end: inout UnsafeMutableRawPointer) {
        append(UInt32(truncatingIfNeeded: bytes.count), to: &end)
        guard let source = bytes.baseAddress else { return }
        if bytes.count < 8 {
            for place in 0..<bytes.count { end.storeBytes(of: bytes[place], toByteOffset: place, as: UInt8.self) }
        } else {
            // Most are so short that a call would take longer than the copy. The last word may overlap the one before.
            let last = bytes.count &- 8
            var place = 0
            while place < last {
                end.storeBytes(
                    of: source.loadUnaligned(fromByteOffset: place, as: UInt64.self), toByteOffset: place,
                    as: UInt64.self)
                place &+= 8
            }
            end.storeBytes(
                of: source.loadUnaligned(fromByteOffset: last, as: UInt64.self), toByteOffset: last, as: UInt64.self)
        }
        end += bytes.count
    }

    @inline(__always)
    private static func append<Number: FixedWidthInteger>(_ number: Number, to end: inout UnsafeMutableRawPointer) {
        end.storeBytes(of: number.littleEndian, as: Number.self)
        end += MemoryLayout<Number>.size
    }
}

import MarqueeModel

/// The ids that a patch adds, for comparison with those it keeps.
struct AddedIDs {
    /// Size of the filter in bits, a power of two.
    private static let filterBits = 4_096

    private var ids: Set<ExactString> = []
    /// One bit per hashed id suffix. Most kept ids can be ruled out with it, without hashing the whole id.
    private var filter = [Bool](repeating: false, count: filterBits)

    /// - Throws: `invalidID` when an id is empty or occurs twice.
    init(_ items: [Item]) throws(PatchError) {
        ids.reserveCapacity(items.count)
        for item in items {
            guard !item.id.isEmpty else { throw PatchError(.invalidID, "an added item has an empty id") }
            guard ids.insert(ExactString(item.id)).inserted else {
                throw PatchError(.invalidID, "item '\(item.id)' is added twice")
            }
            filter[AddedIDs.bit(of: item.id)] = true
        }
    }

    func contains(_ id: String) -> Bool {
        filter[AddedIDs.bit(of: id)] && ids.contains(ExactString(id))
    }

    /// The filter bit for an id's last eight bytes.
    private static func bit(of id: String) -> Int {
        id.withBytes { bytes in
            var word: UInt64 = 0
            for byte in bytes.suffix(8) { word = word << 8 | UInt64(byte) }
            // Fibonacci hashing: the product's upper bits depend on the whole word.
            return Int((word &* 0x9E37_79B9_7F4A_7C15) >> 52) % filterBits
        }
    }
}

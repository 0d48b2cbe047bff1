import MarqueeModel

/// A hash table from ids to positions in a list, with open addressing, at most half full. A slot holds half of a hash
/// and a position.
///
/// An id's slot depends on a number drawn once per process, so nobody can choose ids that all land in one slot. Ids
/// with the same hash can still be chosen, so the number of steps is limited.
struct IDTable {
    /// Steps allowed per entry and per look-up. More don't happen by chance.
    private static let maximumSteps = 16

    private static let multiplier = UInt64.random(in: .min ... .max) | 1

    private let items: UnsafePointer<Item>
    private let ids: UnsafePointer<UInt64>
    private let slots: UnsafeMutablePointer<UInt64>
    private let multiplier: UInt64
    private let shift: UInt64
    private let mask: Int
    private var stepsLeft: Int

    /// A slot, and the half of the hash to look for from there on.
    struct Probe {
        var slot: Int
        var tag: UInt64
    }

    /// - Parameters:
    ///   - items, ids: columns of the list, which must outlive the table.
    ///   - entries: maximum number of insertions.
    ///   - lookups: maximum number of look-ups.
    ///   - slots: memory for the table.
    init(
        items: UnsafePointer<Item>, ids: UnsafePointer<UInt64>, entries: Int, lookups: Int,
        slots: inout ScratchArray<UInt64>
    ) {
        self.items = items
        self.ids = ids
        let bits = max(4, Int.bitWidth - (2 * entries - 1).leadingZeroBitCount)
        slots.resize(1 << bits)
        slots.base.update(repeating: 0, count: 1 << bits)
        self.slots = slots.base
        multiplier = Self.multiplier
        shift = UInt64(64 - bits)
        mask = 1 << bits - 1
        stepsLeft = Self.maximumSteps * (entries + lookups + 4)
    }

    /// Whether the steps have run out. Answers given since then are unreliable.
    var isOverLimit: Bool { stepsLeft < 0 }

    /// - Returns: `false` if the table already has the id, or the steps have run out.
    @inline(__always)
    mutating func insert(_ position: Int) -> Bool {
        let hash = ids[position]
        var probe = probe(hash)
        while stepsLeft >= 0 {
            let entry = slots[probe.slot]
            guard entry != 0 else {
                slots[probe.slot] = probe.tag << 32 | UInt64(position + 1)
                return true
            }
            if entry >> 32 == probe.tag, isSameID(Self.position(entry), position) { return false }
            probe.slot = (probe.slot &+ 1) & mask
            stepsLeft -= 1
        }
        return false
    }

    @inline(__always)
    func probe(_ hash: UInt64) -> Probe {
        Probe(slot: Int(truncatingIfNeeded: (hash &* multiplier) >> shift), tag: hash & 0xFFFF_FFFF)
    }

    /// The next position whose id may have this hash; `nil` if there are no more, or the steps have run out.
    @inline(__always)
    mutating func next(_ probe: inout Probe) -> Int? {
        while stepsLeft >= 0 {
            let entry = slots[probe.slot]
            guard entry != 0 else { return nil }
            probe.slot = (probe.slot &+ 1) & mask
            stepsLeft -= 1
            if entry >> 32 == probe.tag { return Self.position(entry) }
        }
        return nil
    }

    @inline(__always)
    private static func position(_ entry: UInt64) -> Int { Int(entry & 0xFFFF_FFFF) - 1 }

    @inline(never)
    private func isSameID(_ a: Int, _ b: Int) -> Bool {
        ids[a] == ids[b] && items[a].id.hasSameBytes(as: items[b].id)
    }
}

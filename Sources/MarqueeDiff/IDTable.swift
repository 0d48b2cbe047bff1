import MarqueeModel

/// Positions in a list by the hashes of its ids: open addressing, at most half full. A slot holds half of a hash and a
/// position.
///
/// Where an id lands depends on a number drawn once per process, so that nobody can choose ids that land in one place.
/// Ids with the same hash can be chosen, though; so the steps are limited.
struct IDTable {
    /// More steps than that per entry and per look-up don't happen by chance.
    private static let maximumSteps = 16

    private static let multiplier = UInt64.random(in: .min ... .max) | 1

    private let items: UnsafePointer<Item>
    private let ids: UnsafePointer<UInt64>
    private let slots: UnsafeMutablePointer<UInt64>
    private let multiplier: UInt64
    private let shift: UInt64
    private let mask: Int
    private var stepsLeft: Int

    /// A place in the table and what is looked for there.
    struct Probe {
        var slot: Int
        var tag: UInt64
    }

    /// - Parameters:
    ///   - items, ids: the columns of the list. Both must outlive the table.
    ///   - entries: at most so many are inserted.
    ///   - lookups: at most so many are looked for.
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

    /// Whether it has taken too many steps: no answer since then can be relied on.
    var isOverLimit: Bool { stepsLeft < 0 }

    /// - Returns: `false` if the id is there already, or there is no place for it within the limit.
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

    /// The next position whose id may have the hash.
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

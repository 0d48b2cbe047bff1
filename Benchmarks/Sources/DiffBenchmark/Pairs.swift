@testable import MarqueeDiff
@testable import MarqueeModel

/// Two versions to compare.
struct Pair {
    var name: String
    var old: Version
    var new: Version
    /// Whether the standard library compares it too, which takes minutes for the large ones.
    var isSmall = true
}

/// Ids, bodies and edits, the same in every run.
struct Content {
    private var random = SystemOfOne(state: 28)

    /// Items with UUIDs as ids, as DifferenceKit's own benchmark has them.
    mutating func items(_ count: Int) -> [Item] {
        (0..<count).map { _ in
            let digits = (0..<2).map { _ in
                let word = String(random.next(), radix: 16)
                return String(repeating: "0", count: 16 - word.count) + word
            }.joined()
            let id = [(0, 8), (8, 12), (12, 16), (16, 20), (20, 32)].map { range in
                String(digits.dropFirst(range.0).prefix(range.1 - range.0))
            }.joined(separator: "-")
            return Item(id: id, kind: ItemKind(rawValue: 1_000), subject: "record/\(id)", body: body())
        }
    }

    mutating func body() -> [UInt8] {
        [0x08, UInt8(random.below(128)), 0x12, 4] + (0..<4).map { _ in UInt8(random.below(128)) }
    }

    /// DifferenceKit's own table: one block deleted, one inserted, one shuffled.
    mutating func table(_ count: Int) -> Pair {
        let old = items(count)
        var new = old
        let (block, shuffled) = (count / 5, count / 25)
        let isLarge = count > 10_000
        let changed = isLarge ? count / 10 : block
        new.removeSubrange(2 * changed..<3 * changed)
        new.insert(contentsOf: items(changed), at: 3 * changed)
        shuffle(&new, 0..<(isLarge ? count / 50 : shuffled))
        return Pair(
            name: "table of \(count): \(changed) out, \(changed) in, \(isLarge ? count / 50 : shuffled) shuffled",
            old: Version(head: [], items: old), new: Version(head: [], items: new), isSmall: !isLarge)
    }

    /// The same numbers, but every place is random.
    mutating func scattered(_ count: Int, out: Int, in added: Int, moved: Int, updated: Int = 0) -> Pair {
        let old = items(count)
        var isOut = [Bool](repeating: false, count: count)
        for _ in 0..<out { isOut[random.below(count)] = true }
        var new = zip(old, isOut).filter { !$0.1 }.map(\.0)
        for _ in 0..<moved {
            let item = new.remove(at: random.below(new.count))
            new.insert(item, at: random.below(new.count + 1))
        }
        for item in items(added) { new.insert(item, at: random.below(new.count + 1)) }
        for _ in 0..<updated { new[random.below(new.count)].body = body() }
        return Pair(
            name: "\(count), at random places: \(out) out, \(added) in, \(moved) moved, \(updated) updated",
            old: Version(head: [], items: old), new: Version(head: [], items: new), isSmall: count <= 10_000)
    }

    /// The version after four items out, four in and two updated.
    mutating func fewChanges(_ version: Version) -> Version {
        var items = Array(version.items)
        for _ in 0..<4 { items.remove(at: random.below(items.count)) }
        for item in self.items(4) { items.insert(item, at: random.below(items.count)) }
        for _ in 0..<2 { items[random.below(items.count)].body = body() }
        return Version(head: [], items: items)
    }

    mutating func place(below count: Int) -> Int { random.below(count) }

    mutating func shuffled(_ count: Int) -> Pair {
        let old = items(count)
        var new = old
        shuffle(&new, 0..<count)
        return Pair(
            name: "\(count), all shuffled", old: Version(head: [], items: old), new: Version(head: [], items: new),
            isSmall: false)
    }

    private mutating func shuffle(_ items: inout [Item], _ range: Range<Int>) {
        for index in range.dropLast() { items.swapAt(index, index + random.below(range.upperBound - index)) }
    }

    mutating func pairs() -> [Pair] {
        var pairs = [table(5_000), table(100_000)]
        pairs.append(scattered(5_000, out: 1_000, in: 1_000, moved: 200))
        pairs.append(scattered(100_000, out: 10_000, in: 10_000, moved: 2_000))
        pairs.append(scattered(5_000, out: 10, in: 10, moved: 5))
        let list = items(5_000)
        let version = Version(head: [], items: list)
        pairs.append(
            Pair(
                name: "5,000, the first one to the end", old: version,
                new: Version(head: [], items: Array(list.dropFirst()) + list.prefix(1))))
        pairs.append(
            Pair(
                name: "5,000, the halves swapped", old: version,
                new: Version(head: [], items: Array(list.dropFirst(2_500)) + list.prefix(2_500)), isSmall: false))
        pairs.append(shuffled(5_000))
        pairs.append(Pair(name: "5,000, equal", old: version, new: Version(head: [], items: list)))
        pairs.append(scattered(5_000, out: 0, in: 0, moved: 0, updated: 50))
        pairs.append(scattered(100_000, out: 0, in: 0, moved: 0, updated: 1))
        return pairs
    }

    /// Screens of so many sections of so many items each, and the same after a few changes: three items moved, one
    /// out, one in, two updated.
    mutating func screens(_ sections: Int, of count: Int) -> (
        old: [ScreenChanges.Section], new: [ScreenChanges.Section]
    ) {
        let old = (0..<sections).map { (id: "section-\($0)", version: Version(head: [], items: items(count))) }
        var lists = old.map { Array($0.version.items) }
        for _ in 0..<3 {
            let section = random.below(sections)
            let item = lists[section].remove(at: random.below(count / 2))
            lists[section].insert(item, at: count / 2 + random.below(count / 4))
        }
        lists[random.below(sections)].remove(at: random.below(count / 2))
        lists[random.below(sections)].insert(contentsOf: items(1), at: random.below(count / 2))
        for _ in 0..<2 { lists[random.below(sections)][random.below(count / 2)].body = body() }
        return (old, zip(old, lists).map { (id: $0.id, version: Version(head: [], items: $1)) })
    }
}

/// SplitMix64.
private struct SystemOfOne: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }

    mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }
}

import MarqueeDiff
import MarqueeModel
import SeededRandom

extension SeededGenerator {
    mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &self) }
}

/// Random bodies, lists and edits, all from one seed.
struct RandomContent {
    var generator: SeededGenerator
    /// Percent of bodies that are not canonical.
    var brokenBodies = 0
    private var nextID = 0

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    /// A canonical body of some fields with all four wire types, some of them repeated.
    mutating func body() -> [UInt8] {
        var bytes: [UInt8] = []
        for number in [1, 2, 3, 9, 15, 16, 300] where generator.chance(45) {
            for _ in 0...(generator.chance(20) ? 2 : 0) { bytes += record(number) }
        }
        return bytes
    }

    /// An item's body, occasionally not canonical.
    private mutating func itemBody() -> [UInt8] {
        generator.chance(brokenBodies) ? [0x10, 0x01, 0x08, UInt8(generator.below(100))] : body()
    }

    /// One record of a field; its wire type depends on its number.
    mutating func record(_ number: Int) -> [UInt8] {
        let value = UInt8(generator.below(3))
        switch number % 4 {
        case 0: return varint(number << 3) + [value]
        case 1: return varint(number << 3 | 2) + [2, value, 7]
        case 2: return varint(number << 3 | 1) + [UInt8](repeating: value, count: 8)
        default: return varint(number << 3 | 5) + [value, 0, 0, value]
        }
    }

    /// An item with a new id.
    mutating func item() -> Item {
        nextID += 1
        let id = generator.chance(10) ? "영화-é/\(nextID)" : "i\(nextID)"
        let subject = generator.chance(50) ? "movie/\(nextID)" : ""
        return Item(
            id: id, kind: ItemKind(rawValue: UInt32(1 + generator.below(3))), subject: subject, body: itemBody())
    }

    mutating func items(_ count: Int) -> [Item] { (0..<count).map { _ in item() } }

    mutating func version(_ count: Int) -> Version {
        let items = items(count)
        return Version(head: body(), items: items)
    }

    /// `version` after some random edits.
    mutating func edited(_ version: Version, edits: Int) -> Version {
        var items = Array(version.items)
        for _ in 0..<edits {
            guard !items.isEmpty else {
                items.append(item())
                continue
            }
            let index = generator.below(items.count)
            switch generator.below(10) {
            case 0, 1: items.remove(at: index)
            case 2, 3: items.insert(item(), at: index)
            case 4, 5:
                let moved = items.remove(at: index)
                items.insert(moved, at: generator.below(items.count + 1))
            case 6, 7: items[index].body = itemBody()
            case 8: items[index].kind = ItemKind(rawValue: items[index].kind.rawValue + 1)
            default: items[index].subject += "'"
            }
        }
        if generator.chance(3) { items.shuffle(using: &generator) }
        return Version(head: generator.chance(30) ? body() : version.head, items: items)
    }
}

/// The shortest varint.
func varint(_ value: Int) -> [UInt8] {
    var rest = value
    var bytes: [UInt8] = []
    while rest >= 0x80 {
        bytes.append(UInt8(rest & 0x7F) | 0x80)
        rest >>= 7
    }
    return bytes + [UInt8(rest)]
}

/// Equal in every byte, hash and sum.
func same(_ a: Version, _ b: Version) -> Bool {
    a.head == b.head && a.headHash == b.headHash && a.sum == b.sum && a.items.count == b.items.count
        && a.items.indices.allSatisfy { a.bodyHash(at: $0) == b.bodyHash(at: $0) }
        && zip(a.items, b.items).allSatisfy {
            $0.id.hasSameBytes(as: $1.id) && $0.kind == $1.kind && $0.subject.hasSameBytes(as: $1.subject)
                && $0.body == $1.body
        }
}

import MarqueeDiff
import MarqueeModel

/// Simulates a newer server: its content has fields and kinds unknown to this build, which must survive byte for byte
/// (G10).
struct Dialect {
    /// A kind of item unknown to this build.
    static let kind = ItemKind(rawValue: 60_001)

    /// The same version for the same content, on every node.
    func translated(_ version: Version) -> Version {
        guard version.items.first?.kind != .section else { return version }
        var items = version.items.map { item in
            var item = item
            item.body += Self.unknownRecord(of: item.body)
            return item
        }
        // Present depending on the content.
        if version.headHash % 3 != 0 {
            let place = items.isEmpty ? 0 : Int(version.sum % UInt64(items.count))
            items.insert(Item(id: "unknown", kind: Self.kind, body: Self.unknownBody(of: version)), at: place)
        }
        return Version(head: version.head + Self.unknownRecord(of: version.head), items: items)
    }

    /// Field 3000: four bytes that depend on the rest. It comes last, so the body stays canonical.
    static func unknownRecord(of body: [UInt8]) -> [UInt8] {
        let hash = XXH64.hash(body)
        return [0xc2, 0xbb, 0x01, 4] + (0..<4).map { UInt8(truncatingIfNeeded: hash >> (8 * $0)) }
    }

    /// Fields 5 and 700 of some message; changes with the head.
    private static func unknownBody(of version: Version) -> [UInt8] {
        let hash = version.headHash
        return [0x28, UInt8(hash & 0x7f), 0xe2, 0x2b, 3] + (0..<3).map { UInt8(truncatingIfNeeded: hash >> (8 * $0)) }
    }
}

import GRDB
import MarqueeDiff
import MarqueeModel

extension SectionRow {
    /// The result of checking the stored bytes of a section.
    enum Content {
        case good(Version)
        /// The bytes have a different sum, or none. The part that still forms a list serves as a base for repair and is
        /// never shown.
        case damaged(found: UInt64?, detail: String, base: Version)
    }

    /// Reads the items and recomputes every hash and the sum from their bytes.
    func load(_ db: Database) throws -> Content { content(try ItemRows.load(section: key, db)) }

    func content(_ rows: ItemRows) -> Content {
        let items = rows.items
        guard let order else {
            let base = base(items.keys.sorted().compactMap { items[$0]?.item })
            return .damaged(found: nil, detail: rows.trouble ?? "the order of its items is unreadable", base: base)
        }
        let ordered = order.compactMap { items[$0] }
        guard rows.trouble == nil, ordered.count == order.count, items.count == order.count else {
            let counts = "it should have \(order.count) items, and \(items.count) are stored"
            return .damaged(found: nil, detail: rows.trouble ?? counts, base: base(ordered.map(\.item)))
        }
        let version = Version(head: head, items: ordered.map(\.item))
        guard version.sum != sum else { return .good(version) }
        let changed = ordered.indices.filter { ordered[$0].hash != version.bodyHash(at: $0) }
            .map { ordered[$0].item.id }
        let named = changed.isEmpty ? "" : "; changed bodies: \(changed.prefix(8).joined(separator: ", "))"
        return .damaged(
            found: version.sum, detail: "its bytes no longer match its sum\(named)", base: base(ordered.map(\.item)))
    }

    /// The items of a damaged section that are certainly as stored. The section's sum covers each body by its hash,
    /// which is stored beside it. So if only bodies have changed, the sum proves everything else, and the hashes prove
    /// the other bodies.
    /// - Returns: `nil` if nothing is proven.
    func proven(_ rows: ItemRows) -> Version? {
        guard let order, rows.trouble == nil, rows.items.count == order.count else { return nil }
        let ordered = order.compactMap { rows.items[$0] }
        let hashes = Dictionary(ordered.map { ($0.item.id, $0.hash) }) { first, _ in first }
        let version = Version(head: head, items: ordered.map(\.item))
        guard hashes.count == order.count, Sum.screen(view: version, sectionSums: hashes) == sum else { return nil }
        return Version(
            head: head,
            items: ordered.indices.filter { ordered[$0].hash == version.bodyHash(at: $0) }.map { ordered[$0].item })
    }

    /// A version that a patch can start from: the items present, each id once.
    private func base(_ items: [Item]) -> Version {
        var seen: Set<ExactString> = []
        return Version(
            head: head, items: items.filter { !$0.id.isEmpty && seen.insert(ExactString($0.id)).inserted })
    }
}

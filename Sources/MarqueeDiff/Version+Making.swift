package import MarqueeModel

extension Version {
    /// No head and no items: the base of every version sent whole.
    package static let empty = Version(head: [], items: [])

    /// A version from its content; hashes everything.
    ///
    /// - Parameters:
    ///   - head: a canonical body; may be empty.
    ///   - items: with unique, non-empty ids and canonical bodies.
    package init(head: [UInt8], items: [Item]) {
        let headHash = XXH64.hash(head)
        let storage = ItemStorage(items)
        let closing = Sum.closingEdge(from: items.last?.id ?? "")
        self.init(
            head: head, headHash: headHash, items: ItemList(storage), closingEdge: closing,
            sum: headHash &+ storage.edgeTotals[items.count] &+ closing)
    }
}

extension ItemStorage {
    /// A whole list.
    fileprivate convenience init(_ items: [Item]) {
        let bodyHashes = items.indices.map { XXH64.hash(items[$0].body) }
        self.init(
            items: items, idHashes: items.indices.map { XXH64.hash(id: items[$0].id) }, bodyHashes: bodyHashes,
            edgeTotals: Sum.edgeTotals(items: items, bodyHashes: bodyHashes),
            byteTotals: ItemStorage.byteTotals(of: items))
    }
}

extension XXH64 {
    /// The hash of an id's bytes, as used in manifests.
    static func hash(id: String) -> UInt64 { id.withBytes { hash($0) } }
}

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
        let bodyHashes = items.indices.map { XXH64.hash(items[$0].body) }
        let edges = Sum.edges(items: items, bodyHashes: bodyHashes)
        self.init(
            head: head, headHash: headHash, items: items, idHashes: items.indices.map { XXH64.hash(id: items[$0].id) },
            bodyHashes: bodyHashes, edges: edges, sum: edges.reduce(headHash, &+))
    }
}

extension XXH64 {
    /// The hash of an id's bytes, as used in manifests.
    static func hash(id: String) -> UInt64 { id.withBytes { hash($0) } }
}

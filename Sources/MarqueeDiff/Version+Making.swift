package import MarqueeModel

extension Version {
    /// No head, no items: the base of anything sent whole.
    package static let empty = Version(head: [], items: [])

    /// A version from its content; hashes everything.
    ///
    /// - Parameters:
    ///   - head: a canonical body; may be empty.
    ///   - items: with unique, non-empty ids and canonical bodies.
    package init(head: [UInt8], items: [Item]) {
        let headHash = XXH64.hash(head)
        let bodyHashes = items.map { XXH64.hash($0.body) }
        self.init(
            head: head, headHash: headHash, items: items, bodyHashes: bodyHashes,
            sum: Sum.list(head: headHash, items: items, bodyHashes: bodyHashes))
    }
}

package import MarqueeModel

/// The content of a section variant, or of a view's own list of sections: a head and a list, identified by their sum.
package struct Version: Sendable {
    package let head: [UInt8]
    package let headHash: UInt64
    package let items: [Item]
    /// XXH64 of each item's id, in order. Comparisons use it to find pairs; an equal hash is only a hint that the ids
    /// are equal.
    package let idHashes: [UInt64]
    /// XXH64 of each item's body, in order.
    package let bodyHashes: [UInt64]
    /// The edge of each item, in order, and then the closing edge; see `Sum`.
    let edges: [UInt64]
    package let sum: UInt64

    /// - Parameters:
    ///   - idHashes: one for each item, like `bodyHashes`.
    ///   - edges: one for each item, and the closing edge.
    init(
        head: [UInt8], headHash: UInt64, items: [Item], idHashes: [UInt64], bodyHashes: [UInt64], edges: [UInt64],
        sum: UInt64
    ) {
        self.head = head
        self.headHash = headHash
        self.items = items
        self.idHashes = idHashes
        self.bodyHashes = bodyHashes
        self.edges = edges
        self.sum = sum
    }
}

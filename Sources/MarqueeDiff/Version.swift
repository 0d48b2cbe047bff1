import MarqueeModel

/// The content of a section variant, or of a view's own list of sections: a head and a list, identified by their sum.
///
/// A version made from another one shares its items: see `ItemList`.
package struct Version: Sendable {
    package let head: [UInt8]
    package let headHash: UInt64
    package let items: ItemList
    /// The edge after the last item; see `Sum`.
    let closingEdge: UInt64
    package let sum: UInt64

    /// - Parameter sum: the hash of the head and all edges of the items, added up.
    init(head: [UInt8], headHash: UInt64, items: ItemList, closingEdge: UInt64, sum: UInt64) {
        self.head = head
        self.headHash = headHash
        self.items = items
        self.closingEdge = closingEdge
        self.sum = sum
    }

    /// XXH64 of an item's body.
    package func bodyHash(at position: Int) -> UInt64 { items.bodyHash(at: position) }
}

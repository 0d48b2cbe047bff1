package import MarqueeModel

/// The content of a section variant, or of a view's own list of sections: a head and a list, identified by their sum.
package struct Version: Sendable {
    package let head: [UInt8]
    package let headHash: UInt64
    package let items: [Item]
    /// XXH64 of each item's body, in order.
    package let bodyHashes: [UInt64]
    package let sum: UInt64

    package init(head: [UInt8], headHash: UInt64, items: [Item], bodyHashes: [UInt64], sum: UInt64) {
        self.head = head
        self.headHash = headHash
        self.items = items
        self.bodyHashes = bodyHashes
        self.sum = sum
    }
}

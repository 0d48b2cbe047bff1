package import MarqueeScreens

/// A variant that the hub remembers, for operators.
package struct VariantReport: Hashable, Sendable {
    package var handle: UInt64
    /// The number of the content that it shows, which other variants may show, too.
    package var content: UInt64
    package var key: ContentKey
    package var subscribers: Int
    package var items: Int
    /// The newest version's sum.
    package var sum: UInt64
    /// The revision of the catalogue since which that version is the newest.
    package var since: UInt64?

    package init(
        handle: UInt64, content: UInt64, key: ContentKey, subscribers: Int, items: Int, sum: UInt64, since: UInt64?
    ) {
        self.handle = handle
        self.content = content
        self.key = key
        self.subscribers = subscribers
        self.items = items
        self.sum = sum
        self.since = since
    }
}

/// How many variants there are, and how many subscribers each has.
package struct VariantCounts: Sendable {
    /// The handle and the subscribers of each variant, in no particular order.
    package var subscribers: [(handle: UInt64, count: Int)]
    /// The number of contents that variants show.
    package var contents: Int
    /// Variants without subscribers, and the bytes of their versions.
    package var idle: Int
    package var idleBytes: Int

    package init(subscribers: [(handle: UInt64, count: Int)], contents: Int, idle: Int, idleBytes: Int) {
        self.subscribers = subscribers
        self.contents = contents
        self.idle = idle
        self.idleBytes = idleBytes
    }
}

package import MarqueeDiff
package import MarqueeModel

/// One part of a patch. A patch's parts are consecutive; `PatchAssembler` joins them.
package struct Part: Hashable, Sendable {
    package var handle: UInt64
    /// `nil`: the empty version.
    package var base: UInt64?
    package var target: UInt64
    package var script: [UInt8]
    package var adds: [Item]
    package var updates: [FieldChange]
    package var head: FieldChange?
    package var count: UInt32
    package var more: Bool
    package var cut: CutChange

    package init(
        handle: UInt64, base: UInt64?, target: UInt64, script: [UInt8] = [], adds: [Item] = [],
        updates: [FieldChange] = [], head: FieldChange? = nil, count: UInt32 = 0, more: Bool = false,
        cut: CutChange = CutChange()
    ) {
        self.handle = handle
        self.base = base
        self.target = target
        self.script = script
        self.adds = adds
        self.updates = updates
        self.head = head
        self.count = count
        self.more = more
        self.cut = cut
    }
}

package struct HeldVersion: Hashable, Sendable {
    package var handle: UInt64
    /// `nil`: nothing is held.
    package var sum: UInt64?
    /// Whether the client refused a patch for it as wrong.
    package var refused: Bool

    package init(handle: UInt64, sum: UInt64?, refused: Bool = false) {
        self.handle = handle
        self.sum = sum
        self.refused = refused
    }
}

package struct Nack: Hashable, Sendable {
    package var number: UInt32
    package var good: Cut
    package var held: [HeldVersion]
    /// Complete staged versions not yet named by a join.
    package var staged: [HeldVersion]
    package var status: Status

    package init(number: UInt32, good: Cut, held: [HeldVersion], staged: [HeldVersion] = [], status: Status) {
        self.number = number
        self.good = good
        self.held = held
        self.staged = staged
        self.status = status
    }
}

/// A section whose manifest is requested.
package struct RebaseSection: Hashable, Sendable {
    /// Empty: the view's own list.
    package var section: String
    /// The handle of the manifest, and of the patch that answers it.
    package var handle: UInt64

    package init(section: String, handle: UInt64) {
        self.section = section
        self.handle = handle
    }
}

/// Requests a manifest of each section whose content on the client the server doesn't know.
package struct Rebase: Hashable, Sendable {
    package var subscription: UInt32
    package var sections: [RebaseSection]

    package init(subscription: UInt32, sections: [RebaseSection]) {
        self.subscription = subscription
        self.sections = sections
    }
}

package struct Manifest: Hashable, Sendable {
    /// Bytes of one item's pair of hashes.
    package static let pairBytes = 16

    package var handle: UInt64
    package var sum: UInt64
    package var headHash: UInt64
    /// 16 bytes per item: XXH64 of its id, XXH64 of its body, little endian.
    package var pairs: [UInt8]
    package var more: Bool

    package init(handle: UInt64, sum: UInt64, headHash: UInt64, pairs: [UInt8], more: Bool) {
        self.handle = handle
        self.sum = sum
        self.headHash = headHash
        self.pairs = pairs
        self.more = more
    }
}

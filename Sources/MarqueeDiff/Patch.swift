package import MarqueeModel

/// A change of one body by field numbers, needing no schema.
package struct FieldChange: Hashable, Sendable {
    /// For each field number that occurs in it, all records of that number, in canonical order.
    package var records: [UInt8]
    /// Field numbers that are gone, ascending.
    package var cleared: [UInt32]
    /// Whether `records` is the whole new body: for a sender that does not know the old one. Nothing is cleared then.
    package var replace: Bool

    package init(records: [UInt8] = [], cleared: [UInt32] = [], replace: Bool = false) {
        self.records = records
        self.cleared = cleared
        self.replace = replace
    }
}

/// The way from one exact version of a variant to another, both named by their sums.
package struct Patch: Hashable, Sendable {
    package var base: UInt64
    package var target: UInt64
    /// Ranges of the base and places of adds and updates, see `Script`.
    package var script: [UInt8]
    package var adds: [Item]
    package var updates: [FieldChange]
    /// `nil` when the head stays.
    package var head: FieldChange?
    /// Items of the target.
    package var count: Int

    package init(
        base: UInt64, target: UInt64, script: [UInt8], adds: [Item], updates: [FieldChange], head: FieldChange?,
        count: Int
    ) {
        self.base = base
        self.target = target
        self.script = script
        self.adds = adds
        self.updates = updates
        self.head = head
        self.count = count
    }
}

package import MarqueeModel

/// A change to one body by field number, independent of its schema.
package struct FieldChange: Hashable, Sendable {
    /// The new records, in canonical order; for each field number that occurs, all its records.
    package var records: [UInt8]
    /// Field numbers to remove, ascending.
    package var cleared: [UInt32]
    /// Whether `records` is the whole new body, sent when the old one is unknown. `cleared` is then empty.
    package var replace: Bool

    package init(records: [UInt8] = [], cleared: [UInt32] = [], replace: Bool = false) {
        self.records = records
        self.cleared = cleared
        self.replace = replace
    }
}

/// The change from one exact version of a variant to another, both named by their sums.
package struct Patch: Hashable, Sendable {
    package var base: UInt64
    package var target: UInt64
    /// Ranges of the base and positions of adds and updates; see `Script`.
    package var script: [UInt8]
    package var adds: [Item]
    package var updates: [FieldChange]
    /// `nil` when the head is unchanged.
    package var head: FieldChange?
    /// Number of items in the target.
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

import MarqueeModel

/// A place in an order; smaller keys stand first. Keys of different movies differ.
package struct SortKey: Comparable, Sendable {
    /// What stands behind everything that has a value.
    static let missing = UInt64.max

    /// The first criterion.
    var ordinal: UInt64
    /// Decides between equal ordinals.
    var text: String
    /// Decides between equal texts.
    package var id: UInt64

    init(ordinal: UInt64, text: String = "", id: UInt64) {
        self.ordinal = ordinal
        self.text = text
        self.id = id
    }

    package static func < (a: SortKey, b: SortKey) -> Bool {
        if a.ordinal != b.ordinal { return a.ordinal < b.ordinal }
        if a.text != b.text { return a.text < b.text }
        return a.id < b.id
    }

    /// The ordinal of a number when the highest stands first. Not-a-number has no place in an order, so it counts as
    /// missing.
    static func descending(_ value: Double?) -> UInt64 {
        guard let value, !value.isNaN else { return missing }
        // Both zeros are one number.
        let bits = (value == 0 ? 0 : value).bitPattern
        // As integers, patterns of positive numbers rise with the number and those of negative ones fall.
        let ascending = bits >> 63 == 0 ? bits | 1 << 63 : ~bits
        return ~ascending
    }

    /// The ordinal of a number when the highest stands first.
    static func descending(_ value: UInt64?) -> UInt64 { value.map { ~$0 } ?? missing }
}

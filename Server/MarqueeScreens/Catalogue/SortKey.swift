import MarqueeModel

/// A position in an order; smaller keys come first. Different movies have different keys.
package struct SortKey: Comparable, Sendable {
    /// Sorts after everything that has a value.
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

    /// The ordinal of a number when the highest comes first. NaN has no place in an order, so it counts as missing.
    static func descending(_ value: Double?) -> UInt64 {
        guard let value, !value.isNaN else { return missing }
        // Both zeros are the same number.
        let bits = (value == 0 ? 0 : value).bitPattern
        // As integers, the bit patterns of positive numbers ascend and those of negative ones descend.
        let ascending = bits >> 63 == 0 ? bits | 1 << 63 : ~bits
        return ~ascending
    }

    /// The ordinal of a number when the highest comes first.
    static func descending(_ value: UInt64?) -> UInt64 { value.map { ~$0 } ?? missing }
}

/// The number that a store keeps beside the key of a commit: when the key was used, and for which changes.
///
/// Numbers of later commits are higher. Earlier versions of Marquee stored only the revision in the same column; those
/// numbers are lower than any with a fingerprint, and say nothing about the changes.
struct KeptKey: Hashable, Comparable {
    /// Set in each number that contains a part of a fingerprint.
    private static let mark: Int64 = 1 << 62
    private static let changesBits = 24
    private static let changesMask: Int64 = (1 << changesBits) - 1
    private static let highestRevision: UInt64 = (1 << 38) - 1

    /// The number as stored in a table.
    let number: Int64

    init(number: Int64) { self.number = number }

    /// - Parameters:
    ///   - revision: the newest one after the commit.
    ///   - fingerprint: the fingerprint of the commit's changes.
    init(revision: UInt64, fingerprint: UInt64) {
        let shifted = Int64(min(revision, Self.highestRevision)) << Self.changesBits
        number = Self.mark | shifted | Self.part(of: fingerprint)
    }

    /// Whether the key may have been used for these changes. A few in a hundred million other changes pass as well.
    func isKept(for fingerprint: UInt64) -> Bool {
        number < Self.mark || number & Self.changesMask == Self.part(of: fingerprint)
    }

    /// The whole fingerprint, folded into a few bits.
    private static func part(of fingerprint: UInt64) -> Int64 {
        let folded = fingerprint ^ fingerprint >> Self.changesBits ^ fingerprint >> (2 * Self.changesBits)
        return Int64(truncatingIfNeeded: folded) & Self.changesMask
    }

    static func < (a: KeptKey, b: KeptKey) -> Bool { a.number < b.number }
}

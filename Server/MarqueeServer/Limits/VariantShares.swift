import MarqueeStore

/// The users and addresses that caused variants to be shown, counted so that a few can't take all there may be.
///
/// An owner may add another variant while it has fewer than a multiple of those still free. So a single heavy user may
/// have most of them, many heavy users share them, and some always stay free for newcomers. A variant that others
/// already show costs nothing, and is never taken away, however many are shown.
struct VariantShares {
    /// How many variants an owner may have for each free one.
    static let variantsPerFree = 4

    /// The owners charged for each variant that is shown.
    private var owners: [UInt64: [ShareOwner]] = [:]
    private var counts: [ShareOwner: Int] = [:]

    /// Whether one more variant may be shown.
    /// - Parameters:
    ///   - shown: the number of variants shown; at most `limit`.
    ///   - owners: the owners that would be charged.
    func admits(_ owners: [ShareOwner], shown: Int, limit: Int) -> Bool {
        guard shown < limit else { return false }
        return owners.allSatisfy { counts[$0, default: 0] / Self.variantsPerFree < limit - shown }
    }

    /// Charges the owners for a variant that is shown from now on.
    mutating func charge(_ owners: [ShareOwner], for handle: UInt64) {
        guard !owners.isEmpty, self.owners[handle] == nil else { return }
        self.owners[handle] = owners
        for owner in owners { counts[owner, default: 0] += 1 }
    }

    /// Releases the charge for a variant that nobody shows any more.
    mutating func release(_ handle: UInt64) {
        for owner in owners.removeValue(forKey: handle) ?? [] {
            counts[owner] = counts[owner].flatMap { $0 > 1 ? $0 - 1 : nil }
        }
    }
}

import MarqueeStore

/// Which users and addresses have brought the variants that are shown, so that a few can't take all that there may be.
///
/// An owner may bring another one while it has fewer than a multiple of those that are still free. So whoever shows
/// much alone may have most of them, many who want all share what there is, and something stays free for newcomers. A
/// variant that others show already costs nothing, and stays however many are shown.
struct VariantShares {
    /// How many variants an owner may have for each free one.
    static let eagerness = 4

    /// The owners charged for each variant that is shown.
    private var owners: [UInt64: [ShareOwner]] = [:]
    private var counts: [ShareOwner: Int] = [:]

    /// Whether one more variant may be shown.
    /// - Parameters:
    ///   - shown: how many are; at most `limit`.
    ///   - owners: who wants it.
    func admits(_ owners: [ShareOwner], shown: Int, limit: Int) -> Bool {
        guard shown < limit else { return false }
        return owners.allSatisfy { counts[$0, default: 0] / Self.eagerness < limit - shown }
    }

    /// A variant is shown now.
    mutating func charge(_ owners: [ShareOwner], for handle: UInt64) {
        guard !owners.isEmpty, self.owners[handle] == nil else { return }
        self.owners[handle] = owners
        for owner in owners { counts[owner, default: 0] += 1 }
    }

    /// Nobody shows a variant any more.
    mutating func release(_ handle: UInt64) {
        for owner in owners.removeValue(forKey: handle) ?? [] {
            counts[owner] = counts[owner].flatMap { $0 > 1 ? $0 - 1 : nil }
        }
    }
}

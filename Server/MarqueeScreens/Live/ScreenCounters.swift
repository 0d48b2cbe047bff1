/// The work that screens have done since they were created: a machine-independent measure of a commit's cost.
package struct ScreenCounters: Hashable, Sendable {
    /// Keys compared to find positions in orders and lists.
    package var comparisons: UInt64 = 0
    /// Variants and views updated, even if their content stayed the same.
    package var renewals: UInt64 = 0
    /// Members examined in renewals: cheap, mostly comparisons.
    package var members: UInt64 = 0
    /// Items made from records: the expensive step.
    package var items: UInt64 = 0
    /// Heads made.
    package var heads: UInt64 = 0

    package init() {}
}

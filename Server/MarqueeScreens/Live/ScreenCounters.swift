/// The work screens have done since they were created: a machine-independent measure of what a commit costs.
package struct ScreenCounters: Hashable, Sendable {
    /// Keys compared, to find positions in orders and lists.
    package var comparisons: UInt64 = 0
    /// Variants and views updated, even if nothing had changed in the end.
    package var renewals: UInt64 = 0
    /// Members examined in them: cheap, only number comparisons.
    package var members: UInt64 = 0
    /// Items made: record to body. The expensive part.
    package var items: UInt64 = 0
    /// Heads made.
    package var heads: UInt64 = 0

    package init() {}
}

/// The work that screens have done since they were made. What a commit costs can be seen by it, on any machine alike.
package struct ScreenCounters: Hashable, Sendable {
    /// Keys compared, to find places in orders and lists.
    package var comparisons: UInt64 = 0
    /// Variants and views brought up to date, also where nothing had changed in the end.
    package var renewals: UInt64 = 0
    /// Members of those looked at: cheap, as numbers are compared.
    package var members: UInt64 = 0
    /// Items made: record to body. The expensive part.
    package var items: UInt64 = 0
    /// Heads made.
    package var heads: UInt64 = 0

    package init() {}
}

/// A value of a field, and how many of a search's counted matches have it.
public struct SearchFacetValue: Hashable, Sendable {
    /// As it is written in a filter.
    public var value: String
    public var count: Int

    package init(value: String, count: Int) {
        self.value = value
        self.count = count
    }
}

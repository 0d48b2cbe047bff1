/// An outage of a content source: it can't reach its store, or the server upstream.
package struct SourceOutage: Hashable, Sendable {
    /// Milliseconds since the store or the server last answered.
    package var age: UInt64
    /// One sentence for operators.
    package var reason: String

    package init(age: UInt64, reason: String) {
        self.age = age
        self.reason = reason
    }
}

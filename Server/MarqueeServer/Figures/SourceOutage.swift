/// A source of content is without what it gets that from: its store, or a server upstream.
package struct SourceOutage: Hashable, Sendable {
    /// Milliseconds since that was last heard.
    package var age: UInt64
    /// One sentence for operators.
    package var reason: String

    package init(age: UInt64, reason: String) {
        self.age = age
        self.reason = reason
    }
}

/// That a source which publishes here from elsewhere is away, is behind, or has told of an error. Clients are
/// served what it published before.
package struct SourceTrouble: Hashable, Sendable {
    package var source: String
    /// One sentence for operators.
    package var reason: String
    /// Milliseconds since when.
    package var age: UInt64

    package init(source: String, reason: String, age: UInt64) {
        self.source = source
        self.reason = reason
        self.age = age
    }
}

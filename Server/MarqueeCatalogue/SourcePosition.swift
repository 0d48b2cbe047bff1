package import MarqueeModel

/// How far a source has got that publishes from elsewhere, such as a database: committed with what it publishes.
package struct SourcePosition: Hashable, Sendable {
    package var source: String
    /// In the source's own words. `nil`: it stays, and only `expected` is checked.
    package var position: String?
    /// The position that has to be stored, or the commit isn't made; `nil`: none may be. Not part of the log.
    package var expected: String?
    /// When it was committed.
    package var moved: Moment?

    package init(_ source: String, at position: String?, expecting expected: String? = nil, moved: Moment? = nil) {
        self.source = source
        self.position = position
        self.expected = expected
        self.moved = moved
    }
}

package import MarqueeModel

/// The position of an external source, such as a database, committed together with the changes it publishes.
package struct SourcePosition: Hashable, Sendable {
    package var source: String
    /// In the source's own format. `nil` leaves the position as it is, and only checks `expected`.
    package var position: String?
    /// The position that must be stored for the commit to be made; `nil` if none may be stored. Not part of the log.
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

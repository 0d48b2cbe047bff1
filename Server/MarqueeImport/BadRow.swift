import MarqueeStore

/// The reason why a row is left out.
struct BadRow: Error {
    /// Reasons that many bad rows of a file may share.
    enum Cause: Hashable, Sendable {
        /// The text is not in the expected encoding.
        case encoding
        /// The row has a different number of fields than the first line.
        case fieldCount
        /// No column has the id.
        case noID
        /// The value at that place doesn't fit.
        case value(String)
    }

    var reason: String
    var cause: Cause?

    init(_ reason: String, cause: Cause? = nil) {
        self.reason = reason
        self.cause = cause
    }
}

import MarqueeStore

/// Why a row is left out.
struct BadRow: Error {
    /// What many bad rows of a file can have in common.
    enum Cause: Hashable, Sendable {
        /// The text is not in the encoding that was expected.
        case encoding
        /// The row has another number of fields than the first line.
        case fieldCount
    }

    var reason: String
    var cause: Cause?

    init(_ reason: String, cause: Cause? = nil) {
        self.reason = reason
        self.cause = cause
    }
}

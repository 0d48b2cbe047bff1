package import MarqueeModel

/// Why something could not be published.
package struct PublisherError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of failure that callers can tell apart. An open set: new codes don't break a `switch` with a
    /// `default`.
    package struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Wrapped: String {
            case unreachable, denied, refused, elsewhere, failed, cancelled
        }
        private let wrapped: Wrapped
        private init(_ wrapped: Wrapped) { self.wrapped = wrapped }

        /// There is no server, or it went away and didn't come back in time.
        package static let unreachable = Code(.unreachable)
        /// The server doesn't accept publications from here.
        package static let denied = Code(.denied)
        /// A change is wrong; see `change`. Nothing of its publication took effect.
        package static let refused = Code(.refused)
        /// The source isn't at the position that the publisher expects: another process publishes for it, too.
        package static let elsewhere = Code(.elsewhere)
        /// The server was reached but couldn't carry out the request.
        package static let failed = Code(.failed)
        /// The caller stopped the work early.
        package static let cancelled = Code(.cancelled)

        package var description: String { wrapped.rawValue }
    }

    package var code: Code
    /// One sentence for a person.
    package var message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    package var description: String { message }

    /// With `Code.refused`: the index of the change, from 0, and why; `nil` if the server doesn't say.
    package var change: RefusedChange? { code == .refused ? RefusedChange(message) : nil }
}

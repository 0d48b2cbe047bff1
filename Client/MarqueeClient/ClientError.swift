public import Foundation
package import MarqueeModel

/// Why the client could not do what it was asked to do.
///
/// An app decides by `code`, one for each way to react. A person reads `localizedDescription`, which says it in a
/// sentence, and `recoverySuggestion`; an app in another language has sentences of its own for the codes. `message` and
/// `cause` are for a log.
public struct ClientError: LocalizedError, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure, by which an app decides how to react.
    public var code: Code
    /// The details, or the server's own words where it refused something.
    public var message: String
    /// One reference, because every item of a screen may hold an error.
    private var origin: Origin

    private final class Origin: Hashable, Sendable {
        let cause: (any Error)?
        let status: Status?

        init(_ cause: (any Error)?, _ status: Status?) {
            self.cause = cause
            self.status = status
        }

        // Errors are equal when they say the same, whatever caused them.
        static func == (a: Origin, b: Origin) -> Bool { a.status == b.status }
        func hash(into hasher: inout Hasher) { hasher.combine(status) }
    }

    /// An error with words for people.
    /// - Parameter cause: the error that led to it.
    package init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        origin = Origin(cause, nil)
    }

    /// An error with the status that a server answered, and the code of its reason.
    package init(_ status: Status) {
        code = Code(status)
        message = status.message
        origin = Origin(nil, status)
    }

    /// The error that led to this one: what the app's own closure for tokens threw, or what the system said.
    public var cause: (any Error)? { origin.cause }
    /// The server's answer, if it refused.
    package var status: Status? { origin.status }
    /// The server's reason in a word for programs, such as `VALUE_INVALID`; `nil` if it didn't answer. An open set.
    public var reason: String? { status?.reason }

    public var description: String { message }

    /// A sentence for the person: the server's own where it refuses what was asked for, otherwise that of the code.
    public var errorDescription: String? {
        let isRefusal = code == .changeRefused || code == .refused || code == .notAllowed
        return isRefusal && !message.isEmpty ? message : code.words.description
    }
    /// A way out for the person, if there is one.
    public var recoverySuggestion: String? { code.words.suggestion }

    static let cancelled = ClientError(.cancelled, "the calling task was cancelled")
    static let closed = ClientError(.closed, "the client was closed")
    static let suspended = ClientError(.suspended, "the client is suspended")
}

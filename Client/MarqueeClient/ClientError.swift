public import Foundation
package import MarqueeModel

/// A failure of the client.
///
/// An app decides by `code`; there is one for each way to react. People read `localizedDescription`, a sentence, and
/// `recoverySuggestion`; an app in another language has its own sentences for the codes. `message` and `cause` are for
/// a log.
public struct ClientError: LocalizedError, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure, by which an app decides how to react.
    public var code: Code
    /// The details, or the server's own words where it refused something.
    public var message: String
    /// A single reference, because every item of a screen may hold an error.
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

    /// Creates an error without a server's status.
    /// - Parameter cause: the error that led to it.
    package init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        origin = Origin(cause, nil)
    }

    /// Creates an error from a server's status, with the code for its reason.
    package init(_ status: Status) {
        code = Code(status)
        message = status.message
        origin = Origin(nil, status)
    }

    /// The error that led to this one, thrown by the app's own token closure or by the system.
    public var cause: (any Error)? { origin.cause }
    /// The server's answer, if it refused.
    package var status: Status? { origin.status }
    /// The server's reason as an identifier, such as `VALUE_INVALID`; `nil` if the server didn't answer. An open set.
    public var reason: String? { status?.reason }

    public var description: String { message }

    /// A sentence for the person: the server's own if it refused a change or a request, otherwise that of the code. A
    /// server's words about a token's scope, and about what an app asks for wrongly, are for developers.
    public var errorDescription: String? {
        let isForDevelopers = status?.code == .invalidArgument || reason == Status.Reason.scopeTooSmall
        let isRefusal = [.changeRefused, .refused, .notAllowed].contains(code) && !isForDevelopers
        guard isRefusal, let first = message.first else { return code.words.description }
        return first.uppercased() + message.dropFirst() + (message.hasSuffix(".") ? "" : ".")
    }
    /// A way out for the person, if there is one.
    public var recoverySuggestion: String? { code.words.suggestion }

    static let cancelled = ClientError(.cancelled, "the calling task was cancelled")
    static let closed = ClientError(.closed, "the client was closed")
    static let suspended = ClientError(.suspended, "the client is suspended")
}

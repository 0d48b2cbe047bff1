/// How a call, a subscription or a connection ended.
package struct Status: Hashable, Sendable, Error, CustomStringConvertible {
    /// gRPC's numbers.
    package enum Code: UInt32, Hashable, Sendable {
        case ok = 0
        case cancelled = 1
        case unknown = 2
        case invalidArgument = 3
        case deadlineExceeded = 4
        case notFound = 5
        case alreadyExists = 6
        case permissionDenied = 7
        case resourceExhausted = 8
        case failedPrecondition = 9
        case aborted = 10
        case outOfRange = 11
        case unimplemented = 12
        case internalError = 13
        case unavailable = 14
        case dataLoss = 15
        case unauthenticated = 16

        /// gRPC's name for it, such as `NOT_FOUND`.
        package var name: String {
            switch self {
            case .ok: "OK"
            case .cancelled: "CANCELLED"
            case .unknown: "UNKNOWN"
            case .invalidArgument: "INVALID_ARGUMENT"
            case .deadlineExceeded: "DEADLINE_EXCEEDED"
            case .notFound: "NOT_FOUND"
            case .alreadyExists: "ALREADY_EXISTS"
            case .permissionDenied: "PERMISSION_DENIED"
            case .resourceExhausted: "RESOURCE_EXHAUSTED"
            case .failedPrecondition: "FAILED_PRECONDITION"
            case .aborted: "ABORTED"
            case .outOfRange: "OUT_OF_RANGE"
            case .unimplemented: "UNIMPLEMENTED"
            case .internalError: "INTERNAL"
            case .unavailable: "UNAVAILABLE"
            case .dataLoss: "DATA_LOSS"
            case .unauthenticated: "UNAUTHENTICATED"
            }
        }
    }

    /// How a client should react to a failure.
    package enum Remedy: UInt32, Hashable, Sendable {
        case retrySame = 1
        case retryOther = 2
        case resync = 3
        case reauthenticate = 4
        case fatal = 5
    }

    /// The reasons that other code compares against.
    package enum Reason {
        /// The request needs a user, and the client has none.
        package static let userRequired = "USER_REQUIRED"
        /// The token's scope doesn't cover the request.
        package static let scopeTooSmall = "SCOPE_TOO_SMALL"
    }

    /// The kind of failure.
    package var code: Code
    /// The reason for programs: upper case with underscores.
    package var reason: String
    /// How the client should react.
    package var remedy: Remedy
    /// A human-readable message.
    package var message: String
    /// How long to wait before another attempt; `nil` if the server doesn't say.
    package var retryAfterMilliseconds: UInt32?

    /// A status as a server reports it.
    package init(
        _ code: Code, reason: String, remedy: Remedy, message: String, retryAfterMilliseconds: UInt32? = nil
    ) {
        self.code = code
        self.reason = reason
        self.remedy = remedy
        self.message = message
        self.retryAfterMilliseconds = retryAfterMilliseconds
    }

    package var description: String { "\(message) (\(reason))" }
}

/// How a call, a subscription or a connection ended.
public struct Status: Hashable, Sendable, Error, CustomStringConvertible {
    /// gRPC's numbers.
    public enum Code: UInt32, Hashable, Sendable {
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
    }

    /// What a client does about it, instead of guessing.
    public enum Remedy: UInt32, Hashable, Sendable {
        case retrySame = 1
        case retryOther = 2
        case resync = 3
        case reauthenticate = 4
        case fatal = 5
    }

    public var code: Code
    /// For programs: upper case with underscores.
    public var reason: String
    public var remedy: Remedy
    /// For people.
    public var message: String
    public var retryAfterMilliseconds: UInt32?

    public init(
        _ code: Code, reason: String, remedy: Remedy, message: String, retryAfterMilliseconds: UInt32? = nil
    ) {
        self.code = code
        self.reason = reason
        self.remedy = remedy
        self.message = message
        self.retryAfterMilliseconds = retryAfterMilliseconds
    }

    public var description: String { "\(message) (\(reason))" }
}

public import MarqueeModel

/// Why the client could not do what it was asked to do.
///
/// An app decides by `code`, one for each way to react; a person reads `message`; `status` has the server's own words
/// for a log.
public struct ClientError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure, by which an app decides how to react.
    public var code: Code
    /// For people.
    public var message: String
    /// The server's own words, if it answered.
    public var status: Status?

    /// An error with words for people.
    public init(_ code: Code, _ message: String, status: Status? = nil) {
        self.code = code
        self.message = message
        self.status = status
    }

    /// An error with the status that a server answered, and the code of its reason.
    public init(_ status: Status) { self.init(Code(status), status.message, status: status) }

    public var description: String { message }

    static let cancelled = ClientError(.cancelled, "the calling task was cancelled")
    static let closed = ClientError(.closed, "the client was closed")
    static let suspended = ClientError(.suspended, "the client is suspended")
}

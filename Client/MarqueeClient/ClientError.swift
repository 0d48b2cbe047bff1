public import MarqueeModel

/// Why the client could not do what it was asked.
public struct ClientError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What a caller may tell apart. An open set.
    public struct Code: Hashable, Sendable {
        private enum Value: Hashable {
            case unavailable, timeout, refused, mirrorInUse, mirrorUnusable, noMirror, diskFull, userNeeded, closed,
                limit, cancelled
        }
        private let value: Value

        /// No server could be reached.
        public static let unavailable = Code(value: .unavailable)
        /// The answer did not come in time.
        public static let timeout = Code(value: .timeout)
        /// The server said no; see `status`.
        public static let refused = Code(value: .refused)
        /// Another process owns the mirror.
        public static let mirrorInUse = Code(value: .mirrorInUse)
        /// The mirror belongs to another server or user, or can't be read or written.
        public static let mirrorUnusable = Code(value: .mirrorUnusable)
        /// There is no mirror to look at: no file, an empty one, or one whose making was cut off. A client would make
        /// it.
        public static let noMirror = Code(value: .noMirror)
        public static let diskFull = Code(value: .diskFull)
        /// Favorites need a user in the configuration.
        public static let userNeeded = Code(value: .userNeeded)
        /// The client was closed.
        public static let closed = Code(value: .closed)
        /// An argument is outside its bounds.
        public static let limit = Code(value: .limit)
        /// The task that asked was cancelled.
        public static let cancelled = Code(value: .cancelled)
    }

    public var code: Code
    /// For people.
    public var message: String
    /// What the server said, if it did.
    public var status: Status?

    public init(_ code: Code, _ message: String, status: Status? = nil) {
        self.code = code
        self.message = message
        self.status = status
    }

    init(_ status: Status) {
        self.init(status.reason == "DEADLINE_EXCEEDED" ? .timeout : .refused, status.message, status: status)
    }

    public var description: String { message }

    static let cancelled = ClientError(.cancelled, "the task that asked was cancelled")
}

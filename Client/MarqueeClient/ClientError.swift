public import MarqueeModel

/// Why the client could not do what it was asked to do.
public struct ClientError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of failure that callers can tell apart. An open set.
    public struct Code: Hashable, Sendable {
        private enum Value: Hashable {
            case unavailable, timeout, refused, mirrorInUse, mirrorUnusable, noMirror, diskFull, userNeeded, closed,
                limit, cancelled
        }
        private let value: Value

        /// No server could be reached.
        public static let unavailable = Code(value: .unavailable)
        /// The answer didn't come in time.
        public static let timeout = Code(value: .timeout)
        /// The server refused; see `status`.
        public static let refused = Code(value: .refused)
        /// Another process owns the mirror.
        public static let mirrorInUse = Code(value: .mirrorInUse)
        /// The mirror belongs to another server or user, or can't be read or written.
        public static let mirrorUnusable = Code(value: .mirrorUnusable)
        /// There is no mirror to read: no file, an empty one, or one whose creation was interrupted. A client would
        /// create it.
        public static let noMirror = Code(value: .noMirror)
        public static let diskFull = Code(value: .diskFull)
        /// Favorites and other collections need a user in the configuration.
        public static let userNeeded = Code(value: .userNeeded)
        /// The client was closed.
        public static let closed = Code(value: .closed)
        /// An argument is outside its bounds.
        public static let limit = Code(value: .limit)
        /// The calling task was cancelled.
        public static let cancelled = Code(value: .cancelled)
    }

    public var code: Code
    /// For people.
    public var message: String
    /// The server's own words, if it answered.
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

    static let cancelled = ClientError(.cancelled, "the calling task was cancelled")
}

import MarqueeModel

extension ClientError {
    /// The kinds of failure that call for different reactions. An open set.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        enum Value: String, Hashable, CaseIterable {
            case unavailable, timeout, busy, insecure, updateNeeded
            case notSignedIn, tokenUnavailable, tokenRefused, notAllowed
            case notFound, unknownOptions, notShown, notStored, changeRefused, refused
            case mirrorInUse, mirrorOfAnotherUser, mirrorOfAnotherServer, mirrorDamaged, notAMirror, mirrorUnusable
            case noMirror, diskFull
            case closed, suspended, limit, cancelled
        }
        let value: Value

        /// Its name, for a log.
        public var description: String { value.rawValue }

        private init(value: Value) { self.value = value }

        /// - Returns: `nil` for a name that this version doesn't know.
        init?(name: String) {
            guard let value = Value(rawValue: name) else { return nil }
            self.value = value
        }

        // MARK: - The connection

        /// No server can be reached, or the one reached can't serve now. The client keeps trying: show what is stored.
        public static let unavailable = Code(value: .unavailable)
        /// The answer didn't come in time. Offer to try again.
        public static let timeout = Code(value: .timeout)
        /// The server or this client is at its limit. Try again later.
        public static let busy = Code(value: .busy)
        /// The connection can't be protected: the server's certificate isn't trusted, or it doesn't speak TLS. Nothing
        /// was sent. The client keeps trying; tell the person.
        public static let insecure = Code(value: .insecure)
        /// The server speaks another version of the protocol. The app needs an update.
        public static let updateNeeded = Code(value: .updateNeeded)

        // MARK: - The person

        /// This needs a user, and the client has none. Show the sign-in.
        public static let notSignedIn = Code(value: .notSignedIn)
        /// The app's token closure threw an error, the `cause`, or gave no token in time. The client keeps trying: show
        /// what is stored.
        public static let tokenUnavailable = Code(value: .tokenUnavailable)
        /// The server doesn't accept the token, or not for this user. Sign in again.
        public static let tokenRefused = Code(value: .tokenRefused)
        /// This user may not do this.
        public static let notAllowed = Code(value: .notAllowed)

        // MARK: - The request

        /// There is no such screen, or its subject is gone. Leave the screen.
        public static let notFound = Code(value: .notFound)
        /// The screen has no such section, sort or window. Show it with its defaults.
        public static let unknownOptions = Code(value: .unknownOptions)
        /// No reader shows the screen.
        public static let notShown = Code(value: .notShown)
        /// The mirror doesn't have it, and the call was for the mirror alone.
        public static let notStored = Code(value: .notStored)
        /// The server refuses a change of a collection; it was rolled back.
        public static let changeRefused = Code(value: .changeRefused)
        /// The server refuses for another reason; see `ClientError.reason`.
        public static let refused = Code(value: .refused)

        // MARK: - The mirror

        /// Another client, in this process or another one, owns the mirror. Use that one, or wait until it is closed.
        public static let mirrorInUse = Code(value: .mirrorInUse)
        /// The mirror belongs to another user. Give each user a file, or erase it; see
        /// `MarqueeClient.eraseMirror(of:)`.
        public static let mirrorOfAnotherUser = Code(value: .mirrorOfAnotherUser)
        /// The mirror belongs to another server, or this server's data was recreated. Erase it.
        public static let mirrorOfAnotherServer = Code(value: .mirrorOfAnotherServer)
        /// The file is damaged and could not be recovered.
        public static let mirrorDamaged = Code(value: .mirrorDamaged)
        /// The file is not a mirror, or was written by a newer version of this library. It was left untouched.
        public static let notAMirror = Code(value: .notAMirror)
        /// The mirror can't be read or written for another reason, such as missing permission.
        public static let mirrorUnusable = Code(value: .mirrorUnusable)
        /// There is no mirror to read: no file, an empty one, or one whose creation was interrupted. A client would
        /// create it.
        public static let noMirror = Code(value: .noMirror)
        /// There is no room to store it.
        public static let diskFull = Code(value: .diskFull)

        // MARK: - The call

        /// The client was closed.
        public static let closed = Code(value: .closed)
        /// The client is suspended; call `MarqueeClient.resume()` first.
        public static let suspended = Code(value: .suspended)
        /// An argument is outside its bounds.
        public static let limit = Code(value: .limit)
        /// The calling task was cancelled.
        public static let cancelled = Code(value: .cancelled)
    }
}

extension ClientError.Code {
    /// The code for a server's answer.
    init(_ status: Status) {
        switch (status.reason, status.code) {
        case ("USER_REQUIRED", _): self = .notSignedIn
        case ("OTHER_CLUSTER", _): self = .mirrorOfAnotherServer
        case ("PROTOCOL_UNSUPPORTED", _), ("LIMITS_TOO_LOW", _), ("METHOD_UNKNOWN", _): self = .updateNeeded
        case ("UNKNOWN_SECTION", _), ("REPEATED_SECTION", _), ("UNKNOWN_SORT", _), ("UNKNOWN_WINDOW", _),
            ("UNKNOWN_ANCHOR", _):
            self = .unknownOptions
        case ("COLLECTION_UNKNOWN", _), ("SUBJECT_INVALID", _), ("VALUE_INVALID", _), ("REFUSED", _):
            self = .changeRefused
        case ("QUERY_TOO_LONG", _), ("BAD_PAGE", _), ("TOO_MANY_SUBSCRIPTIONS", _): self = .limit
        case (_, .unauthenticated): self = .tokenRefused
        case (_, .permissionDenied): self = .notAllowed
        case (_, .notFound): self = .notFound
        case (_, .deadlineExceeded): self = .timeout
        case (_, .cancelled): self = .cancelled
        case (_, .unavailable): self = .unavailable
        case (_, .resourceExhausted) where status.remedy == .retrySame || status.remedy == .retryOther: self = .busy
        default: self = .refused
        }
    }
}

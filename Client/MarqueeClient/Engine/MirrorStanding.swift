package import MarqueeModel
package import MarqueeWire

/// How a mirror stands with a server that has welcomed it.
package enum MirrorStanding: Hashable, Sendable {
    /// They go on where they were.
    case known
    /// The server has seen higher numbers under this client id: the mirror was put back from an older copy, or
    /// another one shares the id.
    case overtaken(by: UInt64)
    /// The server has lost what it knew of this client: it was restored, or has forgotten who did not come for long.
    case forgotten
    /// The server takes this client for another user.
    case refused(Status)

    /// - Parameters:
    ///   - lastAnswered: the highest number whose answer was noted under this client id.
    ///   - user: who the client says it is.
    package init(lastNumber: UInt64, lastAnswered: UInt64, user: String?, welcome: Welcome) {
        let seen = welcome.lastMutation ?? 0
        if welcome.user != user {
            self = .refused(Self.otherUser(user, welcome.user))
        } else if seen < lastAnswered {
            self = .forgotten
        } else if seen > lastNumber {
            self = .overtaken(by: seen)
        } else {
            self = .known
        }
    }

    private static func otherUser(_ wished: String?, _ found: String?) -> Status {
        let message =
            switch (wished, found) {
            case (let wished?, nil): "the server does not take this client for '\(wished)': it admits no users"
            case (let wished?, let found?): "the server takes this client for '\(found)' and not for '\(wished)'"
            case (nil, let found): "the server takes this client for '\(found ?? "")'; name that user"
            }
        return Status(.unauthenticated, reason: "OTHER_USER", remedy: .fatal, message: message)
    }
}

/// What the server's answer makes of a favorite.
package enum FavoriteVerdict: Hashable, Sendable {
    case confirmed(MutationAnswer)
    /// It stays frozen and is sent again, as it is.
    case later(Status)
    /// It is rolled back.
    case refused(Status)
    /// Two mirrors share a client id: this one takes another, and all that was not answered gets new numbers.
    case cloned
    /// The number is not above the last one that the server knows, and its answer is gone.
    case forgotten
    /// The answer makes no sense.
    case unreadable

    package init(_ result: Result<[UInt8], Status>) {
        switch result {
        case .success(let body):
            if let answer = try? CallBodyCodec.decodeMutationAnswer(body) {
                self = .confirmed(answer)
            } else {
                self = .unreadable
            }
        case .failure(let status):
            switch status.reason {
            case "CLIENT_CLONED": self = .cloned
            case "MUTATION_FORGOTTEN": self = .forgotten
            default: self = status.remedy == .fatal ? .refused(status) : .later(status)
            }
        }
    }
}

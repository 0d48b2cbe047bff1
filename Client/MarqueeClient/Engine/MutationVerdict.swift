package import MarqueeModel
package import MarqueeWire

/// The meaning of the server's answer for a change of a collection.
package enum MutationVerdict: Hashable, Sendable {
    case confirmed(MutationAnswer)
    /// It stays frozen and is sent again, unchanged.
    case later(Status)
    /// It is rolled back.
    case refused(Status)
    /// Two mirrors share a client id: this one takes another id, and everything unanswered gets new numbers.
    case cloned
    /// The number is not above the last one that the server knows, and its answer is gone.
    case forgotten
    /// The answer can't be decoded.
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
            default:
                switch status.remedy {
                // Also when another token or user is needed: a change isn't lost because a token has expired.
                case .retrySame, .retryOther, .reauthenticate: self = .later(status)
                case .resync, .fatal: self = .refused(status)
                }
            }
        }
    }
}

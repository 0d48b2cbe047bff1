import MarqueeClient
package import MarqueeModel

/// A refusal by a scripted server.
public struct Refusal: Hashable, Sendable {
    /// The status that the client receives.
    package var status: Status

    /// Creates any refusal that a server can send.
    package init(_ status: Status) { self.status = status }

    /// There is no such screen. The refusal is final.
    public static let notFound = Refusal(
        Status(.notFound, reason: "UNKNOWN_SCREEN", remedy: .fatal, message: "there is no such screen"))

    /// A final refusal.
    /// - Parameter message: a message for people.
    public static func denied(_ message: String = "not allowed") -> Refusal {
        Refusal(Status(.permissionDenied, reason: "REFUSED", remedy: .fatal, message: message))
    }

    /// The same of a screen. A server gives another reason for one than for a change that its store refuses.
    var ofScreen: Refusal {
        guard status.code == .permissionDenied else { return self }
        var refusal = self
        refusal.status.reason = Status.Reason.scopeTooSmall
        return refusal
    }

    /// A temporary refusal, after which the client tries again.
    /// - Parameters:
    ///   - message: a message for people.
    ///   - pause: how long the client waits at least, to the millisecond.
    public static func busy(_ message: String = "try again later", retryAfter pause: Duration = .seconds(1)) -> Refusal
    {
        Refusal(
            Status(
                .unavailable, reason: "BUSY", remedy: .retrySame, message: message,
                retryAfterMilliseconds: UInt32(clamping: Int64(max(0, min(pause / .milliseconds(1), 1e9))))))
    }
}

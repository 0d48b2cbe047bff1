import MarqueeClient
package import MarqueeModel

/// Why a scripted server refuses something.
public struct Refusal: Hashable, Sendable {
    /// The status that the client receives.
    package var status: Status

    /// Any refusal that a server can give.
    package init(_ status: Status) { self.status = status }

    /// There is no such screen; final.
    public static let notFound = Refusal(
        Status(.notFound, reason: "UNKNOWN_SCREEN", remedy: .fatal, message: "there is no such screen"))

    /// Final.
    /// - Parameter message: for people.
    public static func denied(_ message: String = "not allowed") -> Refusal {
        Refusal(Status(.permissionDenied, reason: "REFUSED", remedy: .fatal, message: message))
    }

    /// The client tries again by itself.
    /// - Parameters:
    ///   - message: for people.
    ///   - pause: how long it waits at least, to the millisecond.
    public static func busy(_ message: String = "try again later", retryAfter pause: Duration = .seconds(1)) -> Refusal
    {
        Refusal(
            Status(
                .unavailable, reason: "BUSY", remedy: .retrySame, message: message,
                retryAfterMilliseconds: UInt32(clamping: Int64(max(0, min(pause / .milliseconds(1), 1e9))))))
    }
}

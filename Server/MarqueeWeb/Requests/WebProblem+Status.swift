import MarqueeModel
import NIOHTTP1

extension WebProblem {
    /// The problem for a status of the protocol.
    init(_ status: Status) {
        // A quota may recover; a request that is too large stays too large.
        let isTooLarge = status.code == .resourceExhausted && status.remedy == .fatal
        let cure = status.reason == Status.Reason.userRequired ? "; name one in the field Marquee-User" : ""
        // A full disk isn't 429: slowing down doesn't help.
        let number = isTooLarge ? 413 : status.reason == "DISK_FULL" ? 507 : status.code.http
        self.init(status: number, reason: status.reason, detail: status.message + cure)
        if let wait = status.retryAfterMilliseconds {
            fields["Retry-After"] = "\((UInt64(wait) + 999) / 1_000)"
        }
        if status.code == .unauthenticated { fields["WWW-Authenticate"] = "Bearer" }
    }

    static let authorizationInvalid = WebProblem(
        status: 401, reason: "AUTHORIZATION_INVALID",
        detail: "a token is shown once, as 'Authorization: Bearer TOKEN', and a user by one Marquee-User",
        fields: ["WWW-Authenticate": "Bearer"])

    static let tooManyRequests = WebProblem(
        status: 503, reason: "TOO_MANY_REQUESTS", detail: "too many requests are being answered; try again",
        fields: ["Retry-After": "1"])

    static let notAcceptable = WebProblem(
        status: 406, reason: "NOT_ACCEPTABLE",
        detail: "the answer is application/json; say so in Accept, or leave it out")

    static let answerLate = WebProblem(
        status: 504, reason: "DEADLINE_EXCEEDED", detail: "there was no answer in time; try again", endsConnection: true
    )
}

extension Status.Code {
    /// The equivalent status of HTTP.
    fileprivate var http: Int {
        switch self {
        case .invalidArgument, .outOfRange: 400
        case .unauthenticated: 401
        case .permissionDenied: 403
        case .notFound: 404
        case .alreadyExists, .failedPrecondition, .aborted: 409
        case .resourceExhausted: 429
        case .unimplemented: 501
        case .unavailable, .cancelled: 503
        case .deadlineExceeded: 504
        default: 500
        }
    }
}

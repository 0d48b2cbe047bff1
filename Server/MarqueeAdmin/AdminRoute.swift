import HTTPTypes

/// The paths for operators, their methods, and who may use them.
enum AdminRoute: String, CaseIterable {
    case page = "/"
    case live = "/live"
    case ready = "/ready"
    case writable = "/writable"
    case metrics = "/metrics"
    case sessions = "/sessions"
    case variants = "/variants"
    case logLevel = "/log-level"

    /// The lowest role that may make a request; `nil` if anybody may: the systems that start and stop servers have
    /// no token.
    func role(for method: HTTPRequest.Method) -> AdminRole? {
        switch self {
        case .live, .ready, .writable: nil
        case _ where method != .get && method != .head: .admin
        case .metrics: .metrics
        case .page, .sessions, .variants, .logLevel: .read
        }
    }

    var methods: [HTTPRequest.Method] {
        switch self {
        case .logLevel: [.get, .head, .put]
        case .sessions: [.get, .head, .delete]
        default: [.get, .head]
        }
    }
}

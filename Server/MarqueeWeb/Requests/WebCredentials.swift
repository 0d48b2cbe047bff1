import Foundation
import MarqueeWire
import NIOHTTP1

/// The identity that a client claims, and its proof.
struct WebCredentials: Equatable {
    var user: String?
    var token: String?
    /// The name that the client gives itself.
    var agent: String?

    /// The most bytes of a name that a client gives itself; more are cut off.
    private static let agentBytes = 256
    private static let scheme = "bearer "

    /// - Throws: the problem to answer with.
    init(_ headers: HTTPHeaders) throws(WebProblem) {
        let (tokens, users) = (headers["authorization"], headers["marquee-user"])
        guard tokens.count <= 1, users.count <= 1 else { throw .authorizationInvalid }
        if let text = tokens.first {
            guard text.lowercased().hasPrefix(Self.scheme) else { throw .authorizationInvalid }
            let token = text.dropFirst(Self.scheme.count).trimmingCharacters(in: .whitespaces)
            guard !token.isEmpty, token.utf8.count <= WireLimits.tokenBytes else { throw .authorizationInvalid }
            self.token = token
        }
        if let name = users.first {
            guard let user = name.removingPercentEncoding, !user.isEmpty else { throw .authorizationInvalid }
            self.user = user
        }
        agent = headers.first(name: "user-agent").map { String($0.prefix(Self.agentBytes)) }
    }

    /// Whether the client shows nothing, so that its answer is the same for all such clients.
    var isAnonymous: Bool { user == nil && token == nil }
}

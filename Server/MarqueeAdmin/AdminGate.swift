import Foundation
import MarqueeTLS

/// Decides which requests are answered.
///
/// With tokens: requests with a token whose role allows them, as `Bearer`, or as the password of `Basic`, which is all
/// that a browser sends on its own. Without: requests that name this machine as the host. Otherwise, a page from
/// elsewhere whose name resolves to 127.0.0.1 could read everything.
struct AdminGate: Sendable {
    enum Verdict: Hashable {
        /// - Parameter caller: `nil` where it doesn't matter who asks.
        case admitted(AdminCaller?)
        /// The token's role isn't enough.
        case forbidden(AdminCaller)
        case unauthorised
        case misdirected
    }

    /// `nil` if everybody on this machine may do everything.
    let tokens: [AdminToken]?

    /// - Parameters:
    ///   - role: the lowest role that may make the request; `nil` if it reveals so little that anybody may make it.
    ///   - host: of the request's URL, with or without a port.
    ///   - authorization: the header field.
    func verdict(needing role: AdminRole?, host: String?, authorization: String?) -> Verdict {
        guard let role else { return .admitted(nil) }
        guard let tokens else {
            return Self.isThisMachine(host ?? "") ? .admitted(AdminCaller(name: nil, role: .admin)) : .misdirected
        }
        guard let proof = authorization.flatMap(Self.proof) else { return .unauthorised }
        // Compares with all of them, so that the time taken reveals nothing about the tokens.
        var found: AdminCaller?
        for token in tokens where token.matches(proof) { found = token.caller }
        guard let found else { return .unauthorised }
        return found.role >= role ? .admitted(found) : .forbidden(found)
    }

    /// The token in an `Authorization` field.
    private static func proof(in field: String) -> String? {
        let words = field.split(separator: " ", maxSplits: 1)
        guard words.count == 2 else { return nil }
        let text = words[1].trimmingCharacters(in: .whitespaces)
        switch words[0].lowercased() {
        case "bearer": return text
        case "basic":
            guard let pair = Data(base64Encoded: text) else { return nil }
            let parts = String(decoding: pair, as: UTF8.self).split(
                separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            return parts.count == 2 ? String(parts[1]) : nil
        default: return nil
        }
    }

    private static func isThisMachine(_ authority: String) -> Bool {
        var host = authority[...]
        if host.hasPrefix("[") {
            guard let end = host.firstIndex(of: "]") else { return false }
            host = host[host.index(after: host.startIndex)..<end]
        } else if let colon = host.lastIndex(of: ":") {
            host = host[..<colon]
        }
        return Loopback.contains(String(host))
    }
}

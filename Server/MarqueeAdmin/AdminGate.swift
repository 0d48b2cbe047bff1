import Foundation
import MarqueeTLS

/// Decides whose requests are answered.
///
/// With a token, those that prove it: as `Bearer`, or as the password of `Basic`, which is all that a browser can send
/// by itself. Without one, those that name this machine as the host: a page from elsewhere that has its own name
/// resolve to 127.0.0.1 would read everything otherwise.
struct AdminGate: Sendable {
    enum Verdict: Hashable {
        case admitted
        case unauthorised
        case misdirected
    }

    let token: AdminToken?

    /// - Parameters:
    ///   - isOpen: whether the path says so little that anybody may see it.
    ///   - host: of the request's URL, with or without a port.
    ///   - authorization: the header field.
    func verdict(isOpen: Bool, host: String?, authorization: String?) -> Verdict {
        if isOpen { return .admitted }
        guard let token else { return Self.isThisMachine(host ?? "") ? .admitted : .misdirected }
        guard let proof = authorization.flatMap(Self.proof) else { return .unauthorised }
        return token.matches(proof) ? .admitted : .unauthorised
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

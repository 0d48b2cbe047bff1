import MarqueeTLS
import NIOHTTP1

/// Decides by a request's head whether it may be answered: that it is meant for this server, and that no page of
/// another site sent it.
///
/// A browser lets any page send requests to any address, `127.0.0.1` included; it says in `Origin` and `Sec-Fetch-Site`
/// where the page is from. And once the owner of a name points it at `127.0.0.1`, a page of that name is of the same
/// site (DNS rebinding), so names have to be known; addresses can't be pointed elsewhere.
package struct WebGate: Sendable {
    /// The most names and origins.
    package static let maximumNames = 64

    /// The names that requests may use for the server, in lower case.
    private let hosts: Set<String>
    private let origins: Set<WebOrigin>

    /// - Parameters:
    ///   - hosts: the names that requests may use for the server, besides addresses and `localhost`.
    ///   - origins: the origins of other sites with pages that may send requests.
    package init(hosts: [String] = [], origins: [WebOrigin] = []) {
        self.hosts = Set(hosts.map { $0.lowercased() })
        self.origins = Set(origins)
    }

    /// A request that passes.
    struct Pass: Equatable {
        /// The origin of another site's page, which has to be told that it may read the answer.
        var foreignOrigin: String?
    }

    /// - Parameter isEncrypted: whether the request came over TLS that ends here.
    /// - Throws: the problem to answer with.
    func check(_ head: HTTPRequestHead, isEncrypted: Bool) throws(WebProblem) -> Pass {
        let named = head.headers["host"]
        guard named.count == 1, let host = WebAuthority(named[0]) else { throw .hostMissing }
        let authority = try WebTarget.authority(head.uri) ?? host
        guard isKnown(authority.host) else { throw .hostUnknown(authority.host) }
        let claimed = head.headers["origin"]
        guard let text = claimed.first else {
            if isFromElsewhere(head) { throw .originRefused("a page of another site") }
            return Pass()
        }
        guard claimed.count == 1, let origin = WebOrigin(text) else { throw .originRefused(text) }
        if origin.is(authority, isEncrypted: isEncrypted) { return Pass() }
        guard origins.contains(origin) else { throw .originRefused(text) }
        return Pass(foreignOrigin: text)
    }

    private func isKnown(_ host: String) -> Bool {
        host == "localhost" || hosts.contains(host) || Loopback.isAddress(host)
    }

    /// Whether a page of another site sent a request without saying so in `Origin`, as for images and scripts. A person
    /// who follows a link comes from elsewhere, too, but then no page reads the answer.
    private func isFromElsewhere(_ head: HTTPRequestHead) -> Bool {
        guard let site = head.headers.first(name: "sec-fetch-site"), site != "same-origin", site != "none" else {
            return false
        }
        let isVisit =
            (head.method == .GET || head.method == .HEAD) && head.headers.first(name: "sec-fetch-mode") == "navigate"
            && head.headers.first(name: "sec-fetch-dest") == "document"
        return !isVisit
    }
}

/// A host and perhaps a port, as in `Host`.
struct WebAuthority: Hashable {
    /// In lower case; an IPv6 address without brackets.
    let host: String
    let port: Int?

    init?(_ text: String) {
        let host: Substring
        let rest: Substring
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { return nil }
            host = text[text.index(after: text.startIndex)..<end]
            rest = text[text.index(after: end)...]
        } else {
            let colon = text.firstIndex(of: ":") ?? text.endIndex
            host = text[..<colon]
            rest = text[colon...]
        }
        guard !host.isEmpty, host.utf8.allSatisfy({ (0x21..<0x7F).contains($0) && !Self.delimiters.contains($0) })
        else { return nil }
        // A port may be empty (RFC 3986 section 3.2.3).
        if rest.isEmpty || rest == ":" {
            port = nil
        } else {
            let digits = rest.dropFirst()
            guard rest.first == ":", digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt16(digits)
            else { return nil }
            port = Int(number)
        }
        self.host = host.lowercased()
    }

    /// The characters that end a host in an address: `/`, `?`, `#`, `@` and `\`.
    private static let delimiters: Set<UInt8> = [0x2F, 0x3F, 0x23, 0x40, 0x5C]
}

/// The origin of a page: `https://app.example`, `http://localhost:5173`.
package struct WebOrigin: Hashable, Sendable, CustomStringConvertible {
    /// `http` or `https`.
    private let scheme: String
    private let host: String
    private let port: Int

    private static let ports = ["http": 80, "https": 443]

    /// - Returns: `nil` for a text that isn't an origin, `null` included.
    package init?(_ text: String) {
        guard let end = text.firstRange(of: "://") else { return nil }
        let scheme = text[..<end.lowerBound].lowercased()
        guard let standard = Self.ports[scheme], let authority = WebAuthority(String(text[end.upperBound...]))
        else { return nil }
        self.scheme = scheme
        host = authority.host
        port = authority.port ?? standard
    }

    /// Whether it is the origin of a server's own pages.
    /// - Parameters:
    ///   - authority: the host and port in the request.
    ///   - isEncrypted: whether the request came over TLS that ends at the server. Otherwise something in front of it
    ///     may do TLS.
    func `is`(_ authority: WebAuthority, isEncrypted: Bool) -> Bool {
        guard host == authority.host, scheme == "https" || !isEncrypted else { return false }
        return port == authority.port ?? Self.ports[scheme]
    }

    package var description: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return port == Self.ports[scheme] ? "\(scheme)://\(name)" : "\(scheme)://\(name):\(port)"
    }
}

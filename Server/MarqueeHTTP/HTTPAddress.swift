import Foundation

/// An address for HTTP requests, such as `https://id.example/keys`.
package struct HTTPAddress: Hashable, Sendable, CustomStringConvertible {
    /// As it was written.
    package let description: String
    package let isProtected: Bool
    /// A name or an IP address, without brackets.
    package let host: String
    package let port: Int
    /// The path and the query, as a request names them.
    let target: String
    /// The host and the port, as a request names them.
    let authority: String

    /// - Throws: `HTTPProblem` for anything but an address with `http` or `https` and a host. An address with a user or
    ///   a password is refused, because they wouldn't be sent.
    package init(_ text: String) throws(HTTPProblem) {
        guard let url = URL(string: text), let scheme = url.scheme?.lowercased(),
            scheme == "https" || scheme == "http", let host = url.host(), !host.isEmpty
        else { throw HTTPProblem("\(text) isn't an address such as https://id.example/keys") }
        guard url.user() == nil, url.password() == nil else {
            throw HTTPProblem("the address for \(host) has a user or a password in it, which would not be sent")
        }
        let standardPort = scheme == "https" ? 443 : 80
        guard 1...65_535 ~= url.port ?? standardPort else {
            throw HTTPProblem("\(text) has a port that isn't from 1 to 65535")
        }
        isProtected = scheme == "https"
        self.host = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        port = url.port ?? standardPort
        let bracketed = self.host.contains(":") ? "[\(self.host)]" : self.host
        authority = port == standardPort ? bracketed : "\(bracketed):\(port)"
        let path = url.path(percentEncoded: true)
        target = (path.isEmpty ? "/" : path) + (url.query(percentEncoded: true).map { "?\($0)" } ?? "")
        description = text
    }
}

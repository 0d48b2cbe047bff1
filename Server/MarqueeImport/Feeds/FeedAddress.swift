import Foundation

/// An address over HTTP that rows come from.
package struct FeedAddress: Hashable, Sendable, CustomStringConvertible {
    /// The most bytes of an address, such as one that a page names as the next.
    static let bytes = 4_096

    /// Why a text is none.
    package struct Mistake: Error, Hashable {
        package var reason: String
    }

    /// As it is asked.
    package let text: String
    /// Without the query, in which there may be a key: for messages.
    package let description: String
    let isProtected: Bool
    /// Scheme, host and port.
    private let server: String

    package init(_ text: String) throws(Mistake) {
        guard text.utf8.count <= Self.bytes else { throw Mistake(reason: "it has more than \(Self.bytes) bytes") }
        guard let url = URL(string: text), let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let host = url.host(), !host.isEmpty
        else { throw Mistake(reason: "an address is expected, such as https://api.example/products") }
        guard url.user() == nil, url.password() == nil else {
            throw Mistake(
                reason: "an address has no user and no password in it; send them as a header from a file, such as "
                    + "headers: {Authorization: {file: token.txt}}")
        }
        let port = url.port ?? (scheme == "https" ? 443 : 80)
        guard 1...65_535 ~= port else { throw Mistake(reason: "there is no port \(port)") }
        self.text = String(text.prefix { $0 != "#" })
        description = String(text.prefix { $0 != "?" && $0 != "#" })
        isProtected = scheme == "https"
        server = "\(scheme)://\(host.lowercased()):\(port)"
    }

    /// Whether both are of the same server, so that what is secret to one may be sent to the other.
    func isBeside(_ other: FeedAddress) -> Bool { server == other.server }

    /// The address that a link of this one leads to.
    func following(_ link: String) throws(Mistake) -> FeedAddress {
        guard let base = URL(string: text), let url = URL(string: link, relativeTo: base) else {
            throw Mistake(reason: "'\(Field.shown(link))' is no address")
        }
        let next = try FeedAddress(url.absoluteURL.absoluteString)
        guard next.isProtected || !isProtected else {
            throw Mistake(reason: "\(next) is not encrypted, and \(self) is")
        }
        return next
    }

    /// The same address with another value of a parameter.
    package func with(_ parameter: String, _ value: String) throws(Mistake) -> FeedAddress {
        func escaped(_ text: String) -> String {
            text.addingPercentEncoding(withAllowedCharacters: Self.plain) ?? text
        }
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let name = escaped(parameter)
        let others = parts.count == 2 ? parts[1].split(separator: "&").map(String.init) : []
        let kept = others.filter { $0 != name && !$0.hasPrefix(name + "=") }
        return try FeedAddress("\(parts[0])?" + (kept + ["\(name)=\(escaped(value))"]).joined(separator: "&"))
    }

    private static let plain = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}

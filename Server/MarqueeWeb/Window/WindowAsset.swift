import Crypto
import MarqueeModel
import NIOCore
import NIOHTTP1

/// A file of the window, which is embedded in the program.
struct WindowAsset: Hashable, Sendable {
    private static let page = "window/index.html"

    /// Its path below `Client` in the repository: `js/layout.js`.
    let name: String

    /// - Parameter path: the parts of a request's path.
    /// - Returns: `nil` if there is no such file.
    init?(_ path: [String]) {
        name = path == [""] ? Self.page : path.joined(separator: "/")
        guard WindowFiles.all[name] != nil else { return nil }
    }

    /// Everything is the server's own; nothing may be written into the page but text.
    private static let policy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'", "img-src 'self' data:",
        "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    ].joined(separator: "; ")

    private static let mediaTypes = [
        "css": "text/css; charset=utf-8", "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "svg": "image/svg+xml",
    ]

    /// The entity tags of the files by name.
    private static let tags = WindowFiles.all.mapValues { file in
        let digest = file.withUTF8Buffer { SHA256.hash(data: $0) }
        return EntityTag(Array(digest.prefix(8)).hexadecimal)
    }

    func answer(_ head: HTTPRequestHead) -> WebAnswer {
        guard let file = WindowFiles.all[name], let tag = Self.tags[name] else {
            return WebAnswer(.notFound(head.path))
        }
        // Sent without a body, too: a browser applies the fields to its stored copy.
        var fields: HTTPHeaders = [
            "ETag": tag.description, "Cache-Control": "no-cache", "Content-Security-Policy": Self.policy,
        ]
        if tag.isAmong(EntityTag.held(head.headers)) { return WebAnswer(.notModified, fields) }
        let ending = name.split(separator: ".").last.map(String.init) ?? ""
        fields.add(name: "Content-Type", value: Self.mediaTypes[ending] ?? "application/octet-stream")
        return WebAnswer(.ok, fields, body: file.withUTF8Buffer { ByteBuffer(bytes: $0) })
    }
}

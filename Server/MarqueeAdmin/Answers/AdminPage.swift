import Foundation

/// The page for people: one document, which fetches its data from this server.
enum AdminPage {
    /// The place of the nonce in the document.
    private static let nonceMark = "%NONCE%"

    /// The document, and the content security policy, which keeps browsers from running any other script in it.
    static func document() -> (html: String, policy: String) {
        let nonce = Data((0..<16).map { _ in UInt8.random(in: .min ... .max) }).base64EncodedString()
        let html = String(decoding: PackageResources.page_html, as: UTF8.self).replacing(nonceMark, with: nonce)
        let policy = [
            "default-src 'none'", "script-src 'nonce-\(nonce)'", "style-src 'nonce-\(nonce)'", "connect-src 'self'",
            "img-src data:", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
        ]
        return (html, policy.joined(separator: "; "))
    }
}

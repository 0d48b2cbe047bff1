import NIOHTTP1

/// The name of one version of an answer, by which a client says what it has (RFC 9110, 8.8.3).
struct EntityTag: Hashable, Sendable, CustomStringConvertible {
    /// Whether versions that differ only in what isn't compared may share it.
    let isWeak: Bool
    /// The tag in its quotes, without the mark of a weak one.
    private let quoted: String

    /// - Parameter name: hexadecimal digits, as other characters may need quoting.
    init(_ name: String, isWeak: Bool = false) {
        self.isWeak = isWeak
        quoted = "\"\(name)\""
    }

    /// As in the header ETag.
    var description: String { isWeak ? Self.weakMark + quoted : quoted }

    /// Whether this is one of the versions that a client has, so that it needs no answer.
    /// - Parameter held: the members of If-None-Match. They are compared weakly (RFC 9110, 13.1.2).
    func isAmong(_ held: [Substring]) -> Bool {
        held.contains { $0 == "*" || $0 == quoted || $0.hasPrefix(Self.weakMark) && $0.dropFirst(2) == quoted }
    }

    /// The versions that a client says it has.
    static func held(_ headers: HTTPHeaders) -> [Substring] { headers[canonicalForm: "if-none-match"] }

    private static let weakMark = "W/"
}

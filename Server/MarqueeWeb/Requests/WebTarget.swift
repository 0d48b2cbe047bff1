import Foundation

/// The target of a request: its path and its query, decoded.
struct WebTarget: Equatable {
    /// The parts of the path.
    let path: [String]
    /// The parameters in the order in which they are given.
    let query: [(name: String, value: String)]

    static func == (a: WebTarget, b: WebTarget) -> Bool {
        a.path == b.path && a.query.elementsEqual(b.query) { $0 == $1 }
    }

    /// The most parameters of a query.
    private static let maximumParameters = 64

    /// - Throws: the problem to answer with.
    init(_ uri: String) throws(WebProblem) {
        let uri = Self.fromPath(uri)
        guard uri.hasPrefix("/") else { throw .targetInvalid }
        let parts = uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var path: [String] = []
        for part in parts[0].dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            guard let text = Self.decoded(part) else { throw .targetInvalid }
            path.append(text)
        }
        var query: [(name: String, value: String)] = []
        for pair in parts.count > 1 ? parts[1].split(separator: "&") : [] {
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.decoded(sides[0].replacing("+", with: " ")),
                let value = Self.decoded((sides.count > 1 ? sides[1] : "").replacing("+", with: " ")),
                query.count < Self.maximumParameters
            else { throw .targetInvalid }
            query.append((name, value))
        }
        self.path = path
        self.query = query
    }

    // MARK: - The absolute form

    private static let schemes = ["http://", "https://"]

    /// The host that the absolute form names (RFC 9112 section 3.2.2), which counts instead of the one in `Host`.
    /// - Returns: `nil` for a target that begins with its path.
    /// - Throws: the problem to answer with.
    static func authority(_ uri: String) throws(WebProblem) -> WebAuthority? {
        guard let (host, _) = absolute(uri) else { return nil }
        guard let authority = WebAuthority(String(host)) else { throw .targetInvalid }
        return authority
    }

    /// A target from its path on: without the scheme and the host of the absolute form.
    static func fromPath(_ uri: String) -> String {
        guard let (_, rest) = absolute(uri) else { return uri }
        return rest.hasPrefix("/") ? String(rest) : "/\(rest)"
    }

    private static func absolute(_ uri: String) -> (host: Substring, rest: Substring)? {
        guard !uri.hasPrefix("/"), let scheme = schemes.first(where: { uri.prefix($0.count).lowercased() == $0 })
        else { return nil }
        let text = uri.dropFirst(scheme.count)
        let end = text.firstIndex { "/?#".contains($0) } ?? text.endIndex
        return (text[..<end], text[end...])
    }

    private static func decoded(_ text: some StringProtocol) -> String? {
        text.utf8.contains(UInt8(ascii: "%")) ? String(text).removingPercentEncoding : String(text)
    }
}

extension WebProblem {
    static let targetInvalid = WebProblem(
        status: 400, reason: "TARGET_INVALID",
        detail:
            "the target of a request is a path, in which % begins two hexadecimal digits of UTF-8, and a query of at "
            + "most 64 parameters; http:// and a host may stand before it")

    /// - Parameter expected: a clause that says what is allowed.
    static func parameterInvalid(_ name: String, expected: String) -> WebProblem {
        WebProblem(
            status: 400, reason: "PARAMETER_INVALID",
            detail: "the parameter '\(name.prefix(64))' isn't right: \(expected)")
    }
}

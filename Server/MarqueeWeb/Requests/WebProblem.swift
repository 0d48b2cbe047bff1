import MarqueeScreenJSON
import NIOHTTP1

/// A refusal in HTTP (RFC 9457): `application/problem+json`.
struct WebProblem: Error, Hashable {
    static let mediaType = "application/problem+json"

    var status: Int
    /// For programs, as in the protocol's status: `UNKNOWN_SCREEN`.
    var reason: String
    /// For people: what is wrong, and what to do.
    var detail: String
    /// Header fields that belong to it.
    var fields: [String: String] = [:]
    /// Whether the connection can't be used any more.
    var endsConnection = false

    /// Each mistake.
    var mistakes: [JSONDocument] = []

    /// The document; its type is the reason as a URN.
    var body: [UInt8] { Array((document().line() + "\n").utf8) }

    /// - Parameter line: the line of a stream that it is about.
    func document(line: Int? = nil) -> JSONDocument {
        .object([
            "type": .string("urn:marquee:\(reason)"),
            "title": .string(HTTPResponseStatus(statusCode: status).reasonPhrase), "status": .integer(status),
            "reason": .string(reason), "detail": .string(detail),
            "mistakes": mistakes.isEmpty ? nil : .array(mistakes), "line": line.map { .integer($0) },
        ])
    }

    static let hostMissing = WebProblem(
        status: 400, reason: "HOST_MISSING", detail: "a request names the server once, in a Host header",
        endsConnection: true)

    static func hostUnknown(_ host: String) -> WebProblem {
        WebProblem(
            status: 421, reason: "HOST_UNKNOWN",
            detail: "this server isn't known as '\(host.prefix(253))'; start it with --web-host NAME, or use its "
                + "address",
            endsConnection: true)
    }

    static func originRefused(_ origin: String) -> WebProblem {
        WebProblem(
            status: 403, reason: "ORIGIN_REFUSED",
            detail: "pages of other sites may not ask this server, and \(origin.prefix(253)) is one; to let them, "
                + "start the server with --web-origin ORIGIN, such as https://app.example",
            endsConnection: true)
    }

    static func notFound(_ path: String) -> WebProblem {
        WebProblem(
            status: 404, reason: "UNKNOWN_PATH",
            detail: "there is nothing at '\(path.prefix(253))'; Docs/web.md lists "
                + "what there is")
    }

    /// - Parameter path: one that ends in a slash, or has two in a row.
    static func nameEmpty(_ path: String) -> WebProblem {
        let shorter = path.split(separator: "/").joined(separator: "/")
        return WebProblem(
            status: 404, reason: "UNKNOWN_PATH",
            detail: "a name in '\(path.prefix(253))' is empty: give it, or leave out the slash before it, as in "
                + "'/\(shorter.prefix(253))'; Docs/web.md lists what there is")
    }

    static func methodNotAllowed(_ allowed: [String]) -> WebProblem {
        let list = allowed.joined(separator: ", ")
        return WebProblem(
            status: 405, reason: "METHOD_NOT_ALLOWED", detail: "use \(list) here", fields: ["Allow": list],
            endsConnection: true)
    }

    static let headTooLarge = WebProblem(
        status: 431, reason: "HEAD_TOO_LARGE",
        detail: "a request's head has at most \(WebBounds.headBytes) bytes and \(WebBounds.headerFields) fields",
        endsConnection: true)

    static let headMalformed = WebProblem(
        status: 400, reason: "HEAD_MALFORMED", detail: "this isn't an HTTP/1.1 request", endsConnection: true)

    static let versionTooOld = WebProblem(
        status: 505, reason: "HTTP_VERSION",
        detail: "events are sent over HTTP/1.1; behind nginx: proxy_http_version 1.1", endsConnection: true)

    static let headTooLate = WebProblem(
        status: 408, reason: "HEAD_TOO_LATE", detail: "the request's head didn't come in time; send it again",
        endsConnection: true)

    static let bodyUnexpected = WebProblem(
        status: 413, reason: "BODY_UNEXPECTED", detail: "such a request has no body", endsConnection: true)

    static let upgradeRequired = WebProblem(
        status: 426, reason: "UPGRADE_REQUIRED",
        detail: "connect here over WebSocket (RFC 6455, version 13), with HTTP/1.1",
        fields: ["Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13"],
        endsConnection: true)

    static let keyInvalid = WebProblem(
        status: 400, reason: "WEBSOCKET_KEY_INVALID", detail: "Sec-WebSocket-Key is given once, as 16 bytes in base64",
        endsConnection: true)

    static let subprotocolMissing = WebProblem(
        status: 400, reason: "SUBPROTOCOL_MISSING",
        detail: "the subprotocol '\(WebSocketHandshake.subprotocol)' has to be among those offered in "
            + "Sec-WebSocket-Protocol",
        endsConnection: true)
}

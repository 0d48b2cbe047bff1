import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// An answer without the headers that all answers share.
struct AdminAnswer {
    private static let json = "application/json; charset=utf-8"

    private(set) var response: Response

    private init(
        _ status: HTTPResponse.Status, _ type: String, _ text: some Sequence<UInt8>,
        _ more: [HTTPField.Name: String] = [:]
    ) {
        var headers: HTTPFields = [.contentType: type]
        for (name, value) in more { headers[name] = value }
        response = Response(
            status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: text)))
    }

    static func json(_ status: HTTPResponse.Status, _ value: some Encodable) -> AdminAnswer {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // These values always have a form in JSON.
        let bytes = (try? encoder.encode(value)) ?? Data("{}".utf8)
        return AdminAnswer(status, json, Array(bytes) + [UInt8(ascii: "\n")])
    }

    static func metrics(_ reading: Reading) -> AdminAnswer {
        AdminAnswer(.ok, Exposition.contentType, MetricList.exposition(of: reading).utf8)
    }

    static var page: AdminAnswer {
        let (html, policy) = AdminPage.document()
        return AdminAnswer(.ok, "text/html; charset=utf-8", html.utf8, [.contentSecurityPolicy: policy])
    }

    /// - Parameter message: what is wrong, for the client.
    static func mistake(_ status: HTTPResponse.Status, _ message: String) -> AdminAnswer {
        json(status, ["error": message])
    }

    static var notServing: AdminAnswer { mistake(.serviceUnavailable, "the server isn't serving") }

    static func notAllowed(_ methods: [HTTPRequest.Method]) -> AdminAnswer {
        var answer = mistake(.methodNotAllowed, "this can't be done here")
        answer.response.headers[.allow] = methods.map(\.rawValue).joined(separator: ", ")
        return answer
    }

    static func forbidden(_ caller: AdminCaller, needing role: AdminRole) -> AdminAnswer {
        mistake(
            .forbidden,
            "this needs a token with the role '\(role.rawValue)'\(role == .admin ? "" : " or more"), and that of "
                + "'\(caller.name ?? "")' has '\(caller.role.rawValue)'")
    }

    /// Browsers respond to it by asking for a password.
    static var unauthorised: AdminAnswer {
        var answer = mistake(.unauthorized, "a token is needed")
        // Two header fields: browsers don't find a second challenge within one field.
        answer.response.headers.append(HTTPField(name: .wwwAuthenticate, value: "Bearer"))
        answer.response.headers.append(
            HTTPField(name: .wwwAuthenticate, value: "Basic realm=\"marquee-server\", charset=\"UTF-8\""))
        answer.response.headers[.connection] = "close"
        return answer
    }
}

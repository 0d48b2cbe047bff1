import NIOCore
import NIOHTTP1

/// A whole response.
struct WebAnswer: Sendable {
    var status: HTTPResponseStatus
    var fields: HTTPHeaders
    /// The parts of the body, none of them empty: large ones are shared by answers.
    var body: [ByteBuffer]
    var endsConnection = false

    var bodyBytes: Int { body.reduce(0) { $0 + $1.readableBytes } }

    init(_ status: HTTPResponseStatus, _ fields: HTTPHeaders = [:], body: ByteBuffer = ByteBuffer()) {
        self.status = status
        self.fields = fields
        self.body = body.readableBytes > 0 ? [body] : []
    }

    init(_ problem: WebProblem) {
        self.init(
            HTTPResponseStatus(statusCode: problem.status), ["Content-Type": WebProblem.mediaType],
            body: ByteBuffer(bytes: problem.body))
        for (name, value) in problem.fields.sorted(by: { $0.key < $1.key }) { fields.add(name: name, value: value) }
        endsConnection = problem.endsConnection
    }

    /// The answer to `OPTIONS`, which browsers send before a page of another site may send more than a form can.
    init(methods: [HTTPMethod]) {
        let list = methods.map(\.rawValue).joined(separator: ", ")
        self.init(
            .noContent,
            [
                "Allow": list, "Access-Control-Allow-Methods": list,
                "Access-Control-Allow-Headers": "Authorization, Content-Encoding, Content-Type, Idempotency-Key, "
                    + "If-None-Match, Last-Event-ID, Marquee-User",
                "Access-Control-Max-Age": "600",
            ])
    }

    /// Adds the fields that tell browsers to take the type as named, and not to let other sites include or frame it.
    mutating func protect(foreignOrigin: String?) {
        fields.add(name: "X-Content-Type-Options", value: "nosniff")
        if !fields.contains(name: "Content-Security-Policy") {
            fields.add(name: "Content-Security-Policy", value: "default-src 'none'; frame-ancestors 'none'")
        }
        fields.add(name: "Referrer-Policy", value: "no-referrer")
        fields.add(
            name: "Cross-Origin-Resource-Policy", value: foreignOrigin == nil ? "same-origin" : "cross-origin")
        fields.add(name: "Vary", value: "Origin, Accept, Authorization, Marquee-User")
        if !fields.contains(name: "Cache-Control") { fields.add(name: "Cache-Control", value: "no-store") }
        guard let foreignOrigin else { return }
        fields.add(name: "Access-Control-Allow-Origin", value: foreignOrigin)
        fields.add(name: "Access-Control-Expose-Headers", value: "ETag, Retry-After")
    }
}

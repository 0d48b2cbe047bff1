import Foundation
import MarqueeHTTP
import NIOCore
import NIOHTTP1

/// An operator who asks a node over HTTP.
struct AdminClient {
    struct Answer {
        var status: UInt
        var headers: HTTPHeaders
        var body: String

        /// The body as an object of JSON.
        var object: [String: Any] {
            (try? JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any]) ?? [:]
        }

        /// The value of a metric's only sample, or of the one with these labels.
        func metric(_ name: String) -> Double? {
            body.split(separator: "\n").first { $0.hasPrefix(name + " ") }?.split(separator: " ").last
                .flatMap { Double($0) }
        }
    }

    let port: Int
    var token: String?
    /// The path of the certificates of the authorities to trust over TLS; `nil` for plain HTTP.
    var authorities: String?

    func get(_ path: String, _ method: HTTPMethod = .GET, body: String? = nil) async throws -> Answer {
        var headers = HTTPHeaders()
        if let token { headers.add(name: "Authorization", value: "Bearer \(token)") }
        // Generous, because it only decides when to give up.
        let client = HTTPClient(maximumBytes: 1 << 20, timeout: .seconds(60), authorities: authorities)
        let scheme = authorities == nil ? "http" : "https"
        let answer = try await client.send(
            method, HTTPAddress("\(scheme)://127.0.0.1:\(port)\(path)"), headers: headers,
            body: body.map { ByteBuffer(string: $0) })
        return Answer(status: answer.status.code, headers: answer.headers, body: answer.text)
    }
}

extension ServerProcess {
    /// A client of the address for operators that the server has announced.
    func admin(token: String? = nil, authorities: String? = nil) async throws -> AdminClient {
        let scheme = authorities == nil ? "http" : "https"
        let line = try await running?.line(with: "admin on \(scheme)://") ?? ""
        let port = line.split(separator: ":").last.flatMap { Int($0) } ?? 0
        return AdminClient(port: port, token: token, authorities: authorities)
    }
}

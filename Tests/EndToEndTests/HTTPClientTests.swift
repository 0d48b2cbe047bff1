import Foundation
import MarqueeHTTP
import NIOCore
import NIOHTTP1
import Testing

/// A client of HTTP beside servers that answer with given bytes.
@Suite struct HTTPClientTests {
    private static let client = HTTPClient(maximumBytes: 1_000, timeout: .seconds(60))
    private static let hello = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"

    private static func problem(_ address: String) async throws -> String { try await problem(client, address) }

    private static func problem(_ client: HTTPClient, _ address: String) async throws -> String {
        let address = try HTTPAddress(address)
        let problem = await #expect(throws: HTTPProblem.self) { try await client.send(.GET, address) }
        return problem?.description ?? ""
    }

    @Test(arguments: [
        (hello, false),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n", false),
        ("HTTP/1.0 200 OK\r\n\r\nhello", true),
    ])
    func `An answer is read in each framing of HTTP`(answer: String, closes: Bool) async throws {
        let server = try await CannedServer(answer, closes: closes)
        let answer = try await Self.client.send(
            .PUT, HTTPAddress("http://localhost:\(server.port)/keys?a=b%20c"), headers: ["X-Name": "value"],
            body: ByteBuffer(string: "body"))
        #expect(answer.status == .ok && answer.text == "hello")
        let request = server.requests
        #expect(request.hasPrefix("PUT /keys?a=b%20c HTTP/1.1\r\n"))
        for header in ["Host: localhost:\(server.port)", "X-Name: value", "Connection: close", "Content-Length: 4"] {
            #expect(request.contains("\r\n\(header)\r\n"))
        }
    }

    @Test func `A redirect is an answer`() async throws {
        let server = try await CannedServer(
            "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n")
        let answer = try await Self.client.send(.GET, HTTPAddress("http://127.0.0.1:\(server.port)/"))
        #expect(answer.status == .found)
    }

    @Test(arguments: [
        ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel", true, "the connection ended before the answer did"),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nhel", true, "the connection ended before"),
        ("", true, "the connection ended before the answer did"),
        ("SSH-2.0-OpenSSH_9.2\r\n", false, "its answer is not HTTP"),
        ("HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "x", count: 1_000), false, "has more than 1000 bytes"),
        ("HTTP/1.1 200 OK\r\nX: " + String(repeating: "x", count: 1_000), false, "has more than 1000 bytes"),
        (String(repeating: "HTTP/1.1 100 Continue\r\n\r\n", count: 50), false, "has more than 1000 bytes"),
    ])
    func `An answer that isn't whole, isn't HTTP or is too long is refused, and why`(
        answer: String, closes: Bool, reason: String
    ) async throws {
        let server = try await CannedServer(answer, closes: closes)
        let address = "http://127.0.0.1:\(server.port)/keys"
        let problem = try await Self.problem(address)
        #expect(problem.hasPrefix("\(address) can't be read: ") && problem.contains(reason), "\(problem)")
    }

    @Test func `An exchange ends at its deadline, and when its caller is cancelled`() async throws {
        let server = try await CannedServer("HTTP/1.1 200 OK\r\n")
        let address = "http://127.0.0.1:\(server.port)/"
        let hasty = HTTPClient(maximumBytes: 1_000, timeout: .milliseconds(20))
        #expect(try await Self.problem(hasty, address).contains("no complete answer within 20 ms"))
        let waiting = Task { try await Self.problem(address) }
        waiting.cancel()
        #expect(try await waiting.value.contains("no longer needed"))
        // Nobody listens there.
        #expect(try await Self.problem("http://127.0.0.1:1/").contains("Connection refused"))
    }

    @Test func `A header that would end early is not sent`() async throws {
        let server = try await CannedServer(Self.hello)
        let address = try HTTPAddress("http://127.0.0.1:\(server.port)/")
        await #expect(throws: HTTPProblem.self) {
            try await Self.client.send(.GET, address, headers: ["Authorization": "Bearer a\r\nX: y"])
        }
        #expect(server.requests.isEmpty)
    }

    @Test func `A server with TLS has to have a certificate for its name by a trusted authority`() async throws {
        let certificates = try TestCertificates()
        let server = try await CannedServer(Self.hello, certificates: certificates)
        let address = "https://localhost:\(server.port)/keys"
        var client = Self.client
        #expect(try await Self.problem(client, address).contains("was not issued by a trusted authority"))
        client.authorities = certificates.path("ca.pem")
        for host in ["localhost", "127.0.0.1"] {
            #expect(try await client.send(.GET, HTTPAddress("https://\(host):\(server.port)/")).text == "hello")
        }
        // This address leads to the same server, whose certificate lacks it.
        #expect(try await Self.problem(client, "https://127.0.0.2:\(server.port)/").isEmpty == false)
        #expect(try await Self.problem(client, "http://127.0.0.1:\(server.port)/").isEmpty == false)
        client.authorities = certificates.path("none.pem")
        #expect(try await Self.problem(client, address).contains("none.pem"))
        #expect(throws: HTTPProblem.self) { try client.checkAuthorities() }

        let plain = try await CannedServer(Self.hello)
        #expect(try await Self.problem("https://127.0.0.1:\(plain.port)/").contains("doesn't speak TLS"))
    }

    @Test(arguments: [
        ("https://id.example", "id.example", 443, true), ("http://[::1]:81/", "::1", 81, false),
        ("HTTP://localhost:8080/a?b", "localhost", 8080, false),
    ])
    func `An address names a host and a port`(text: String, host: String, port: Int, isProtected: Bool) throws {
        let address = try HTTPAddress(text)
        #expect(address.host == host && address.port == port && address.isProtected == isProtected)
    }

    @Test(arguments: [
        "", "keys.json", "ftp://id.example/", "https://", "https:///keys", "http://a:99999/", "https://u:p@id.example/",
    ])
    func `Other addresses are refused`(text: String) {
        #expect(throws: HTTPProblem.self) { try HTTPAddress(text) }
    }
}

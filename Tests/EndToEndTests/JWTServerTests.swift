import Foundation
import MarqueeAccess
@_spi(Admin) import MarqueeClient
import MarqueeModel
import MarqueeServer
import Testing

/// Server processes whose clients show JSON Web Tokens.
@Suite struct JWTServerTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "marquee-jwt-\(UUID().uuidString)")

    /// A set of one key, which was used for the token and forgotten.
    private static let keys = """
        {"keys":[{"kty":"EC","crv":"P-256","x":"_YiLJDp5cM7BbcHKueJ-pnb9BnS8VEeMByiFoMXBZ54",\
        "y":"VkpGbfxq5LnaHe-27sjBUnUyIS_xi2Dx_12FiBomDDc","alg":"ES256","use":"sig","kid":"k1"}]}
        """
    /// By `https://id.example` for `ana`, until 2100.
    private static let token =
        "eyJhbGciOiAiRVMyNTYiLCAidHlwIjogIkpXVCIsICJraWQiOiAiazEifQ.eyJpc3MiOiAiaHR0cHM6Ly9pZC5leGFtcGxlIiwgImF1ZCI6I"
        + "CJmaWxtcyIsICJleHAiOiA0MTAyNDQ0ODAwLCAic3ViIjogImFuYSJ9.sIou2A2IIMR4wCOIdJTVXSCJPuC5G64AsEoNVi-pIVwBeQK1wM-"
        + "4I6sI6ZOILt-3fbKc9jjLx8rJX2-KoaBZXA"

    private static func ok(_ body: String) -> String {
        "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    private static let away = "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n"

    /// A server whose keys are at an address.
    private func start(_ keys: CannedServer) async throws -> ServerProcess {
        let server = try ServerProcess(
            in: folder,
            options: [
                "--admin", "127.0.0.1:0", "--jwt-keys", "http://127.0.0.1:\(keys.port)/keys", "--jwt-issuer",
                "https://id.example", "--jwt-audience", "films",
            ], isOpen: false)
        try await server.start()
        return server
    }

    private func client(_ server: ServerProcess) -> MarqueeClient {
        var configuration = ClientConfiguration(
            host: "127.0.0.1", port: server.port, user: "ana", locale: "en", mirror: .memory)
        configuration.token = { Self.token }
        configuration.backoff = .milliseconds(10)...(.milliseconds(100))
        configuration.callTimeout = .seconds(300)
        configuration.tokenTimeout = .seconds(300)
        return MarqueeClient(configuration)
    }

    private static func check(_ admin: AdminClient) async throws -> (status: UInt, reason: String?) {
        let answer = try await admin.get("/ready")
        let checks = answer.object["checks"] as? [String: [String: Any]]
        return (answer.status, checks?["jwt-keys"]?["reason"] as? String)
    }

    @Test func `A server starts without its keys, says so, and admits nobody with them until they come`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let keys = try await CannedServer(Self.away)
        let server = try await start(keys)
        let admin = try await server.admin()
        let (status, reason) = try await Self.check(admin)
        #expect(status == 503 && reason?.contains("answers 503") == true, "\(reason ?? "")")
        #expect(server.log.contains("no token of https://id.example is accepted until there are keys"))
        let client = client(server)
        let events = client.events
        var home = client.screen(.home).makeAsyncIterator()
        for await event in events {
            if case .state(.failed(let error)) = event { Issue.record("\(error)") }
            guard case .state(.waiting(let why, _)) = event else { continue }
            #expect(why.message.contains("can't check the token now"))
            break
        }
        keys.answer(Self.ok(Self.keys))
        _ = try await home.first { $0.origin == .live }
        #expect(try await Self.check(admin) == (200, nil))
        #expect(server.running?.output.contains("/keys: 1 key in force") == true)
        // It keeps them while the address is away again.
        keys.answer(Self.away)
        server.running?.signal(SIGHUP)
        try await eventually("that the reading fails") { server.log.contains("the previous keys stay in force") }
        #expect(try await Self.check(admin).status == 200)
        let other = self.client(server)
        #expect(try await other.health().state == "serving")
        #expect(try await server.stop() == 0)
    }

    @Test func `An address that leads elsewhere has no keys`() async throws {
        let keys = try await CannedServer(
            "HTTP/1.1 301 Moved\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n")
        let source = try JWTKeySource("http://127.0.0.1:\(keys.port)/keys")
        let policy = JWTPolicy(issuer: "i", audience: "a", standardScopes: .readOnly)
        let problem = await #expect(throws: JWTProblem.self) { try await source.keys(for: policy) }
        #expect(problem?.description.contains("redirects are not followed") == true)
        keys.answer(Self.ok(Self.keys))
        _ = try await source.keys(for: policy)
    }
}

import MarqueeConformance
import MarqueeRelay
import MarqueeServer
import MarqueeWeb
import Testing

@Suite("The web door of a relay", .timeLimit(.minutes(5)))
struct WebRelayTests {
    @Test func `A relay passes checks over WebSocket, screens and publications on`() async throws {
        let world = try await WebWorld()
        let relay = try await world.relay()
        let port = relay.summary.door?.port ?? 0
        var subject = ServerSubject(host: "127.0.0.1", port: port, user: "conform")
        subject.webSocketPath = "/v1/connect"
        let checks = ServerChecks.all.filter { ["ping-pong", "join-verified"].contains($0.name) || $0.matches("11") }
        let report = try await subject.runner().run(checks) { _ in }
        #expect(report.failures.isEmpty)
        let mine = try await WebWorld.ask("GET /v1/screens/home HTTP/1.1", [], port: world.port)
        let passed = try await WebWorld.ask("GET /v1/screens/home HTTP/1.1", [], port: port)
        #expect(passed.status == 200)
        #expect(passed.fields["etag"] == mine.fields["etag"])
        let body = #"{"merge": {"type": "movie", "id": "27205", "record": {"popularity": 1.5}}}"#
        for _ in 0..<2 {
            let reply = try await WebWorld.ask(
                "POST /v1/publish HTTP/1.1",
                ["Content-Type: application/json", "Content-Length: \(body.utf8.count)", "Idempotency-Key: one"],
                port: port, body: body)
            #expect(reply.status == 200)
        }
        #expect(world.hub.revision == 2)
        // Its window shows screens; only a server with a store knows of records and commits.
        #expect(try await WebWorld.ask("GET / HTTP/1.1", [], port: port).status == 200)
        for path in ["/v1/commits", "/v1/records/movie/27205", "/v1/programme", "/v1/types"] {
            let reply = try await WebWorld.ask("GET \(path) HTTP/1.1", [], port: port)
            #expect(reply.status == 501)
            #expect(reply.reason == "NO_STORE_HERE")
        }
        await relay.drain(grace: .milliseconds(200))
        await world.stop()
    }
}

import Foundation
import MarqueeClient
import MarqueeModel
import MarqueeServer
import NIOHTTP1
import Testing

@testable import MarqueeWeb

@Suite("Screens and searches as JSON", .timeLimit(.minutes(5)))
struct WebReadTests {
    private func json(_ reply: WebReply) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(reply.body.utf8)) as? [String: Any])
    }

    @Test func `A screen is the snapshot that the command line prints, and its sum is its tag`() async throws {
        let world = try await WebWorld()
        let reply = try await world.ask("GET /v1/screens/home HTTP/1.1")
        #expect(reply.status == 200)
        #expect(reply.fields["content-type"] == "application/json")
        #expect(reply.fields["cache-control"]?.hasPrefix("public") == true)
        let screen = try json(reply)
        let sum = try #require(screen["sum"] as? String)
        #expect(screen["type"] as? String == "snapshot")
        #expect(reply.fields["etag"] == "W/\"\(sum)\"")
        let sections = try #require(screen["sections"] as? [[String: Any]])
        #expect(sections.contains { ($0["items"] as? [Any])?.isEmpty == false })

        // A client that verifies everything has the same sum.
        var configuration = ClientConfiguration(
            host: "127.0.0.1", port: world.server.summary.port, security: .unencrypted, mirror: .memory)
        configuration.callTimeout = .seconds(300)
        let client = MarqueeClient(configuration)
        #expect(
            String(try await client.fetchScreen("home").sum, radix: 16)
                == String(UInt64(sum, radix: 16) ?? 0, radix: 16))
        await client.close()
        await world.stop()
    }

    @Test func `A client that has the version is told only that, until the screen changes`() async throws {
        let world = try await WebWorld()
        let tag = try #require(try await world.ask("GET /v1/screens/home HTTP/1.1").fields["etag"])
        let again = try await world.ask("GET /v1/screens/home HTTP/1.1", "If-None-Match: \"x\", \(tag)")
        #expect(again.status == 304)
        #expect(again.body == "")
        #expect(again.fields["etag"] == tag)
        try await world.commit([.show(list: "chart/boxoffice", edition: "2024-05-02")])
        let changed = try await world.ask("GET /v1/screens/home HTTP/1.1", "If-None-Match: \(tag)")
        #expect(changed.status == 200)
        #expect(changed.fields["etag"] != tag)
        await world.stop()
    }

    @Test func `HEAD answers as GET does, without the body`() async throws {
        let world = try await WebWorld()
        let whole = try await world.ask("GET /v1/screens/home HTTP/1.1")
        let socket = try await WebSocketBytes(port: world.port)
        try await socket.send("HEAD /v1/screens/home HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        let head = try await socket.reply(withoutBody: true)
        #expect(head.status == 200)
        #expect(head.fields["content-length"] == whole.fields["content-length"])
        #expect(head.fields["etag"] == whole.fields["etag"])
        #expect(try await socket.rest() == [])
        let record = try await world.ask("GET /v1/records/movie/27205 HTTP/1.1")
        let other = try await WebSocketBytes(port: world.port)
        try await other.send("HEAD /v1/records/movie/27205 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        #expect(try await other.reply(withoutBody: true).fields["content-length"] == record.fields["content-length"])
        #expect(try await other.rest() == [])
        await world.stop()
    }

    @Test func `An answer has a date, and says how its connection goes on`() async throws {
        #expect(HTTPDate.text(784_111_777) == "Sun, 06 Nov 1994 08:49:37 GMT")
        let world = try await WebWorld()
        let plain = try await world.ask("GET /v1/screens HTTP/1.1")
        #expect(plain.fields["date"]?.hasSuffix(" GMT") == true)
        #expect(plain.fields["connection"] == nil)
        #expect(try await world.ask("GET /v1/screens HTTP/1.0").fields["connection"] == "close")
        let kept = try await world.ask("GET /v1/screens HTTP/1.0", "Connection: keep-alive")
        #expect(kept.fields["connection"] == "keep-alive")
        #expect(try await world.ask("GET /v1/connect HTTP/1.1").fields["connection"] == "close, Upgrade")
        await world.stop()
    }

    @Test func `A body that nobody wants is refused before it comes`() async throws {
        let world = try await WebWorld()
        for path in ["screens", "connect"] {
            let reply = try await world.ask("GET /v1/\(path) HTTP/1.1", "Content-Length: 5")
            #expect(reply.reason == "BODY_UNEXPECTED")
        }
        await world.stop()
    }

    @Test func `A media type with the weight 0 isn't accepted`() async throws {
        let world = try await WebWorld()
        let screen = "GET /v1/screens/home HTTP/1.1"
        #expect(try await world.ask(screen, "Accept: text/event-stream;q=0").status == 406)
        let json = try await world.ask(screen, "Accept: text/event-stream; q=0.0, application/json")
        #expect(json.fields["content-type"] == "application/json")
        await world.stop()
    }

    @Test func `White space after a field's value isn't part of it`() async throws {
        let world = try await WebWorld()
        #expect(try await world.ask("GET /v1/screens HTTP/1.1", "Host: 127.0.0.1 \t").status == 200)
        await world.stop()
    }

    @Test func `Sorts, windows and the locale are parameters`() async throws {
        let world = try await WebWorld()
        let offer = try json(try await world.ask("GET /v1/screens HTTP/1.1"))
        let screens = try #require(offer["screens"] as? [[String: Any]])
        let home = try #require(screens.first { $0["pattern"] as? String == "home" })
        let sections = try #require(home["sections"] as? [[String: Any]])
        let section = try #require(sections.first { ($0["windows"] as? [Int])?.count ?? 0 > 1 })
        let (id, window) = (section["id"] as? String ?? "", (section["windows"] as? [Int])?.last ?? 0)
        let screen = try json(try await world.ask("GET /v1/screens/home?window.\(id)=\(window)&locale=ko HTTP/1.1"))
        let shown = try #require((screen["sections"] as? [[String: Any]])?.first { $0["id"] as? String == id })
        #expect(shown["window"] as? Int == window)
        #expect(screen["locale"] as? String == "ko")
        await world.stop()
    }

    @Test func `A search is the line that the command line prints`() async throws {
        let world = try await WebWorld()
        let found = try json(try await world.ask("GET /v1/search?q=the&page=1 HTTP/1.1"))
        #expect(found["type"] as? String == "search")
        #expect((found["items"] as? [Any])?.isEmpty == false)
        await world.stop()
    }

    @Test(arguments: [
        ("GET /v1/screens/nowhere HTTP/1.1", 404, "UNKNOWN_SCREEN"),
        ("GET /v1/screens/home?colour=red HTTP/1.1", 400, "PARAMETER_INVALID"),
        ("GET /v1/screens/home?window.rank=0 HTTP/1.1", 400, "PARAMETER_INVALID"),
        ("GET /v1/screens/home?locale=en&locale=ko HTTP/1.1", 400, "PARAMETER_INVALID"),
        ("GET /v1/screens/home?sort.rank=%ZZ HTTP/1.1", 400, "TARGET_INVALID"),
        ("GET /v1/search HTTP/1.1", 400, "PARAMETER_INVALID"), ("GET /v2/screens HTTP/1.1", 404, "UNKNOWN_PATH"),
        ("GET /v1/screens/ HTTP/1.1", 404, "UNKNOWN_PATH"), ("GET /v1/screens/home/ HTTP/1.1", 404, "UNKNOWN_PATH"),
        ("GET /v1/records/movie/ HTTP/1.1", 404, "UNKNOWN_PATH"), ("POST /v1/hooks/ HTTP/1.1", 404, "UNKNOWN_PATH"),
        ("DELETE /v1/screens/home HTTP/1.1", 405, "METHOD_NOT_ALLOWED"),
        ("GET /v1/screens/home HTTP/1.1\r\nAccept: text/html", 406, "NOT_ACCEPTABLE"),
        ("GET /v1/screens/home HTTP/1.1\r\nAuthorization: Basic YTpi", 401, "AUTHORIZATION_INVALID"),
        ("GET /v1/screens/home HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc", 413, "BODY_UNEXPECTED"),
    ])
    func `A wrong request is told what is wrong`(request: String, status: Int, reason: String) async throws {
        let world = try await WebWorld()
        let socket = try await WebSocketBytes(port: world.port)
        let parts = request.split(separator: "\r\n\r\n", maxSplits: 1)
        try await socket.send("\(parts[0])\r\nHost: localhost\r\n\r\n\(parts.count > 1 ? parts[1] : "")")
        let reply = try await socket.reply()
        #expect(reply.status == status)
        #expect(reply.reason == reason)
        #expect(reply.fields["cache-control"] == "no-store")
        await world.stop()
    }

    @Test func `Asked for the server as a whole, OPTIONS names all methods`() async throws {
        let world = try await WebWorld()
        let reply = try await world.ask("OPTIONS * HTTP/1.1")
        #expect(reply.status == 204)
        #expect(reply.fields["allow"] == "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS")
        #expect(try await world.ask("GET * HTTP/1.1").reason == "TARGET_INVALID")
        await world.stop()
    }

    @Test func `A request with an empty name is told the path without it`() async throws {
        let world = try await WebWorld()
        let reply = try await world.ask("GET /v1/screens/?locale=ko HTTP/1.1")
        #expect(reply.body.contains("'/v1/screens/' is empty"))
        #expect(reply.body.contains("'/v1/screens';"))
        #expect(try await world.ask("GET //v1/screens HTTP/1.1").body.contains("'/v1/screens';"))
        await world.stop()
    }

    @Test func `A target with a scheme and a host is its path`() async throws {
        let world = try await WebWorld()
        let host = "http://127.0.0.1:\(world.port)"
        let plain = try await world.ask("GET /v1/screens?locale=ko HTTP/1.1")
        #expect(plain.status == 200)
        let absolute = try await world.ask("GET \(host)/v1/screens?locale=ko HTTP/1.1", "Host: rebound.example")
        #expect(absolute.status == 200)
        #expect(absolute.body == plain.body)
        #expect(try await world.ask("GET \(host) HTTP/1.1").fields["content-type"]?.hasPrefix("text/html") == true)
        #expect(try await world.ask("GET \(host)/nowhere HTTP/1.1").body.contains("at '/nowhere'"))
        #expect(try await world.ask("GET http://rebound.example/v1/screens HTTP/1.1").reason == "HOST_UNKNOWN")
        await world.stop()
    }

    @Test func `A page of another site reads nothing, one of a listed site may`() async throws {
        let world = try await WebWorld(WebGate(origins: [WebOrigin("https://app.example")].compactMap { $0 }))
        let get = "GET /v1/screens/home HTTP/1.1"
        for foreign in ["Origin: https://evil.example", "Origin: null", "Sec-Fetch-Site: cross-site"] {
            let reply = try await world.ask(get, foreign)
            #expect(reply.status == 403)
            #expect(reply.fields["access-control-allow-origin"] == nil)
        }
        let preflight = try await world.ask(
            "OPTIONS /v1/screens/home HTTP/1.1", "Origin: https://evil.example", "Access-Control-Request-Method: GET")
        #expect(preflight.status == 403)
        #expect(try await world.ask(get, "Host: rebound.example").status == 421)
        let listed = try await world.ask(get, "Origin: https://app.example")
        #expect(listed.status == 200)
        #expect(listed.fields["access-control-allow-origin"] == "https://app.example")
        let allowed = try await world.ask("OPTIONS /v1/screens/home HTTP/1.1", "Origin: https://app.example")
        #expect(allowed.status == 204)
        #expect(allowed.fields["access-control-allow-methods"] == "GET, HEAD, OPTIONS")
        await world.stop()
    }

    @Test func `A user's screens are nobody else's to keep`() async throws {
        let world = try await WebWorld()
        let reply = try await world.ask("GET /v1/screens/home HTTP/1.1", "Marquee-User: ana")
        #expect(reply.status == 200)
        #expect(reply.fields["cache-control"] == "private, no-cache")
        await world.stop()
    }

    @Test func `Requests above the limit are refused, and the place of an answered one is free again`() async throws {
        let world = try await WebWorld { $0.limits.webRequests = 0 }
        let reply = try await world.ask("GET /v1/screens HTTP/1.1")
        #expect(reply.status == 503)
        #expect(reply.reason == "TOO_MANY_REQUESTS")
        #expect(world.server.limitHits[.webRequests] == 1)
        await world.stop()
        let one = try await WebWorld { $0.limits.webRequests = 1 }
        for _ in 0..<3 { #expect(try await one.ask("GET /v1/screens HTTP/1.1").status == 200) }
        await one.stop()
    }

    @Test func `An item's text is remembered for items that are equal, and made again once it is forgotten`() {
        // Two generations hold fewer than are asked for.
        let texts = ItemTexts(generationBytes: 1_000)
        let body = [UInt8](repeating: 0xA7, count: 100)
        for round in 0..<2 {
            for index in 0..<24 {
                let item = Item(id: "item-\(index)", kind: ItemKind(rawValue: 4_000), body: [UInt8(index)] + body)
                #expect(texts.document(of: item).line() == WebText.item(item).line(), "round \(round)")
            }
        }
    }
}

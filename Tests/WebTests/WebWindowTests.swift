import Foundation
import MarqueeCatalogue
import MarqueeModel
import MarqueeServer
import MarqueeStore
import MarqueeWeb
import Testing

@Suite("The window", .timeLimit(.minutes(5)))
struct WebWindowTests {
    private func json(_ reply: WebReply) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(reply.body.utf8)) as? [String: Any])
    }

    private func patch(_ world: WebWorld, _ body: String, _ fields: String...) async throws -> WebReply {
        try await WebWorld.ask(
            "PATCH /v1/records/movie/27205 HTTP/1.1",
            ["Content-Type: application/json", "Content-Length: \(body.utf8.count)"] + fields, port: world.port,
            body: body)
    }

    // MARK: - The page

    @Test func `The page and all that it loads are the server's own, and nothing else may run in it`() async throws {
        let world = try await WebWorld(authenticator: ScopedAuthenticator(scopes: .nothing))
        let page = try await world.ask("GET / HTTP/1.1")
        #expect(page.status == 200)
        #expect(page.fields["content-type"] == "text/html; charset=utf-8")
        let policy = try #require(page.fields["content-security-policy"])
        #expect(policy.contains("default-src 'none'"))
        #expect(policy.contains("script-src 'self';"))
        #expect(policy.contains("frame-ancestors 'none'"))
        #expect(policy.contains("require-trusted-types-for 'script'"))
        #expect(!policy.contains("unsafe"))
        #expect(!page.body.contains(" style=") && !page.body.contains("<style") && !page.body.contains(#/ on[a-z]+=/#))
        let links = page.body.matches(of: #/(?:src|href)="([^"#]+)"/#).map { String($0.output.1) }
        #expect(links.contains("/js/src/index.js"))
        for link in Set(links) {
            let asset = try await world.ask("GET \(link) HTTP/1.1")
            #expect(asset.status == 200, "\(link)")
            #expect(asset.fields["x-content-type-options"] == "nosniff")
        }
        await world.stop()
    }

    @Test func `A file that a browser has isn't sent again, and there are no others`() async throws {
        let world = try await WebWorld()
        let tag = try #require(try await world.ask("GET /window/main.js HTTP/1.1").fields["etag"])
        let again = try await world.ask("GET /window/main.js HTTP/1.1", "If-None-Match: \(tag)")
        #expect(again.status == 304)
        #expect(again.body.isEmpty)
        #expect(again.fields["content-security-policy"]?.contains("script-src 'self'") == true)
        #expect(try await world.ask("GET /window/window.css HTTP/1.1", "If-None-Match: \(tag)").status == 200)
        for path in ["/window/", "/window/none.js", "/js/../window/main.js", "//", "/js/src/tcp.js"] {
            #expect(try await world.ask("GET \(path) HTTP/1.1").status == 404, "\(path)")
        }
        #expect(try await world.ask("POST / HTTP/1.1", "Content-Length: 0").status == 405)
        #expect(try await world.ask("GET / HTTP/1.1", "Host: rebound.example").status == 421)
        await world.stop()
    }

    // MARK: - Records

    @Test func `A record is read as PUT takes it`() async throws {
        let world = try await WebWorld()
        let record = try await world.ask("GET /v1/records/movie/27205 HTTP/1.1")
        #expect(record.status == 200)
        #expect(record.fields["cache-control"] == "private, no-store")
        let back = try await WebWorld.ask(
            "PUT /v1/records/movie/27205 HTTP/1.1",
            ["Content-Type: application/json", "Content-Length: \(record.body.utf8.count)"], port: world.port,
            body: record.body)
        #expect(try json(back)["changed"] as? Bool == false)
        for path in ["movie/none", "none/27205"] {
            let reply = try await world.ask("GET /v1/records/\(path) HTTP/1.1")
            #expect(reply.status == 404)
            #expect(reply.reason == "UNKNOWN_RECORD")
        }
        #expect(try await world.ask("GET /v1/records/movie/27205?x=1 HTTP/1.1").reason == "PARAMETER_INVALID")
        #expect(try await world.ask("GET /v1/programme HTTP/1.1").reason == "NO_PROGRAMME")
        let types = try await world.ask("GET /v1/types HTTP/1.1")
        let again = try await WebWorld.ask(
            "POST /v1/publish HTTP/1.1",
            ["Content-Type: application/json", "Content-Length: \(types.body.utf8.count)"], port: world.port,
            body: types.body)
        #expect(try json(again)["changed"] as? Bool == false)
        await world.stop()
    }

    @Test(arguments: [
        (["read *"], [403, 403, 403, 403, 403, 403]), (["publish movie"], [200, 403, 403, 403, 403, 403]),
        (["publish :programme", "read home"], [403, 403, 404, 403, 403, 403]),
        (["publish :types"], [403, 403, 403, 403, 403, 200]),
        (["publish *"], [200, 404, 404, 403, 403, 200]),
        (["read *", "publish *"], [200, 404, 404, 200, 200, 200]),
    ])
    func `A record is for those who may publish it, commits and clients for those who may read and publish everything`(
        scopes: [String], statuses: [Int]
    ) async throws {
        let world = try await WebWorld(authenticator: ScopedAuthenticator(scopes: Scopes(scopes)))
        let paths = ["records/movie/27205", "records/person/none", "programme", "commits", "clients", "types"]
        for (path, status) in zip(paths, statuses) {
            #expect(try await world.ask("GET /v1/\(path) HTTP/1.1").status == status, "\(path)")
        }
        let stream = try await world.ask("GET /v1/commits HTTP/1.1", "Accept: text/event-stream")
        #expect(stream.status == statuses[3])
        await world.stop()
    }

    // MARK: - Commits

    @Test func `A commit names its publisher and the records that it changed`() async throws {
        let world = try await WebWorld()
        let revision = try #require(
            try json(
                try await patch(
                    world, #"{"popularity": 1.5}"#, "User-Agent: scoreboard/2", "Marquee-User: ana",
                    "Idempotency-Key: night-1"))["revision"] as? Int)
        let commit = try await commit(revision, of: world) { $0["publisher"] != nil }
        let publisher = try #require(commit["publisher"] as? [String: Any])
        #expect(publisher["user"] as? String == "ana")
        #expect(publisher["agent"] as? String == "scoreboard/2")
        #expect((publisher["address"] as? String)?.hasPrefix("127.0.0.1:") == true)
        #expect(commit["key"] as? String == "night-1")
        #expect(commit["count"] as? Int == 1)
        let changes = try #require(commit["changes"] as? [[String: Any]])
        #expect(changes.map { $0["type"] as? String } == ["movie"])
        #expect(changes.map { $0["id"] as? String } == ["27205"])
        await world.stop()
    }

    /// Waits until a commit is there as it should be: the log and the publisher become known on threads of their own.
    private func commit(
        _ revision: Int, of world: WebWorld, when isReady: ([String: Any]) -> Bool
    ) async throws -> [String: Any] {
        while true {
            let all = try json(try await world.ask("GET /v1/commits HTTP/1.1"))["commits"] as? [[String: Any]]
            if let found = all?.first(where: { $0["revision"] as? Int == revision }), isReady(found) { return found }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    @Test func `Commits are followed: those that are remembered, those that come, and after a break what is new`()
        async throws
    {
        let world = try await WebWorld()
        _ = try await patch(world, #"{"popularity": 1.5}"#)
        _ = try await commit(2, of: world) { $0["publisher"] != nil }
        let first = try await Follower(world)
        #expect(try await first.commit()["revision"] as? Int == 2)
        _ = try await patch(world, #"{"popularity": 2.5}"#)
        #expect(try await first.commit()["revision"] as? Int == 3)
        _ = try await commit(3, of: world) { $0["publisher"] != nil }
        _ = try await patch(world, #"{"popularity": 3.5}"#)
        let second = try await Follower(world, after: first.id)
        // The third may come again, with its publisher.
        var revision = try await second.commit()["revision"] as? Int
        if revision == 3 { revision = try await second.commit()["revision"] as? Int }
        #expect(revision == 4)
        let other = try await Follower(world, after: "1.9999")
        #expect(try await other.commit()["revision"] as? Int == 2)
        await world.stop()
    }

    @Test func `The history has room for so many commits and names, and counts the rest`() {
        let history = CommitHistory(time: { 7 })
        let record = RecordContent.bytes([])
        let many = (0..<100).map { Change.put(RecordID(type: "movie", id: "\($0)"), record) }
        history.add((1...300).map { CatalogueCommit(revision: $0, key: nil, changes: many) })
        // Told again, nothing is new.
        history.add([CatalogueCommit(revision: 300, key: nil, changes: [])])
        let commits = history.commits()
        #expect(commits.map(\.revision) == Array(45...300))
        #expect(commits.allSatisfy { $0.changes.count == CommitHistory.maximumNames && $0.count == 100 })
        history.add(CommitHistory.Publisher(user: "ana"), of: 100)
        history.add(CommitHistory.Publisher(user: "bob"), of: 301)
        #expect(history.commits(after: commits[255].version).map(\.revision) == [100])
        history.add([CatalogueCommit(revision: 301, key: nil, changes: [.programme("")])])
        let news = history.commits(after: commits[255].version)
        #expect(news.map(\.revision) == [100, 301])
        #expect(news.map(\.publisher?.user) == ["ana", "bob"])
        #expect(history.commits(atMost: 3).count == 3)
    }

    // MARK: - Clients

    @Test func `Clients are listed as they are`() async throws {
        let world = try await WebWorld()
        #expect(try json(try await world.ask("GET /v1/clients HTTP/1.1"))["total"] as? Int == 0)
        let socket = try await WebSocketBytes(port: world.port)
        #expect(try await socket.upgrade().status == 101)
        let clients = try json(try await world.ask("GET /v1/clients HTTP/1.1"))
        #expect(clients["total"] as? Int == 1)
        let client = try #require((clients["clients"] as? [[String: Any]])?.first)
        #expect(client["state"] as? String == "greeting")
        await world.stop()
    }
}

/// Reads the events of commits.
private final class Follower {
    private let socket: WebSocketBytes
    private var texts: [Substring] = []
    /// The id of the last event.
    private(set) var id: String?

    init(_ world: WebWorld, after id: String? = nil) async throws {
        socket = try await WebSocketBytes(port: world.port)
        let last = id.map { "Last-Event-ID: \($0)\r\n" } ?? ""
        try await socket.send(
            "GET /v1/commits HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\(last)\r\n")
        #expect(try await socket.reply(withoutBody: true).status == 200)
    }

    func commit() async throws -> [String: Any] {
        while texts.isEmpty {
            texts = try await socket.chunk().split(separator: "\n\n").filter { $0.contains("event: commit") }
        }
        let lines = texts.removeFirst().split(separator: "\n")
        id = lines.first { $0.hasPrefix("id: ") }.map { String($0.dropFirst(4)) }
        let data = try #require(lines.first { $0.hasPrefix("data: ") }).dropFirst(6)
        return try #require(try JSONSerialization.jsonObject(with: Data(data.utf8)) as? [String: Any])
    }
}

/// Lets everybody do the same.
private struct ScopedAuthenticator: Authenticator {
    var scopes: Scopes

    func authenticate(_ credentials: Credentials) async throws(Status) -> Identity {
        Identity(user: credentials.user, grant: Grant(scopes, from: .open))
    }
}

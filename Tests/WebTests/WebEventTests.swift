import Foundation
import MarqueeCatalogue
import MarqueeDiff
import MarqueeModel
import MarqueePresetRecords
import MarqueeRelay
import MarqueeScreenJSON
import MarqueeScreens
import NIOPosix
import SeededRandom
import Testing

@testable import MarqueeServer
@testable import MarqueeWeb

@Suite("A screen by server-sent events", .timeLimit(.minutes(5)))
struct WebEventTests {
    private func screen(_ world: WebWorld, _ name: String = "home") async throws -> [String: Any] {
        let body = try await world.ask("GET /v1/screens/\(name) HTTP/1.1").body
        return try #require(try JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any])
    }

    /// Reads events until the screen is the server's.
    private func follow(
        _ reader: EventReader, _ followed: inout FollowedJSON, to world: WebWorld, _ name: String = "home"
    ) async throws {
        let current = try await screen(world, name)
        repeat { try followed.take(try await reader.next()) } while followed.sum != current["sum"] as? String
        let sections = try #require(current["sections"] as? [[String: Any]])
        #expect(FollowedJSON.plain(followed.sections) == FollowedJSON.plain(sections))
    }

    private static func popularity(_ movie: String, _ value: Double) throws -> Change {
        try Change(
            document: Array(
                #"{"merge": {"type": "movie", "id": "\#(movie)", "record": {"popularity": \#(value)}}}"#.utf8))
    }

    private static func removal(_ movie: String) throws -> Change {
        try Change(document: Array(#"{"remove": {"type": "movie", "id": "\#(movie)"}}"#.utf8))
    }

    @Test func `Each event leads to the screen that a request gets`() async throws {
        let world = try await WebWorld()
        let reader = try await EventReader(port: world.port)
        #expect(reader.head.status == 200)
        #expect(reader.head.fields["content-type"] == "text/event-stream")
        var followed = FollowedJSON()
        try await follow(reader, &followed, to: world)
        try await world.commit([Self.popularity("27205", 999.5)])
        try await follow(reader, &followed, to: world)
        try await world.commit([.show(list: "chart/boxoffice", edition: "2024-05-02"), Self.popularity("27205", 0.5)])
        try await follow(reader, &followed, to: world)
        try await world.commit([Self.removal("157336")])
        try await follow(reader, &followed, to: world)
        #expect(followed.revision == 4)
        let bound = AnswerBound(loop: MultiThreadedEventLoopGroup.singleton.next(), limit: .seconds(60))
        #expect(try await world.server.figures(within: bound).eventReaders == 1)
        await reader.socket.close()
        await world.stop()
    }

    @Test func `A client that comes back with its last id is sent what has changed`() async throws {
        let world = try await WebWorld()
        var followed = FollowedJSON()
        let first = try await EventReader(port: world.port)
        try await follow(first, &followed, to: world)
        await first.socket.close()
        for value in [900.5, 1.5, 990.5] { try await world.commit([Self.popularity("27205", value)]) }
        let second = try await EventReader(port: world.port, after: followed.id)
        let event = try await second.next()
        #expect(event.name == "update")
        try followed.take(event)
        let current = try await screen(world)
        #expect(followed.sum == current["sum"] as? String)
        #expect(
            FollowedJSON.plain(followed.sections)
                == FollowedJSON.plain(try #require(current["sections"] as? [[String: Any]])))
        // One that has everything is sent the next change first.
        let third = try await EventReader(port: world.port, after: followed.id)
        try await world.commit([Self.popularity("27205", 991.5)])
        #expect(try await third.next().data["revision"] as? Int == 5)
        await second.socket.close()
        await third.socket.close()
        await world.stop()
    }

    @Test(arguments: ["x", "0.1.0.0.", "12.1.0.0.0123456789abcdef0123456789abcdef", "1.2.3"])
    func `With an id that isn't known the whole screen is sent`(id: String) async throws {
        let world = try await WebWorld()
        let reader = try await EventReader(port: world.port, after: id)
        #expect(try await reader.next().name == "screen")
        await reader.socket.close()
        await world.stop()
    }

    @Test func `A section that the server doesn't remember is sent whole, the others as changes`() async throws {
        let world = try await WebWorld()
        var followed = FollowedJSON()
        let first = try await EventReader(port: world.port)
        try await follow(first, &followed, to: world)
        await first.socket.close()
        try await world.commit([Self.popularity("27205", 900.5)])
        var id = try #require(followed.id)
        id.replaceSubrange(id.index(id.endIndex, offsetBy: -16)..., with: "0123456789abcdef")
        let second = try await EventReader(port: world.port, after: id)
        let event = try await second.next()
        #expect(event.name == "update")
        let operations = try #require(event.data["operations"] as? [[String: Any]])
        #expect(operations.filter { $0["op"] as? String == "section-insert" }.count == 1)
        try followed.take(event)
        let current = try #require(try await screen(world)["sections"] as? [[String: Any]])
        #expect(FollowedJSON.plain(followed.sections) == FollowedJSON.plain(current))
        await second.socket.close()
        await world.stop()
    }

    @Test func `A client that has seen more than the server is sent nothing older`() async throws {
        let world = try await WebWorld { configuration in
            configuration.adjustSettings = { $0.catchUpMilliseconds = 1 }
        }
        var followed = FollowedJSON()
        let first = try await EventReader(port: world.port)
        try await follow(first, &followed, to: world)
        await first.socket.close()
        var parts = try #require(followed.id).split(separator: ".").map(String.init)
        parts[1] = "99"
        let early = try await EventReader(port: world.port, after: parts.joined(separator: "."))
        let event = try await early.next()
        #expect(event.name == "problem")
        #expect(event.data["reason"] as? String == "NODE_BEHIND")
        await world.stop()
    }

    @Test func `A client that doesn't read misses states, but not the last one`() async throws {
        let world = try await WebWorld()
        let reader = try await EventReader(port: world.port)
        var followed = FollowedJSON()
        try await follow(reader, &followed, to: world)
        try await reader.socket.set(reads: false)
        // More than the kernel buffers.
        for round in 0..<200 {
            try await world.commit([
                Self.popularity("27205", Double(round % 7) * 200),
                .show(list: "chart/boxoffice", edition: round % 2 == 0 ? "2024-05-02" : "2024-05-01"),
            ])
        }
        let last = 201
        try await reader.socket.set(reads: true)
        var events = 0
        while followed.revision < last {
            try followed.take(try await reader.next())
            events += 1
        }
        #expect(followed.sum == (try await screen(world))["sum"] as? String)
        #expect(events < 200)
        await reader.socket.close()
        await world.stop()
    }

    @Test func `A screen that doesn't exist, and a client that may not see it, are refused before anything is sent`()
        async throws
    {
        let world = try await WebWorld()
        let unknown = try await EventReader(port: world.port, screen: "nowhere")
        #expect(unknown.head.status == 404)
        #expect(unknown.head.reason == "UNKNOWN_SCREEN")
        let old = try await WebSocketBytes(port: world.port)
        try await old.send("GET /v1/screens/home HTTP/1.0\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n")
        #expect(try await old.reply().status == 505)
        await world.stop()
    }

    @Test func `A screen whose record is removed ends with the reason`() async throws {
        let world = try await WebWorld()
        let reader = try await EventReader(port: world.port, screen: "detail/27205")
        #expect(try await reader.next().name == "screen")
        try await world.commit([Self.removal("27205")])
        let event = try await reader.next()
        #expect(event.name == "problem")
        #expect(event.data["status"] as? Int == 404)
        await world.stop()
    }

    @Test func `A page of a site that is named may say which event it had last`() async throws {
        let site = "https://app.example"
        let world = try await WebWorld(WebGate(origins: [WebOrigin(site)].compactMap { $0 }))
        let reply = try await world.ask("OPTIONS /v1/screens/home HTTP/1.1", "Origin: \(site)")
        #expect(reply.status == 204)
        #expect(reply.fields["access-control-allow-headers"]?.contains("Last-Event-ID") == true)
        await world.stop()
    }

    @Test func `When the programme changes, the events go on`() async throws {
        let world = try await WebWorld()
        let reader = try await EventReader(port: world.port)
        var followed = FollowedJSON()
        try await follow(reader, &followed, to: world)
        let programme = PresetCatalogue.programme
        try await world.commit([.programme(programme.replacing("- id: rank", with: "- id: top"))])
        try await follow(reader, &followed, to: world)
        #expect(followed.sections.contains { $0["id"] as? String == "top" })
        try await world.commit([Self.popularity("27205", 999.5)])
        try await follow(reader, &followed, to: world)
        await reader.socket.close()
        await world.stop()
    }

    @Test func `A relay passes events on`() async throws {
        let world = try await WebWorld()
        let relay = try await world.relay()
        let port = relay.summary.door?.port ?? 0
        let reader = try await EventReader(port: port)
        var followed = FollowedJSON()
        try await follow(reader, &followed, to: world)
        try await world.commit([Self.popularity("27205", 999.5)])
        try await follow(reader, &followed, to: world)
        await reader.socket.close()
        await relay.drain(grace: .milliseconds(200))
        await world.stop()
    }

    @Test func `Events end when the server asks its clients to leave, with a pause that differs`() async throws {
        let world = try await WebWorld()
        let reader = try await EventReader(port: world.port)
        _ = try await reader.next()
        async let ended: Void = world.stop()
        let rest = String(decoding: try await reader.socket.rest(), as: UTF8.self)
        #expect(rest.contains("retry: "))
        #expect(rest.hasSuffix("0\r\n\r\n"))
        await ended
    }
}

@Suite("Operations as JSON")
struct ScreenOperationTests {
    private static func state(_ random: inout SeededGenerator) -> FeedState {
        let ids = (0..<6).map { "s\($0)" }.shuffled(using: &random).prefix(random.int(0...5))
        var versions: [String: Version?] = [:]
        for id in ids {
            let items = (0..<12).shuffled(using: &random).prefix(random.int(0...8)).map { number in
                Item(
                    id: "i\(number)", kind: .other, subject: random.chance(90) ? "" : "x/\(number)",
                    body: [UInt8(random.int(0...2))])
            }
            versions[id] = Version(head: [], items: items)
        }
        let list = ids.map { Item(id: $0, kind: .section, subject: "", body: []) }
        return FeedState(
            screen: "home", locale: "en", cut: Cut(), list: Version(head: [], items: list), versions: versions)
    }

    private static func json(_ state: FeedState) throws -> [[String: Any]] {
        let text = WebText.snapshot(state).line()
        let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        return try #require(object?["sections"] as? [[String: Any]])
    }

    @Test func `Whatever a screen was, the operations make it what it is`() throws {
        var random = SeededGenerator(seed: 20_261_128)
        for _ in 0..<400 {
            let (old, new) = (Self.state(&random), Self.state(&random))
            let text = JSONDocument.array(ScreenOperations.between(old, new)).line()
            let object = try JSONSerialization.jsonObject(with: Data(text.utf8))
            var followed = FollowedJSON(sections: try Self.json(old))
            try followed.apply(try #require(object as? [[String: Any]]))
            #expect(FollowedJSON.plain(followed.sections) == FollowedJSON.plain(try Self.json(new)))
            #expect(EventID.screen(EventID.text(old))?.sections == old.sections.compactMap { $0.version?.sum })
        }
    }
}

import Foundation
import MarqueeCatalogue
import MarqueeModel
import MarqueeStore
import MarqueeWire
import Testing

@testable import MarqueeServer
@testable import MarqueeWeb

@Suite("What was seen, over HTTP", .timeLimit(.minutes(5)))
struct WebReportTests {
    private static let programme = """
        screens:
          home:
            title: Home
            sections:
              - {id: a, kind: list, impressions: true, source: {items: [{id: x, text: {text: X}}]}}
              - {id: b, kind: list, taps: true, source: {items: [{id: x, text: {text: X}}]}}
        """

    private func send(_ world: WebWorld, _ body: String) async throws -> WebReply {
        try await WebWorld.ask(
            "POST /v1/seen HTTP/1.1", ["Content-Type: application/json", "Content-Length: \(body.utf8.count)"],
            port: world.port, body: body)
    }

    private func report(
        _ number: Int, in section: String = "a", _ observation: String = #""kind": "seen", "for": 1800"#,
        more: String = ""
    ) -> String {
        #"""
        {"client": "00112233445566778899aabbccddeeff", "number": \#(number), "screen": "home", "section": "\#(section)",
          "observations": [{"item": "x", "place": 1, "at": 1764000000123, "shown": 4, \#(observation)}]\#(more)}
        """#
    }

    private func counted(_ world: WebWorld) throws -> [String] {
        let log = try #require(world.hub.store as? any ObservationLog)
        return try log.observations(after: 0, limit: 99).map { "\($0.section) \($0.observation.kind.name)" }
    }

    @Test func `A report counts once, however often it is sent, and only if the programme asks for it`() async throws {
        let world = try await WebWorld()
        #expect(try await send(world, report(1)).reason == "NOT_ASKED", "it is off by default")
        try await world.commit([.programme(Self.programme)])
        // A refusal is an answer, so its number is used up.
        let first = try await send(world, report(2))
        #expect(first.status == 200 && first.body.contains(#""changed":true"#), "\(first.body)")
        #expect(try await send(world, report(2)).body == first.body)
        #expect(try await send(world, report(3, in: "b")).reason == "NOT_ASKED")
        let action = #""kind": "action", "action": "play""#
        #expect(try await send(world, report(4, in: "b", action, more: #", "answeredThrough": 3"#)).status == 200)
        #expect(try await send(world, report(5, in: "b", #""kind": "tap""#)).status == 200)
        #expect(try counted(world) == ["a seen", "b action", "b tap"])
        let reading = try SchemaReading(try await world.ask("GET /v1/openapi.json HTTP/1.1").body)
        #expect(try reading.accepts(report(2), by: "marquee-report"))
        #expect(try reading.accepts(first.body, by: "marquee-member-change"))
        await world.stop()
    }

    @Test(arguments: [
        (#""kind": "look""#, "'kind' is"), (#""kind": "seen""#, "'for'"), (#""kind": "action""#, "its id"),
        (#""kind": "tap", "for": 5"#, "no 'for'"), (#""kind": "tap", "x": 5"#, "no 'x'"),
        (#""kind": "seen", "for": -5"#, "'for'"),
    ])
    func `A report that can't be read is refused, and says why`(observation: String, why: String) async throws {
        let world = try await WebWorld()
        let reply = try await send(world, report(1, observation))
        #expect(reply.status == 422 && reply.reason == "REPORT_INVALID" && reply.body.contains(why), "\(reply.body)")
        #expect(try counted(world) == [])
        await world.stop()
    }

    @Test func `Only readers of the screen report what they have seen of it`() async throws {
        let world = try await WebWorld(authenticator: StrangerAuthenticator())
        #expect(try await send(world, report(1)).status == 404, "as if there were no such screen")
        await world.stop()
    }
}

/// Lets nobody do anything.
private struct StrangerAuthenticator: Authenticator {
    func authenticate(_ credentials: Credentials) async throws(Status) -> Identity {
        Identity(user: nil, scopes: .nothing)
    }
}

import Foundation
import MarqueeModel
import MarqueeScreens
import MarqueeServer
import Testing

/// Believes that a token is the reader's plan.
private struct PlanAuthenticator: Authenticator {
    func authenticate(_ credentials: Credentials) async throws(Status) -> Identity {
        guard let plan = credentials.token else { return Identity(user: nil, grant: .everything) }
        return Identity(user: nil, grant: Grant(.readOnly, from: .open, claims: Claims(["plan": .text(plan)])))
    }
}

@Suite("Screens that differ by audience, as JSON", .timeLimit(.minutes(5)))
struct WebAudienceTests {
    private static let programme = """
        locales: [en]
        audiences:
          premium: {plan: [plus, family]}
        screens:
          home:
            title: Home
            sections:
              - {id: rank, kind: rank, source: {records: {type: movie, sort: -popularity, limit: 3}}}
              - id: offer
                kind: list
                audience: premium
                sorts: [-popularity, title]
                source: {records: {type: movie, sort: title, limit: 2}}
        """

    private func world() async throws -> WebWorld {
        let world = try await WebWorld(authenticator: PlanAuthenticator())
        try await world.commit([.programme(Self.programme)])
        while try await world.ask("GET /v1/screens HTTP/1.1").body.contains("detail") {}
        return world
    }

    private static func bearer(_ plan: String) -> String { "Authorization: Bearer \(plan)" }

    @Test func `Only readers of its audience are sent a section or its name, and no cache keeps theirs`() async throws {
        let world = try await world()
        let relay = try await world.relay()
        for port in [world.port, relay.summary.door?.port ?? 0] {
            func ask(_ path: String, _ fields: String...) async throws -> WebReply {
                try await WebWorld.ask("GET /v1/screens\(path) HTTP/1.1", fields, port: port)
            }
            let nobody = try await ask("/home")
            #expect(nobody.status == 200 && nobody.fields["cache-control"]?.hasPrefix("public") == true)
            #expect(nobody.fields["vary"]?.contains("Authorization") == true)
            let plus = try await ask("/home", Self.bearer("plus"))
            #expect(plus.status == 200 && plus.fields["cache-control"] == "private, no-cache")
            #expect(plus.body.contains("\"offer\""))
            for reply in [nobody, try await ask("/home", Self.bearer("free")), try await ask("", Self.bearer("free"))] {
                #expect(reply.status == 200 && !reply.body.contains("offer"), "\(reply.body.prefix(200))")
            }
            #expect(try await ask("", Self.bearer("plus")).body.contains("\"offer\""))
            // The tag names what this reader sees.
            let tag = try #require(nobody.fields["etag"])
            #expect(try await ask("/home", Self.bearer("plus"), "If-None-Match: \(tag)").status == 200)
            #expect(try await ask("/home", Self.bearer("free"), "If-None-Match: \(tag)").status == 304)
            #expect(try await ask("/home", Self.bearer("family")).fields["etag"] == plus.fields["etag"])
            for path in ["/home?sort.offer=title", "/home?sort.nonsense=title"] {
                let refused = try await ask(path, Self.bearer("free"))
                #expect(refused.status == 400 && refused.reason == "UNKNOWN_SECTION")
                #expect(refused.body.contains("it has rank\""), "\(refused.body)")
            }
            #expect(try await ask("/home?sort.offer=title", Self.bearer("plus")).status == 200)
        }
        await relay.drain(grace: .milliseconds(200))
        await world.stop()
    }

    @Test
    func `Whoever may publish the programme reads screens as others, by a server and a relay, and nobody else does`()
        async throws
    {
        let world = try await world()
        let relay = try await world.relay()
        for port in [world.port, relay.summary.door?.port ?? 0] {
            func ask(_ query: String, _ fields: String...) async throws -> WebReply {
                try await WebWorld.ask("GET /v1/screens/home?\(query) HTTP/1.1", fields, port: port)
            }
            for query in ["as=plan%3Dplus", "as=audience=premium", "at=2026-12-24T18:00%2B09:00&as=plan=family"] {
                let reply = try await ask(query)
                #expect(reply.status == 200 && reply.body.contains("\"offer\""), "\(query): \(reply.body.prefix(300))")
            }
            #expect(try await ask("as=plan=free").body.contains("\"offer\"") == false)
            for query in ["as=plan=plus", "at=2026-12-24T18:00:00Z"] {
                let refused = try await ask(query, Self.bearer("free"))
                #expect(refused.status == 403 && refused.reason == "SCOPE_TOO_SMALL", "\(refused.body)")
            }
            let unknown = try await ask("as=audience=premum")
            #expect(unknown.status == 400 && unknown.reason == "READER_INVALID")
            #expect(unknown.body.contains("did you mean 'premium'?"))
            #expect(try await ask("at=tomorrow").status == 400)
            let followed = try await ask("as=plan=plus", "Accept: text/event-stream")
            #expect(followed.body.contains("READER_INVALID"), "\(followed.body)")
        }
        await relay.drain(grace: .milliseconds(200))
        await world.stop()
    }

    @Test func `Events show what their reader sees`() async throws {
        let world = try await world()
        for (plan, sections) in [("plus", ["rank", "offer"]), ("free", ["rank"])] {
            let reader = try await EventReader(port: world.port, fields: [Self.bearer(plan)])
            let screen = try await reader.next().data["sections"] as? [[String: Any]]
            #expect(screen?.compactMap { $0["id"] as? String } == sections)
            await reader.socket.close()
        }
        await world.stop()
    }
}

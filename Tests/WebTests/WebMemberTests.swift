import Foundation
import MarqueeServer
import Testing

@testable import MarqueeWeb

@Suite("Collections over HTTP", .timeLimit(.minutes(5)))
struct WebMemberTests {
    private static let client = "00112233445566778899aabbccddeeff"

    private func send(
        _ world: WebWorld, _ body: String, collection: String = "favorites", user: String? = "ana"
    ) async throws -> WebReply {
        var fields = ["Content-Type: application/json", "Content-Length: \(body.utf8.count)"]
        if let user { fields.append("Marquee-User: \(user)") }
        return try await WebWorld.ask(
            "POST /v1/collections/\(collection) HTTP/1.1", fields, port: world.port, body: body)
    }

    private func body(_ number: Int, _ subject: String = "movie/27205", member: Bool = true, more: String = "")
        -> String
    {
        #"{"client": "\#(Self.client)", "number": \#(number), "subject": "\#(subject)", "member": \#(member)\#(more)}"#
    }

    @Test func `A change takes effect once, however often it is sent`() async throws {
        let world = try await WebWorld()
        let first = try await send(world, body(1))
        #expect(first.status == 200)
        #expect(first.body.contains(#""changed":true"#))
        #expect(try await send(world, body(2, member: false)).body.contains(#""changed":true"#))
        // The first one again doesn't set it again.
        #expect(try await send(world, body(1)).body == first.body)
        #expect(try await send(world, body(3, member: false)).body.contains(#""changed":false"#))
        // Another user's changes have numbers of their own.
        #expect(try await send(world, body(1), user: "bo").body.contains(#""changed":true"#))
        let screen = try await world.ask("GET /v1/screens/favorites HTTP/1.1", "Marquee-User: bo")
        #expect(screen.body.contains("movie/27205"))
        await world.stop()
    }

    @Test func `It is refused as on the protocol's port`() async throws {
        let world = try await WebWorld()
        #expect(try await send(world, body(1), user: nil).reason == "USER_REQUIRED")
        #expect(try await send(world, body(0)).reason == "NUMBER_INVALID")
        #expect(try await send(world, body(1, "movie")).reason == "SUBJECT_INVALID")
        #expect(try await send(world, body(1), collection: "favourites").reason == "COLLECTION_UNKNOWN")
        #expect(try await send(world, body(1, more: #", "value": 8"#)).reason == "VALUE_INVALID")
        await world.stop()
        let closed = try await WebWorld(authenticator: ReaderAuthenticator())
        #expect(try await send(closed, body(1)).status == 403)
        await closed.stop()
    }

    @Test(arguments: [
        "[]", "{}", #"{"client": "0011", "number": 1, "subject": "movie/1", "member": true}"#,
        #"{"client": "00112233445566778899aabbccddeeff", "number": "1", "subject": "movie/1", "member": true}"#,
        #"{"client": "00112233445566778899aabbccddeeff", "number": 1, "subject": "movie/1", "member": 1}"#,
        #"{"client": "00112233445566778899aabbccddeeff", "number": 1, "subject": "movie/1", "member": true, "x": 1}"#,
        #"{"client": "00112233445566778899aabbccddeeff", "number": 1, "subject": "movie/1", "member": true, "answeredThrough": 1}"#,
    ])
    func `A body that isn't a change is refused`(body: String) async throws {
        let world = try await WebWorld()
        #expect(try await send(world, body).reason == "MEMBER_INVALID")
        await world.stop()
    }
}

import Crypto
import Foundation
import MarqueeModel
import MarqueeServer
import MarqueeTypes
import NIOHTTP1
import Testing

@testable import MarqueeWeb

@Suite("Deliveries of other programs", .timeLimit(.minutes(5)))
struct WebHookTests {
    private static let secret = Array("a secret of enough bytes".utf8)

    private static func file(_ yaml: String) throws(FileMistakes) -> HookFile {
        try HookFile(yaml: yaml, file: "hooks.yaml") { name in
            guard name == "shop.secret" else { throw CocoaError(.fileNoSuchFile) }
            return secret
        }
    }

    private static let shop = """
        hooks:
          shop:
            signature: {header: X-Signature, prefix: sha256=, secret: shop.secret}
            changes:
              - when: {X-Topic: [movies/create, movies/update]}
                merge: {type: movie, id: $id, record: {title: {en: $name}, popularity: $stats.0.score, overview: "from ${id}$$"}}
              - when: {X-Topic: movies/delete, $really: "true"}
                remove: {type: movie, id: "${id}"}
              - when: {X-Topic: movies/batch}
                each: $movies
                merge: {type: movie, id: $id, record: {popularity: $score}}
          open:
            changes:
              - merge: {type: movie, id: $id, record: {popularity: $score}}
        """

    private static func sign(_ text: String) -> String {
        let code = HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: SymmetricKey(data: secret))
        return code.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    private func send(_ world: WebWorld, _ body: String, _ fields: String..., hook: String = "shop") async throws
        -> WebReply
    {
        try await WebWorld.ask(
            "POST /v1/hooks/\(hook) HTTP/1.1",
            ["Content-Type: application/json", "Content-Length: \(body.utf8.count)"] + fields, port: world.port,
            body: body)
    }

    private func revision(_ reply: WebReply) throws -> Int? {
        let object = try JSONSerialization.jsonObject(with: Data(reply.body.utf8)) as? [String: Any]
        return object?["revision"] as? Int
    }

    @Test func `A signed delivery becomes the changes that the operator has defined, once`() async throws {
        let world = try await WebWorld(hooks: Self.file(Self.shop))
        let body = #"{"id": 27205, "name": "Inception", "stats": [{"score": 7.5}]}"#
        let signature = "X-Signature: sha256=\(Self.sign(body))"
        let reply = try await send(world, body, signature, "X-Topic: movies/update")
        #expect(reply.status == 200, "\(reply.body)")
        #expect(try revision(reply) == 2)
        // A delivery that is sent again does nothing.
        #expect(try revision(try await send(world, body, signature, "X-Topic: movies/update")) == 2)
        #expect(world.hub.revision == 2)
        let batch = #"{"movies": [{"id": 27205, "score": 1}, {"id": "157336", "score": 2}]}"#
        let several = try await send(
            world, batch, "X-Signature: sha256=\(Self.sign(batch))", "X-Topic: movies/batch")
        #expect(several.body.contains(#""changes":2"#))
        let removal = #"{"id": 27205, "really": true}"#
        #expect(
            try revision(
                try await send(world, removal, "X-Signature: sha256=\(Self.sign(removal))", "X-Topic: movies/delete"))
                == 4)
        await world.stop()
    }

    @Test func `A delivery that means nothing here is taken, and changes nothing`() async throws {
        let world = try await WebWorld(hooks: Self.file(Self.shop))
        let body = #"{"id": 1, "really": false}"#
        for topic in ["orders/create", "movies/delete"] {
            let reply = try await send(world, body, "X-Signature: sha256=\(Self.sign(body))", "X-Topic: \(topic)")
            #expect(reply.status == 200)
            #expect(reply.body.contains(#""changes":0"#))
        }
        #expect(world.hub.revision == 1)
        await world.stop()
    }

    @Test func `Without the right signature of this very body nothing is done`() async throws {
        let world = try await WebWorld(hooks: Self.file(Self.shop))
        let body = #"{"id": 27205, "name": "x", "stats": [{"score": 7.5}]}"#
        let right = Self.sign(body)
        let malformed = "SIGNATURE_MALFORMED"
        for (wrong, reason) in [
            ([], malformed), (["X-Signature: \(right)"], malformed),
            (["X-Signature: sha256=\(right.dropLast(2))"], "SIGNATURE_INVALID"),
            (["X-Signature: sha256=\(Self.sign(body + " "))"], "SIGNATURE_INVALID"),
            (["X-Signature: sha256=", "X-Signature: sha256=\(right)"], malformed),
            (["X-Signature: sha256=\(right)", "X-Signature: sha256=\(right)"], malformed),
            (["X-Signature: sha256=zz\(right.dropFirst(2))"], malformed),
            (["X-Signature: sha256=+1\(right.dropFirst(2))"], malformed),
        ] {
            let reply = try await WebWorld.ask(
                "POST /v1/hooks/shop HTTP/1.1",
                ["Content-Type: application/json", "Content-Length: \(body.utf8.count)", "X-Topic: movies/update"]
                    + wrong,
                port: world.port, body: body)
            #expect(reply.status == 401)
            #expect(reply.reason == reason, "\(wrong)")
            #expect(reply.fields["www-authenticate"] == "Marquee-Signature")
        }
        #expect(try await send(world, body, hook: "other").reason == "UNKNOWN_HOOK")
        #expect(world.hub.revision == 1)
        await world.stop()
    }

    @Test func `Every refusal with 401 names an authentication scheme`() {
        let status = Status(.unauthenticated, reason: "TOKEN_MISSING", remedy: .fatal, message: "")
        for problem in [
            .authorizationInvalid, .signatureInvalid("S"), .signatureOld(300), WebProblem(status),
            WebProblem(publishing: status),
        ] as [WebProblem] {
            #expect(problem.status == 401)
            #expect(WebAnswer(problem).fields.contains(name: "WWW-Authenticate"), "\(problem.reason)")
        }
    }

    @Test func `A full disk is told apart from too many requests`() {
        let status = Status(.resourceExhausted, reason: "DISK_FULL", remedy: .retrySame, message: "")
        #expect(WebProblem(publishing: status).status == 507)
        let quota = Status(.resourceExhausted, reason: "QUOTA", remedy: .retrySame, message: "")
        #expect(WebProblem(publishing: quota).status == 429)
    }

    @Test func `A hook without a signature is for those who may publish`() async throws {
        let open = try await WebWorld(hooks: Self.file(Self.shop))
        let body = #"{"id": "27205", "score": 3}"#
        #expect(try await send(open, body, hook: "open").status == 200)
        await open.stop()
        let closed = try await WebWorld(hooks: Self.file(Self.shop), authenticator: ReaderAuthenticator())
        #expect(try await send(closed, body, hook: "open").reason == "PUBLISH_DENIED")
        await closed.stop()
    }

    @Test func `Mistakes in the changes of a delivery are named`() async throws {
        let world = try await WebWorld(hooks: Self.file(Self.shop))
        let body = #"{"id": 27205, "name": 7, "stats": [{"score": "high"}]}"#
        let reply = try await send(world, body, "X-Signature: sha256=\(Self.sign(body))", "X-Topic: movies/update")
        #expect(reply.status == 422)
        #expect(reply.body.contains("movie.popularity"))
        #expect(world.hub.revision == 1)
        await world.stop()
    }

    @Test(arguments: [
        ("time: X-Time, secret: shop.secret", "{time}.{body}"),
        ("time: X-Time, within: 10, signed: 'v0:{time}:{body}', secret: shop.secret", "v0:{time}:{body}"),
        ("time: X-Time, encoding: base64, signed: '{body}{time}', secret: shop.secret", "{body}{time}"),
    ])
    func `A signed time has to be near`(options: String, signed: String) throws {
        let hooks = try Self.file(
            "hooks: {h: {signature: {header: S, \(options)}, changes: [{remove: {type: movie, id: $id}}]}}")
        let signature = try #require(hooks.hooks["h"]?.signature)
        func headers(_ time: String) -> HTTPHeaders {
            let text = signed.replacing("{time}", with: time).replacing("{body}", with: "{}")
            let code = HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: SymmetricKey(data: Self.secret))
            return [
                "S": options.contains("base64") ? Data(code).base64EncodedString() : Self.sign(text), "X-Time": time,
            ]
        }
        let body = Array("{}".utf8)
        let within: Int64 = options.contains("within") ? 10 : 300
        for (time, isRight) in [(1_000_000, true), (1_000_000 - within, true), (1_000_001 + within, false), (0, false)]
        {
            let passes = (try? signature.check(headers("\(time)"), body, now: 1_000_000)) != nil
            #expect(passes == isRight)
        }
        for time in ["\(Int64.min)", "\(Int64.max)", "", "x", "9223372036854775808"] {
            #expect(throws: WebProblem.self) { try signature.check(headers(time), body, now: 1_000_000) }
        }
        var moved = headers("1000000")
        moved.replaceOrAdd(name: "X-Time", value: "1000001")
        #expect(throws: WebProblem.self) { try signature.check(moved, body, now: 1_000_000) }
    }

    @Test(arguments: [
        ("hooks: {h: {changes: [{put: {id: $a..b}}]}}", "isn't one"),
        ("hooks: {h: {changes: [{putt: {id: $a}}]}}", "did you mean 'put'"),
        ("hooks: {h: {changes: [{types: {id: $a}}]}}", "no key 'types'"),
        ("hooks: {h: {changes: []}}", "at least one change"),
        ("hooks: {h: {changes: [{each: movies, put: {id: $a}}]}}", "isn't a path"),
        ("hooks: {h: {changes: [{put: {id: \"${a\"}}]}}", "isn't one"),
        ("hooks: {h: {signature: {header: S, secret: nowhere}, changes: [{put: {id: $a}}]}}", "can't be read"),
        ("hooks: {h: {signature: {header: S}, changes: [{put: {id: $a}}]}}", "needs 'secret'"),
        (
            "hooks: {h: {signature: {header: S, secret: shop.secret, within: 5}, changes: [{put: {id: $a}}]}}",
            "needs 'time'"
        ),
        (
            "hooks: {h: {signature: {header: S, secret: shop.secret, time: T, signed: '{body}'}, changes: [{put: {}}]}}",
            "proves nothing"
        ),
        (
            "hooks: {h: {signature: {header: S, secret: shop.secret, encoding: rot13}, changes: [{put: {}}]}}",
            "hex or base64"
        ),
        ("hook: {}", "did you mean 'hooks'"),
    ])
    func `A mistake in the file is named`(yaml: String, text: String) throws {
        let error = #expect(throws: FileMistakes.self) { try Self.file(yaml) }
        #expect(
            error?.mistakes.contains { $0.description.contains(text) } == true,
            "\(error?.mistakes.map(\.description) ?? [])")
    }

    @Test func `A value that isn't there is left out, and quoted text stays text`() throws {
        let hooks = try Self.file(
            """
            hooks: {h: {changes: [{put: {a: $x, b: [$x, $y], c: "7", d: 7, e: "p-${x}", f: "${y}-${z.0}", g: $, h: true}}]}}
            """)
        let delivery = try JSONValue(
            parsing: Array(#"{"y": null, "y": 2, "z": [false]}"#.replacing(#""y": null, "#, with: "").utf8))
        let documents = try #require(try hooks.hooks["h"]?.changes([:], delivery))
        #expect(
            String(decoding: documents[0], as: UTF8.self)
                == #"{"put":{"b":[2],"c":"7","d":7,"f":"2-false","g":{"y":2,"z":[false]},"h":true}}"#)
    }
}

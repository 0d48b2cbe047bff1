import Foundation
import MarqueeModel
import MarqueeServer
import MarqueeWeb
import Testing

@Suite("Publishing over HTTP", .timeLimit(.minutes(5)))
struct WebPublishTests {
    private static let lines = "application/x-ndjson"
    private static let json = "application/json"

    private func merge(_ id: Int, _ fields: String) -> String {
        #"{"merge": {"type": "movie", "id": "\#(id)", "record": {\#(fields)}}}"#
    }

    private func send(
        _ world: WebWorld, _ type: String?, _ body: [UInt8], _ fields: String..., line: String = "POST /v1/publish"
    ) async throws -> WebReply {
        let socket = try await WebSocketBytes(port: world.port)
        var head = ["\(line) HTTP/1.1", "Host: localhost", "Content-Length: \(body.count)"] + fields
        if let type { head.append("Content-Type: \(type)") }
        try await socket.send(Array((head.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body)
        return try await socket.reply()
    }

    private func document(_ reply: WebReply) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(reply.body.utf8)) as? [String: Any])
    }

    private func mistakes(_ reply: WebReply) throws -> [[String: Any]] {
        try #require(try document(reply)["mistakes"] as? [[String: Any]])
    }

    @Test func `Lines and lists are one commit each`() async throws {
        let world = try await WebWorld()
        let bodies = [
            (Self.lines, merge(27205, #""popularity": 1.5"#) + "\n\n" + merge(157336, #""popularity": 2.5"#)),
            (Self.json, "[" + merge(27205, #""popularity": 3.5"#) + "," + merge(157336, #""popularity": 4.5"#) + "]"),
            (Self.json, merge(27205, #""popularity": 5.5"#)),
        ]
        for (index, (type, body)) in bodies.enumerated() {
            let reply = try await send(world, type, Array(body.utf8))
            #expect(reply.status == 200)
            #expect(try document(reply)["revision"] as? Int == 2 + index)
            #expect(try document(reply)["changed"] as? Bool == true)
        }
        await world.stop()
    }

    @Test func `With the same key a commit is made once`() async throws {
        let world = try await WebWorld()
        let body = Array(merge(27205, #""popularity": 1.5"#).utf8)
        let first = try await send(world, Self.json, body, "Idempotency-Key: night-1")
        let second = try await send(world, Self.json, body, "Idempotency-Key: night-1")
        #expect(first.status == 200)
        #expect(second.status == 200)
        #expect(try document(second)["revision"] as? Int == document(first)["revision"] as? Int)
        let other = try await send(
            world, Self.json, Array(merge(27205, #""popularity": 2.5"#).utf8), "Idempotency-Key: night-2")
        #expect(try document(other)["revision"] as? Int == 3)
        #expect(try await send(world, Self.json, body, "Idempotency-Key: a b").reason == "KEY_INVALID")
        // Another spelling of the same change is the same; another change isn't.
        let spelt = Array(#"{"merge":{"record":{"popularity":1.5},"id":"27205","type":"movie"}}"#.utf8)
        #expect(try await send(world, Self.json, spelt, "Idempotency-Key: night-1").status == 200)
        let reused = try await send(
            world, Self.json, Array(merge(27205, #""popularity": 9.5"#).utf8), "Idempotency-Key: night-1")
        #expect(reused.status == 409)
        #expect(reused.reason == "KEY_REUSED")
        #expect(world.hub.revision == 3)
        await world.stop()
    }

    @Test func `A publication is undone by another, unless something newer changed the same`() async throws {
        let world = try await WebWorld()
        func send(_ body: String, _ query: String = "") async throws -> WebReply {
            try await self.send(world, Self.json, Array(body.utf8), line: "POST /v1/publish\(query)")
        }
        let record = "GET /v1/records/movie/27205 HTTP/1.1"
        let before = try await world.ask(record).body
        #expect(try document(try await send(merge(27205, #""popularity": 1.5"#)))["revision"] as? Int == 2)
        let undo = #"{"undo": {"revision": 2}}"#
        #expect(try await send(undo, "?dry-run").status == 200)
        let reply = try await send(undo)
        #expect(reply.status == 200)
        #expect(try document(reply)["revision"] as? Int == 3)
        while try await world.ask(record).body != before {}
        for query in ["", "?dry-run"] {
            let again = try await send(undo, query)
            #expect(again.status == 422, "\(again.body)")
            #expect(again.body.contains("changed again: movie/27205 in revision 3"), "\(again.body)")
        }
        let beside = "[\(undo), \(merge(27205, #""popularity": 2.5"#))]"
        #expect(try await send(beside).body.contains("a publication of its own"))
        await world.stop()
    }

    @Test func `A draft is filled, looked at, published and dropped by publications`() async throws {
        let world = try await WebWorld()
        func send(_ body: String, _ query: String = "") async throws -> WebReply {
            try await self.send(world, Self.json, Array(body.utf8), line: "POST /v1/publish\(query)")
        }
        let change = merge(27205, #""popularity": 1.5"#)
        let spring = #"[{"draft": "spring"}, \#(change)]"#
        #expect(try await send(spring, "?dry-run").status == 200)
        #expect(try await world.ask("GET /v1/drafts HTTP/1.1").body == #"{"drafts":[],"type":"drafts"}"# + "\n")
        let wrong = try await send(#"[{"draft": "spring"}, \#(merge(27205, #""popularty": 1"#))]"#)
        #expect(wrong.status == 422)
        #expect(try mistakes(wrong).map { $0["change"] as? Int } == [2], "\(wrong.body)")
        #expect(try document(try await send(spring))["revision"] as? Int == 1)
        let listed = try await world.ask("GET /v1/drafts HTTP/1.1")
        #expect(listed.body.contains(#""draft":"spring","publications":1,"changes":1,"#), "\(listed.body)")
        let differences = try document(try await world.ask("GET /v1/drafts/spring HTTP/1.1"))["differences"]
        let first = try #require((differences as? [[String: Any]])?.first)
        #expect(first["name"] as? String == "movie/27205")
        #expect((first["after"] as? [String: Any])?["popularity"] as? Double == 1.5)
        let seen = try await world.ask("GET /v1/screens/home?draft=spring HTTP/1.1")
        let plain = try await world.ask("GET /v1/screens/home HTTP/1.1")
        #expect(seen.status == 200 && seen.body != plain.body)
        #expect(seen.fields["cache-control"] == "private, no-cache")
        #expect(try await world.ask("GET /v1/screens/home?draft=x HTTP/1.1").reason == "DRAFT_UNKNOWN")
        #expect(try await world.ask("GET /v1/drafts/x HTTP/1.1").status == 404)
        #expect(try document(try await send(change))["revision"] as? Int == 2)
        let refused = try await send(#"{"draft": {"publish": "spring"}}"#)
        #expect(refused.status == 422 && refused.body.contains("since: movie/27205"), "\(refused.body)")
        let done = try await send(#"{"draft": {"publish": "spring", "despiteConflicts": true}}"#)
        #expect(try document(done)["changed"] as? Bool == false, "it is so already: \(done.body)")
        #expect(try await send(spring).status == 200)
        #expect(try await send(#"{"draft": {"drop": "spring"}}"#).status == 200)
        #expect(try await send(#"{"draft": {"drop": "spring"}}"#).body.contains("there is no draft 'spring'"))
        await world.stop()
    }

    @Test func `Every mistake is named, by its line and its field, and nothing is changed`() async throws {
        let world = try await WebWorld()
        let body = [
            merge(27205, #""popularty": 1.5"#), merge(27205, #""popularity": 1.5"#), merge(27205, #""runtime": "x""#),
            #"{"put": {"type": "moive", "id": "1", "record": {}}}"#, "nonsense", "",
        ].joined(separator: "\n")
        for line in ["POST /v1/publish", "POST /v1/publish?dry-run"] {
            let reply = try await send(world, Self.lines, Array(body.utf8), line: line)
            #expect(reply.status == 422)
            #expect(reply.reason == "PUBLICATION_INVALID")
            let mistakes = try mistakes(reply)
            #expect(mistakes.map { $0["line"] as? Int } == [1, 3, 4, 5])
            #expect((mistakes[0]["detail"] as? String)?.contains("did you mean 'popularity'") == true)
            #expect((mistakes[1]["path"] as? String)?.contains("runtime") == true)
            #expect((mistakes[2]["detail"] as? String)?.contains("did you mean 'movie'") == true)
        }
        #expect(world.hub.revision == 1)
        await world.stop()
    }

    @Test(arguments: ["", "?dry-run"])
    func `All mistakes of a change's form are named, and each mistake has a path`(query: String) async throws {
        let world = try await WebWorld()
        let body = [
            #"{"merge": {"typ": "movie", "id": 5, "record": {}, "clear": ["a", 1], "creat": true}}"#,
            #"{"put": {"type": "movie", "id": "", "record": {}}}"#, #"{"remove": {"type": "moive", "id": "1"}}"#,
            #"{"pagge": {}}"#, "nonsense", #"{"choose": {"pool": "main"}}"#,
        ].joined(separator: "\n")
        let reply = try await send(world, Self.lines, Array(body.utf8), line: "POST /v1/publish\(query)")
        #expect(reply.status == 422)
        let all = try mistakes(reply)
        #expect(all.map { $0["line"] as? Int } == [1, 1, 1, 1, 2, 3, 4, 5, 6])
        #expect(
            all.map { $0["path"] as? String } == [
                "merge", "merge.id", "merge.clear[1]", "merge", "put", "type", "", "", "choose",
            ])
        let details = all.map { $0["detail"] as? String ?? "" }
        #expect(details.first == "the field 'type' is missing; is 'typ' a misspelling of it?")
        #expect(details[3] == "there is no field 'creat' here; did you mean 'create'?")
        await world.stop()
    }

    @Test func `A change that the catalogue refuses is a mistake with its line and its path`() async throws {
        let world = try await WebWorld()
        let absent = #"{"merge": {"type": "movie", "id": "1", "record": {"popularity": 1}, "create": false}}"#
        let body = merge(27205, #""popularity": 1.5"#) + "\n\n" + absent
        let reply = try await send(world, Self.lines, Array(body.utf8))
        #expect(reply.status == 422)
        let mistake = try #require(try mistakes(reply).first)
        #expect(mistake["change"] as? Int == 2)
        #expect(mistake["line"] as? Int == 3)
        #expect(mistake["path"] as? String == "merge")
        #expect(mistake["detail"] as? String == "there is no movie/1, and this change doesn't create it")
        let inside = try await send(
            world, "application/merge-patch+json", Array(#"{"certification": {"label": null}}"#.utf8),
            line: "PATCH /v1/records/movie/27205")
        #expect(try mistakes(inside).first?["path"] as? String == "movie.certification.label")
        #expect(world.hub.revision == 1)
        await world.stop()
    }

    @Test(arguments: ["", "?dry-run"])
    func `All mistakes of a record are named, its date and its id among them`(query: String) async throws {
        let world = try await WebWorld()
        let put = #"""
            {"put": {"type": "movie", "id": "27205",
              "record": {"id": 27206, "release_date": "2010-07", "runtime": "long", "popularty": 1}}}
            """#
        func mistakes(of body: String) async throws -> [[String: Any]] {
            let reply = try await send(world, Self.json, Array(body.utf8), line: "POST /v1/publish\(query)")
            #expect(reply.status == 422)
            return try self.mistakes(reply)
        }
        let all = try await mistakes(of: put)
        #expect(
            all.map { $0["path"] as? String } == [
                "movie.popularty", "movie.runtime", "movie.release_date", "movie.id",
            ])
        #expect(all.allSatisfy { $0["reason"] as? String == "RECORD_INVALID" && $0["change"] as? Int == 1 })
        #expect((all.first?["detail"] as? String)?.contains("did you mean 'popularity'") == true)
        // Each of them alone is found as well.
        let date = try await mistakes(of: merge(27205, #""release_date": "2010-07""#))
        #expect(date.map { $0["path"] as? String } == ["movie.release_date"])
        let id = try await mistakes(of: merge(27205, #""id": 27206"#))
        #expect(id.map { $0["path"] as? String } == ["movie.id"])
        #expect(world.hub.revision == 1)
        await world.stop()
    }

    @Test(arguments: ["", "?dry-run"])
    func `A type or list that isn't declared is a mistake, and having nothing to remove isn't`(
        query: String
    ) async throws {
        let world = try await WebWorld()
        for (body, path, words) in [
            (#"{"remove": {"type": "moive", "id": "27205"}}"#, "type", "no type 'moive'; did you mean 'movie'?"),
            (#"{"choose": {"pool": "main", "record": "moive/1"}}"#, "record", "no type 'moive'; did you mean 'movie'?"),
            (#"{"removeList": {"list": "shef/home"}}"#, "list", "no list 'shef'; did you mean 'shelf'?"),
            (#"{"listItem": {"list": "shef/home", "remove": "a"}}"#, "list", "no list 'shef'; did you mean 'shelf'?"),
        ] {
            let reply = try await send(world, Self.json, Array(body.utf8), line: "POST /v1/publish\(query)")
            #expect(reply.status == 422, "\(body)")
            let mistakes = try mistakes(reply)
            #expect(mistakes.map { $0["path"] as? String } == [path])
            #expect(mistakes.map { $0["reason"] as? String } == ["RECORD_INVALID"])
            #expect((mistakes.first?["detail"] as? String)?.contains(words) == true, "\(mistakes)")
        }
        let nothing = [
            #"{"remove": {"type": "movie", "id": "999999999"}}"#, #"{"removeList": {"list": "shelf/none"}}"#,
            #"{"listItem": {"list": "shelf/none", "remove": "a"}}"#,
        ]
        let reply = try await send(
            world, Self.lines, Array(nothing.joined(separator: "\n").utf8), line: "POST /v1/publish\(query)")
        #expect(reply.status == 200)
        #expect(try document(reply)["changed"] as? Bool == (query.isEmpty ? false : nil))
        #expect(try await send(world, nil, [], line: "DELETE /v1/records/moive/1").status == 422)
        #expect(try await send(world, nil, [], line: "DELETE /v1/records/movie/999999999").status == 200)
        #expect(world.hub.revision == 1)
        await world.stop()
    }

    @Test(arguments: ["", "?dry-run"])
    func `Too many changes are too large, and nobody is asked to send them again`(query: String) async throws {
        let world = try await WebWorld()
        let line = #"{"remove":{"type":"movie","id":"1"}}"# + "\n"
        let reply = try await send(
            world, Self.lines, Array(String(repeating: line, count: 65_537).utf8), line: "POST /v1/publish\(query)")
        #expect(reply.status == 413)
        #expect(reply.reason == "PUBLICATION_TOO_LARGE")
        #expect(reply.fields["retry-after"] == nil)
        let long = merge(27205, #""overview": "\#(String(repeating: "a", count: 50_000))""#) + "\n"
        let bytes = Array(String(repeating: long, count: 170).utf8)
        #expect(try await send(world, Self.lines, bytes, line: "POST /v1/publish\(query)").reason == reply.reason)
        await world.stop()
    }

    @Test func `A dry run changes nothing`() async throws {
        let world = try await WebWorld()
        let reply = try await send(
            world, Self.json, Array(merge(27205, #""popularity": 1.5"#).utf8), line: "POST /v1/publish?dry-run")
        #expect(reply.status == 200)
        #expect(try document(reply)["dryRun"] as? Bool == true)
        #expect(world.hub.revision == 1)
        await world.stop()
    }

    @Test func `A dry run shows the operations on a screen, and what they cost, before anything is changed`()
        async throws
    {
        let world = try await WebWorld()
        func preview(_ body: String, _ target: String = "/v1/publish?dry-run&preview=home") async throws -> [String:
            Any]
        {
            let reply = try await send(world, Self.json, Array(body.utf8), line: "POST \(target)")
            #expect(reply.status == 200)
            return try #require(try document(reply)["preview"] as? [String: Any])
        }
        let title = merge(27205, #""title": {"en": "Preview"}"#)
        let one = try await preview(title)
        let operations = try #require(one["operations"] as? [[String: Any]])
        #expect(!operations.isEmpty)
        let items = operations.filter { $0["op"] as? String == "update" }
        #expect(!items.isEmpty)
        #expect(
            items.allSatisfy { ($0["item"] as? [String: Any])?["subject"] as? String == "movie/27205" }, "\(operations)"
        )
        let bytes = try #require(one["bytes"] as? Int)
        #expect((1...2_048).contains(bytes))
        #expect(world.hub.revision == 1)

        // The same operations come with the commit.
        let reader = try await EventReader(port: world.port)
        _ = try await reader.next()
        _ = try await send(world, Self.json, Array(title.utf8))
        let committed = try #require(try await reader.next().data["operations"] as? [[String: Any]])
        #expect(committed as NSArray == operations as NSArray)
        await reader.socket.close()

        let nothing = try await preview(title)
        #expect(nothing["bytes"] as? Int == 0)
        #expect((nothing["operations"] as? [Any])?.isEmpty == true)
        let korean = try await preview(title, "/v1/publish?dry-run&preview=home&locale=ko")
        #expect(korean["locale"] as? String == "ko")
        for (target, reason) in [
            ("?preview=home", "PARAMETER_INVALID"), ("?dry-run&locale=ko", "PARAMETER_INVALID"),
            ("?dry-run&preview=hme", "UNKNOWN_SCREEN"),
        ] {
            let reply = try await send(world, Self.json, Array(title.utf8), line: "POST /v1/publish\(target)")
            #expect(reply.reason == reason)
        }
        await world.stop()
    }

    @Test func `One record is put, changed and removed at its own path`() async throws {
        let world = try await WebWorld()
        func ask(_ method: String, _ body: String, _ id: String = "27205") async throws -> WebReply {
            try await send(
                world, body.isEmpty ? nil : Self.json, Array(body.utf8), line: "\(method) /v1/records/movie/\(id)")
        }
        #expect(try await ask("PATCH", #"{"popularity": 7.5}"#).status == 200)
        #expect(try await ask("PATCH", #"{"popularty": 7.5}"#).status == 422)
        #expect(try await ask("PATCH", #"{"popularity": 7.5}"#, "999999999").status == 422)
        #expect(try await ask("DELETE", "").status == 200)
        #expect(try await world.ask("GET /v1/screens/detail/27205 HTTP/1.1").status == 404)
        // A value spliced into a change keeps its type.
        #expect(try await ask("PUT", #"{}, "id": "1"}}, {"remove": {"type": "movie""#).reason == "NOT_JSON")
        #expect(try await ask("GET", "").reason == "UNKNOWN_RECORD")
        await world.stop()
    }

    @Test func `A merge patch removes the fields that are null in it, and plain JSON none`() async throws {
        let world = try await WebWorld()
        func patch(_ body: String, _ type: String) async throws -> WebReply {
            try await send(world, type, Array(body.utf8), line: "PATCH /v1/records/movie/27205")
        }
        func record() async throws -> [String: Any] {
            try document(try await world.ask("GET /v1/records/movie/27205 HTTP/1.1"))
        }
        let merge = "application/merge-patch+json"
        #expect(try await record()["tagline"] != nil)
        #expect(try document(try await patch(#"{"tagline": null}"#, Self.json))["changed"] as? Bool == false)
        #expect(try document(try await patch(#"{"tagline": null, "runtime": 7}"#, merge))["changed"] as? Bool == true)
        let after = try await record()
        #expect(after["tagline"] == nil)
        #expect("\(after["runtime"] ?? "")" == "7")
        #expect(try await patch(#"{"tagliné": null}"#, merge).status == 422)
        let inside = try await patch(#"{"taglines": {"ko": null}}"#, merge)
        #expect(inside.status == 422)
        #expect(inside.body.contains("'clear'"))
        await world.stop()
    }

    @Test(arguments: [json, lines])
    func `A byte order mark before a body isn't part of it, and a blank body is empty`(type: String) async throws {
        let world = try await WebWorld()
        let body = [0xEF, 0xBB, 0xBF] + Array(merge(27205, #""popularity": 1.5"#).utf8)
        #expect(try await send(world, type, body).status == 200)
        for blank in ["", " \n"] { #expect(try await send(world, type, Array(blank.utf8)).reason == "BODY_EMPTY") }
        #expect(try await send(world, type, body, "Content-Type: text/plain").status == 415)
        await world.stop()
    }

    @Test func `A packed body is unpacked up to the bound of a plain one`() async throws {
        let world = try await WebWorld()
        let reply = try await send(world, Self.json, Self.packed, "Content-Encoding: gzip")
        #expect(reply.status == 200)
        // A second member is JSON after JSON.
        let twice = try await send(world, Self.json, Self.packed + Self.packed, "Content-Encoding: gzip")
        #expect(twice.reason == "NOT_JSON")
        let lines = try await send(
            world, Self.lines, Self.packed + Self.newline + Self.packed, "Content-Encoding: gzip")
        #expect(try document(lines)["changes"] as? Int == 2)
        for damaged in [Array(Self.packed.dropLast(9)), Self.packed + [0], [1, 2, 3]] {
            let reply = try await send(world, Self.json, damaged, "Content-Encoding: gzip")
            #expect(reply.reason == "ENCODING_DAMAGED")
        }
        #expect(try await send(world, Self.json, Self.packed, "Content-Encoding: br").status == 415)
        await world.stop()
    }

    /// `{"merge": {"type": "movie", "id": "27205", "record": {"popularity": 1.25}}}`, packed with gzip.
    private static let packed: [UInt8] = Array(
        Data(
            base64Encoded:
                "H4sIAAAAAAAC/6tWyk0tSk9VslKoViqpLAAxlHLzyzJTlXQUlDJTQFwjcyMDUxC3KDU5vygFrLQgv6A0J7Eos6QSyDXUMzKtra0FAMqHHeNLAAAA"
        ) ?? Data())

    /// A line break, packed with gzip.
    private static let newline: [UInt8] = Array(Data(base64Encoded: "H4sIAAAAAAACA+MCAJMG1zIBAAAA") ?? Data())

    /// 64 MiB of zeros, packed with gzip: the header, and the same 64 KiB again and again.
    private static let bomb: [UInt8] = {
        let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
        let block = Data(
            base64Encoded:
                "7MEBAQAAAICQ/q/uCAoAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABqAAAA//8="
        )
        return (0..<1_024).reduce(into: header) { bytes, _ in bytes += block ?? Data() }
    }()

    @Test func `A bomb is given up when it has unpacked to the bound`() async throws {
        let world = try await WebWorld()
        let reply = try await send(world, Self.json, Self.bomb, "Content-Encoding: gzip")
        #expect(reply.status == 413)
        #expect(world.server.limitHits[.webBodies] == 1)
        await world.stop()
    }

    @Test func `A body above the bound is refused by its length, or when it has arrived`() async throws {
        let world = try await WebWorld()
        let socket = try await WebSocketBytes(port: world.port)
        try await socket.send(
            "POST /v1/publish HTTP/1.1\r\nHost: localhost\r\nContent-Type: \(Self.json)\r\nContent-Length: 99999999\r\n\r\n"
        )
        #expect(try await socket.reply().reason == "BODY_TOO_LARGE")
        await world.stop()
    }

    @Test func `A body without a type, or of another one, is refused`() async throws {
        let world = try await WebWorld()
        for type in [nil, "text/plain", "application/x-www-form-urlencoded", "multipart/form-data"] {
            #expect(try await send(world, type, Array("{}".utf8)).status == 415)
        }
        #expect(try await send(world, Self.lines, Array("\n\n".utf8)).reason == "BODY_EMPTY")
        await world.stop()
    }

    @Test func `A page of another site publishes nothing, and neither does a client that may not`() async throws {
        let world = try await WebWorld()
        let body = Array(merge(27205, #""popularity": 1.5"#).utf8)
        #expect(try await send(world, Self.json, body, "Origin: https://evil.example").status == 403)
        #expect(world.hub.revision == 1)
        await world.stop()
        let closed = try await WebWorld(authenticator: ReaderAuthenticator())
        let reply = try await send(closed, Self.json, body)
        #expect(reply.status == 403)
        #expect(reply.reason == "PUBLISH_DENIED")
        await closed.stop()
    }

    @Test func `A stream commits each line and answers it, and goes on after a bad one`() async throws {
        let world = try await WebWorld()
        func stream(_ lines: [String]) async throws -> [[String: Any]] {
            let socket = try await WebSocketBytes(port: world.port)
            try await socket.send(
                "POST /v1/publish/stream HTTP/1.1\r\nHost: localhost\r\nContent-Type: \(Self.lines)\r\n"
                    + "Idempotency-Key: feed\r\nTransfer-Encoding: chunked\r\n\r\n")
            #expect(try await socket.reply(withoutBody: true).status == 200)
            var answers: [[String: Any]] = []
            for line in lines {
                try await socket.send("\(String(line.utf8.count + 1, radix: 16))\r\n\(line)\n\r\n")
                let answer = try await socket.chunk()
                answers.append(
                    try #require(try JSONSerialization.jsonObject(with: Data(answer.utf8)) as? [String: Any]))
            }
            try await socket.send("0\r\n\r\n")
            #expect(String(decoding: try await socket.rest(), as: UTF8.self) == "0\r\n\r\n")
            return answers
        }
        let lines = [
            merge(27205, #""popularity": 1.5"#), merge(27205, #""popularty": 1"#),
            "[" + merge(27205, #""popularity": 2.5"#) + "," + merge(157336, #""popularity": 2.5"#) + "]",
        ]
        let answers = try await stream(lines)
        #expect(answers.map { $0["line"] as? Int } == [1, 2, 3])
        #expect(answers.map { $0["revision"] as? Int } == [2, nil, 3])
        #expect(answers[1]["reason"] as? String == "PUBLICATION_INVALID")
        #expect(answers[2]["changes"] as? Int == 2)
        // The same stream again changes nothing.
        #expect(try await stream(lines).map { $0["changed"] as? Bool } == [false, nil, false])
        #expect(world.hub.revision == 3)
        await world.stop()
    }

    @Test func `A stream is lines, and a line has the bound of a body`() async throws {
        let world = try await WebWorld()
        let line = "POST /v1/publish/stream"
        #expect(try await send(world, Self.json, Array("{}".utf8), line: line).status == 415)
        #expect(try await send(world, Self.lines, Self.packed, "Content-Encoding: gzip", line: line).status == 415)
        let long = [UInt8](repeating: 0x20, count: 10 << 20)
        let socket = try await WebSocketBytes(port: world.port)
        try await socket.send(
            "\(line) HTTP/1.1\r\nHost: localhost\r\nContent-Type: \(Self.lines)\r\nContent-Length: \(long.count)\r\n\r\n"
        )
        #expect(try await socket.reply(withoutBody: true).status == 200)
        try? await socket.send(long)
        _ = try await socket.rest()
        #expect(world.server.limitHits[.webBodies] == 1)
        await world.stop()
    }

    @Test func `A client that waits to be told to go on is told so`() async throws {
        let world = try await WebWorld()
        let socket = try await WebSocketBytes(port: world.port)
        let body = merge(27205, #""popularity": 1.5"#)
        try await socket.send(
            "POST /v1/publish HTTP/1.1\r\nHost: localhost\r\nContent-Type: \(Self.json)\r\n"
                + "Content-Length: \(body.utf8.count)\r\nExpect: 100-continue\r\n\r\n")
        #expect(try await socket.reply(withoutBody: true).status == 100)
        try await socket.send(body)
        #expect(try await socket.reply().status == 200)
        // The connection goes on.
        try await socket.send("GET /v1/screens HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(try await socket.reply().status == 200)
        await world.stop()
    }
}

/// Lets everybody read, and nobody publish.
struct ReaderAuthenticator: Authenticator {
    func authenticate(_ credentials: Credentials) async throws(Status) -> Identity {
        Identity(user: credentials.user, grant: .readOnly)
    }
}

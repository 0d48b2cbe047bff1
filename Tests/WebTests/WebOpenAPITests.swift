import Foundation
import MarqueeCatalogue
import MarqueeServer
import MarqueeWeb
import Testing

@Suite("GET /v1/openapi.json", .timeLimit(.minutes(5)))
struct WebOpenAPITests {
    private static let get = "GET /v1/openapi.json HTTP/1.1"

    /// A world with the types, once its door knows them, and its document.
    private func kitchen() async throws -> (WebWorld, SchemaReading) {
        let world = try await WebWorld()
        let before = try await world.ask(Self.get)
        try await world.commit([.types(try KitchenTypes.document())])
        while true {
            let reply = try await world.ask(Self.get)
            if reply.fields["etag"] != before.fields["etag"] { return (world, try SchemaReading(reply.body)) }
        }
    }

    private func send(_ world: WebWorld, _ request: String, _ body: String) async throws -> WebReply {
        try await WebWorld.ask(
            "\(request) HTTP/1.1", ["Content-Type: application/json", "Content-Length: \(body.utf8.count)"],
            port: world.port, body: body)
    }

    @Test func `Types that are published appear, and the tag only changes with them`() async throws {
        let world = try await WebWorld()
        let before = try await world.ask(Self.get)
        #expect(before.status == 200)
        #expect(before.fields["content-type"] == "application/json")
        #expect(before.fields["cache-control"]?.contains("private") == true)
        let tag = try #require(before.fields["etag"])
        #expect(try SchemaReading(before.body).document["paths"]?["/v1/records/movie/{id}"] != nil)
        try await world.commit([.show(list: "chart/boxoffice", edition: "2024-05-02")])
        let same = try await world.ask(Self.get, "If-None-Match: \"x\", \(tag)")
        #expect(same.status == 304)
        #expect(same.body == "")

        try await world.commit([.types(try KitchenTypes.document())])
        var after = same
        while after.status == 304 { after = try await world.ask(Self.get, "If-None-Match: \(tag)") }
        #expect(after.status == 200)
        #expect(after.fields["etag"] != tag)
        let paths = try #require(try SchemaReading(after.body).document["paths"])
        #expect(paths["/v1/records/kitchen/{id}"] != nil)
        #expect(paths["/v1/records/movie/{id}"] != nil)
        #expect(paths["/v1/records/{type}/{id}"] == nil)
        await world.stop()
    }

    @Test func `HEAD has no body, and wrong requests are refused`() async throws {
        let world = try await WebWorld()
        let socket = try await WebSocketBytes(port: world.port)
        try await socket.send("HEAD /v1/openapi.json HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        let head = try await socket.reply(withoutBody: true)
        let whole = try await world.ask(Self.get)
        #expect(head.fields["content-length"] == "\(whole.body.utf8.count)")
        #expect(head.fields["etag"] == whole.fields["etag"])
        #expect(try await socket.rest() == [])
        #expect(try await world.ask("GET /v1/openapi.json?a=b HTTP/1.1").reason == "PARAMETER_INVALID")
        #expect(try await world.ask(Self.get, "Accept: text/html").reason == "NOT_ACCEPTABLE")
        #expect(try await world.ask(Self.get, "Authorization: Basic YTpi").status == 401)
        await world.stop()
    }

    @Test func `Answers match their schemas`() async throws {
        let (world, reading) = try await kitchen()
        for (path, schema) in [
            ("/v1/screens", "marquee-screens"), ("/v1/screens/home", "marquee-screen"),
            // A generated client sends a name as one part of the path.
            ("/v1/screens/detail%2F27205", "marquee-screen"), ("/v1/search?q=the", "marquee-search"),
            ("/v1/screens/nowhere", "marquee-problem"),
        ] {
            let reply = try await world.ask("GET \(path) HTTP/1.1")
            #expect(try reading.accepts(reply.body, by: schema), "\(path): \(reply.body.prefix(200))")
        }
        let done = try await send(world, "DELETE /v1/records/job/none", "")
        #expect(try reading.accepts(done.body, by: "marquee-publication"))
        let member =
            #"{"client": "00112233445566778899aabbccddeeff", "number": 1, "subject": "movie/27205", "member": true}"#
        #expect(try reading.accepts(member, by: "marquee-member"))
        let changed = try await WebWorld.ask(
            "POST /v1/collections/favorites HTTP/1.1",
            ["Content-Type: application/json", "Content-Length: \(member.utf8.count)", "Marquee-User: ana"],
            port: world.port, body: member)
        #expect(changed.status == 200)
        #expect(try reading.accepts(changed.body, by: "marquee-member-change"))
        let wrong = try await send(world, "POST /v1/publish", #"[{"put": {"type": "job", "id": "1", "record": {}}}]"#)
        #expect(wrong.status == 422)
        #expect(try reading.accepts(wrong.body, by: "marquee-problem"))
        await world.stop()
    }

    /// Members of a kitchen.
    private static let good = [
        #""aDouble": 1.5"#, #""aFloat": -3.25e2"#, #""anInt64": -9223372036854775808"#,
        #""anInt64": "9223372036854775807""#, #""aUint64": 18446744073709551615"#, #""aUint64": "0""#,
        #""anInt32": -2147483648"#, #""aFixed64": "12""#, #""aFixed32": 4294967295"#, #""aBool": true"#,
        #""aString": "빵\n""#, #""someBytes": "AP8=""#, #""someBytes": "_-8""#, #""someBytes": """#,
        #""color": "COLOR_RED""#,
        #""inner": {"level": "HIGH", "levels": {"a": "LOW"}, "deeper": {"text": "2026-01-31"}}"#,
        #""inner": {"deeper": {"text": ""}}"#, #""doubles": [1, 2.5]"#, #""texts": []"#, #""blobs": ["AAAA"]"#,
        #""flags": [true, false]"#, #""titles": {"en": "A", "": "B"}"#, #""byNumber": {"-1": {}}"#,
        #""byUnsigned": {"18446744073709551615": 1}"#, #""byFlag": {"true": "COLOR_RED"}"#,
        #""bySigned": {"0": "AA=="}"#,
        #""asText": "a""#, #""asNumber": "5""#, #""maybeFlag": false"#, #""at": "2026-11-22T07:10:44Z""#,
        #""at": "2026-11-22T07:10:44.123456789+09:00""#, #""lasts": "3.5s""#, #""lasts": "-0.5s""#,
        #""wrappedInt64": "7""#, #""wrappedDouble": 0"#, #""wrappedBytes": "AA""#, #""wrappedBool": true"#,
        #""empty": {}"#, #""times": ["2026-01-01T00:00:00Z"]"#, #""otherName": "x""#,
        #""tree": {"name": "a", "left": {"left": {"name": "b"}}, "children": [{"children": [{}]}]}"#,
    ]

    private static let bad = [
        #""aDubble": 1"#, #""aDouble": true"#, #""aFloat": 1e39"#, #""aFloat": "x""#, #""anInt64": 1.5"#,
        #""anInt64": "1x""#, #""anInt64": 9223372036854775808"#, #""aUint64": -1"#, #""aUint64": "-1""#,
        #""aUint64": 18446744073709551616"#, #""anInt32": 2147483648"#, #""aFixed32": -1"#, #""aBool": "true""#,
        #""aBool": 1"#, #""aString": 1"#, #""someBytes": "A""#, #""someBytes": "A===""#, #""someBytes": "****""#,
        #""color": "PURPLE""#, #""color": true"#, #""inner": []"#, #""inner": {"level": "MIDDLE"}"#,
        #""inner": {"deeper": {"text": "31.01.2026"}}"#, #""doubles": 1"#, #""doubles": [null]"#,
        #""numbers": [1, "a"]"#,
        #""titles": {"en": 1}"#, #""titles": []"#, #""byNumber": {"one": {}}"#, #""byNumber": {"01": {}}"#,
        #""byFlag": {"yes": "COLOR_RED"}"#, #""byUnsigned": {"-1": 1}"#, #""asText": "a", "asNumber": 5"#,
        #""asPoint": {}, "asFlag": true"#, #""at": "2026-11-22""#, #""at": "2026-13-22T07:10:44Z""#,
        #""at": "2026-11-22T07:10:44""#, #""at": 5"#, #""lasts": "3.5""#, #""lasts": 3.5"#, #""wrappedInt64": {}"#,
        #""wrappedBool": {"value": true}"#, #""empty": {"a": 1}"#, #""times": "2026-01-01T00:00:00Z""#,
        #""tree": {"left": {"left": {"nom": "b"}}}"#,
    ]

    @Test func `A record that the schema accepts is put, and one that it refuses isn't`() async throws {
        let (world, reading) = try await kitchen()
        let revision = world.hub.revision
        for member in Self.bad {
            #expect(try !reading.accepts("{\(member)}", by: "record-kitchen"), "\(member)")
            let reply = try await send(world, "PUT /v1/records/kitchen/k1", "{\(member)}")
            #expect(reply.status == 422, "\(member)")
        }
        #expect(world.hub.revision == revision)
        for member in Self.good {
            #expect(try reading.accepts("{\(member)}", by: "record-kitchen"), "\(member)")
            let reply = try await send(world, "PUT /v1/records/kitchen/k1", "{\(member)}")
            #expect(reply.status == 200, "\(member): \(reply.body)")
        }
        await world.stop()
    }

    @Test func `A record needs its id and what proto2 requires, and a change of one doesn't`() async throws {
        let (world, reading) = try await kitchen()
        for (method, json, isGood) in [
            ("PATCH", #"{"id": "j", "priority": 1}"#, nil), ("PUT", #"{"priority": 1}"#, false),
            ("PUT", #"{"id": ""}"#, false), ("PUT", #"{"id": "j", "steps": [{"offset": 1}]}"#, false),
            ("PUT", #"{"id": "j", "steps": [{"name": "a"}], "state": "ACTIVE"}"#, true),
            ("PUT", #"{"id": "j", "path": "a", "port": 1}"#, false),
            ("PUT", #"{"id": "j", "step": {"name": "a"}}"#, true),
            ("PATCH", #"{"priority": 1}"#, true), ("PATCH", #"{"step": {"offset": 1}}"#, true),
            ("PATCH", #"{"state": "LOST"}"#, false),
        ] as [(String, String, Bool?)] {
            let accepts = try reading.accepts(json, by: method == "PUT" ? "record-job" : "patch-job")
            let reply = try await send(world, "\(method) /v1/records/job/j", json)
            // A record that isn't there can't be changed, whatever the schema says.
            #expect(accepts == isGood ?? true, "\(method) \(json)")
            #expect((reply.status == 200) == isGood ?? false, "\(method) \(json): \(reply.body)")
        }
        await world.stop()
    }

    @Test func `A relay, which knows no types, has one path for records of any type`() async throws {
        let world = try await WebWorld()
        let relay = try await world.relay()
        let reply = try await WebWorld.ask(Self.get, [], port: relay.summary.door?.port ?? 0)
        #expect(reply.status == 200)
        let paths = try #require(try SchemaReading(reply.body).document["paths"]).members.map(\.name)
        #expect(paths.filter { $0.hasPrefix("/v1/records") } == ["/v1/records/{type}/{id}"])
        #expect(paths.contains("/v1/publish"))
        await relay.drain(grace: .milliseconds(200))
        await world.stop()
    }
}

import Foundation
import MarqueeImport
import MarqueePresetRecords
import MarqueeTypes
import PresetSupport
import ProcessSupport
import Testing

/// `marquee-server follow` beside a server that answers like TMDB, and misbehaves.
@Suite(.timeLimit(.minutes(10)))
struct TMDBFeedTests {
    private typealias Fault = MisbehavingServer.Fault

    private static let token = "read.access.token"
    private static let key = "0123456789abcdef"

    /// Sets all pages that are asked for.
    /// - Parameter key: the one in each address, if there is one.
    private static func set(_ tmdb: FakeTMDB, on web: MisbehavingServer, key: String? = nil) {
        let list = "/movie/popular?language=en-US&page="
        var paths = ["/configuration", "/genre/movie/list?language=en-US", "/genre/movie/list?language=ko-KR"]
        paths += (1...2).map { list + "\($0)" }
        paths += (1...5).flatMap { id in
            ["en-US&append_to_response=credits%2Crelease_dates", "ko-KR"].map { "/movie/\(id)?language=\($0)" }
        }
        for path in paths {
            let (status, body) = tmdb.answer(path)
            let whole = "/3\(path)" + (key.map { (path.contains("?") ? "&" : "?") + "api_key=\($0)" } ?? "")
            web.set(whole, status == 200 ? .init(body: body) : nil)
        }
    }

    private static func world(_ web: MisbehavingServer) async throws -> FeedWorld {
        try await FeedWorld(
            presets: """
                tmdb: {key-file: tmdb.key, address: '\(web.address("/3"))', locales: [en-US, ko-KR],
                  lists: [popular], every: 1s, timeout: 1s}
                """)
    }

    /// Waits until the movies have these titles.
    private static func until(_ titles: [String: String], in world: FeedWorld) async throws {
        try await eventually("the movies \(titles), not \((try? world.titles()) ?? [:])") {
            try world.titles() == titles
        }
    }

    @Test func `However TMDB misbehaves, movies arrive once, and nothing that was read is wiped`() async throws {
        let web = try await MisbehavingServer()
        var tmdb = FakeTMDB([1: "Heat", 2: "Alien", 3: "Up"])
        Self.set(tmdb, on: web)
        let world = try await Self.world(web)
        let denied = try world.launch(["--once"])
        #expect(try await denied.ended() == 77, "there is no key")
        #expect(denied.errors.contains("tmdb.key can't be read"), "\(denied.errors)")
        try world.write("tmdb.key", Self.token + "\n")
        let follower = try world.launch()
        var titles = ["1": "Heat", "2": "Alien", "3": "Up"]
        try await Self.until(titles, in: world)
        #expect(web.requests.allSatisfy { $0.contains("\r\nAuthorization: Bearer \(Self.token)\r\n") })
        #expect(try world.presets("credits").count == 3 && world.presets("genre").count == 1)
        #expect(try world.presets("person").keys.sorted() == ["7", "8", "9"])

        let faults: [(String, [Fault])] = [
            ("429", [.status("429 Too Many Requests", ["Retry-After: 1"])]),
            ("500", [.status("500 Internal Server Error")]), ("slow", [.silence]), ("cut", [.cut]),
            ("broken", [.body(#"{"results": [{"id": 1, "ti"#)]), ("no list", [.body("{}")]),
            ("gone", [.status("404 Not Found")]), ("denied", [.status("401 Unauthorized")]),
        ]
        for (name, fault) in faults {
            let before = try world.revision()
            tmdb.films[2]?.title = name
            titles["2"] = name
            web.fail(fault)
            Self.set(tmdb, on: web)
            try await Self.until(titles, in: world)
            #expect(try world.changed(after: before) == ["movie/2"], "\(name)")
        }
        #expect(!web.hasFaults)

        // Nothing has changed: nothing is published, and each part answers that.
        let before = try world.revision()
        let seen = web.answers.count
        try await eventually("it asks again") { web.answers.count >= seen + 24 }
        #expect(web.answers.dropFirst(seen).allSatisfy { $0 == "HTTP/1.1 304 Not Modified" })
        #expect(try world.revision() == before)

        // Details that are gone leave the record as it is; a number as a text and an empty date are read.
        let movie = try #require(try world.presets("movie")["3"])
        web.set("/3/movie/3?language=ko-KR", nil)
        tmdb.films[1]?.popularity = "\"99.5\""
        tmdb.films[1]?.date = ""
        let details = "/movie/1?language=en-US&append_to_response=credits%2Crelease_dates"
        web.set("/3" + details, .init(body: tmdb.answer(details).body))
        try await eventually("the number is read") {
            let movie = try world.presets("movie")["1"] ?? ""
            return movie.contains(#""popularity":99.5"#) && !movie.contains("releaseDate")
        }
        #expect(try world.presets("movie")["3"] == movie)
        try await follower.stop(SIGKILL)
        let restarted = try world.launch()
        _ = try await restarted.line(with: "movie 3: there are no details: ")
        #expect(try world.presets("movie")["3"] == movie)
        #expect(try world.presets("person").count == 3)

        // A movie that is in no list any more leaves; if most do, nothing is published.
        tmdb.lists["popular"] = [[1, 2]]
        Self.set(tmdb, on: web)
        titles["3"] = nil
        try await Self.until(titles, in: world)
        #expect(try world.presets("credits").keys.sorted() == ["1", "2"])
        let last = try world.revision()
        tmdb.lists["popular"] = [[]]
        Self.set(tmdb, on: web)
        _ = try await restarted.line(with: "only 0 of 2 records of movie still have a row")
        #expect(try world.revision() == last)
        #expect(try await restarted.stop(SIGINT) == 0)
        for process in [follower, restarted] { #expect(!(process.output + process.errors).contains(Self.token)) }
    }

    @Test func `A key in an address is in no message`() async throws {
        let web = try await MisbehavingServer()
        var tmdb = FakeTMDB([1: "Heat"])
        tmdb.lists["popular"] = [[1], [2]]
        tmdb.films[2] = FakeTMDB.Film(title: "Alien")
        Self.set(tmdb, on: web, key: Self.key)
        let world = try await Self.world(web)
        try world.write("tmdb.key", Self.key + "\n")
        let checked = try await world.source("check", ["source.yaml"])
        #expect(checked.text.contains("movie: 2 rows, 0 bad"), "\(checked.text)")
        let follower = try world.launch()
        try await Self.until(["1": "Heat", "2": "Alien"], in: world)
        var texts = [checked.text]
        for faults: [Fault] in [
            [.cut, .silence, .body("?api_key=\(Self.key)")],
            [.status("301 Moved", ["Location: ht tp://\(Self.key)"])],
            [.status("302 Found", ["Location: /3/elsewhere?api_key=\(Self.key)"])], [.status("401 Unauthorized")],
        ] {
            web.fail(faults)
            try await eventually("the faults are met") { !web.hasFaults }
            texts.append(try await world.source("list", ["--to", world.address]).text)
        }
        _ = try await follower.line(with: "refuses the key in ")
        #expect(try await follower.stop(SIGTERM) == 0)
        texts += [follower.output, follower.errors]
        #expect(texts.allSatisfy { !$0.contains(Self.key) }, "\(texts)")
        #expect(try world.titles() == ["1": "Heat", "2": "Alien"])
    }
}

extension FeedWorld {
    /// Records of a preset type as JSON, by their ids.
    fileprivate func presets(_ type: String) throws -> [String: String] {
        try records(type, of: TypeSet(PresetCatalogue.types, file: "types"))
    }

    fileprivate func titles() throws -> [String: String] {
        try presets("movie").mapValues { record in
            record.firstMatch(of: #/"title":\{"en":"([^"]*)"/#).map { String($0.1) } ?? "?"
        }
    }

    /// The records that were put or removed since a revision.
    fileprivate func changed(after revision: Int) throws -> [String] {
        try changes(after: revision).flatMap { commit in
            commit.changes.matches(of: #/"id":"([^"]*)","type":"(\w+)"/#).map { "\($0.2)/\($0.1)" }
        }.sorted()
    }
}

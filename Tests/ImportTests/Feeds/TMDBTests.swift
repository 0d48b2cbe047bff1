import Foundation
import MarqueeDiff
import MarqueePresetRecords
import MarqueeTypes
import PresetSupport
import SeededRandom
import Testing

@testable import MarqueeImport

/// TMDB's lists and details as rows of the preset types.
@Suite struct TMDBTests {
    private static let films = [1: "Heat", 2: "Alien", 3: "Up"]

    /// The rows of a type as JSON, by id, and the reasons of others.
    private static func rows(_ pages: FeedPages, _ type: String = "movie") throws -> [String: String] {
        let types = try TypeSet(PresetCatalogue.types, file: "types")
        let table = try FeedTable(SourceFile.Table(name: type, type: type), types)
        let coder = try #require(types.type(type)?.coder)
        var rows: [String: String] = [:]
        _ = try table.each(of: pages, shouldContinue: { true }) { (row) throws(ImportError) in
            switch row {
            case .record(let id, let bytes): rows[id] = (try? coder.json(of: bytes)) ?? "?"
            case .bad(let id, let reason): rows[id ?? "?"] = reason
            }
        }
        return rows
    }

    @Test func `A movie is what its details say in each language, with those who made it`() throws {
        var run = try TMDBRun(FakeTMDB(Self.films))
        #expect(run.run().end == .whole)
        let movie = try #require(try Self.rows(run.course.pages)["1"])
        for part in [
            #""title":{"en":"Heat","ko":"Heat (ko)"}"#, #""releaseDate":"2026-11-22""#, #""runtime":98"#,
            #""genres":["28"]"#, #""popularity":10.5"#, #""voteCount":6744"#, #""tagline":"Yes""#,
            #""overview":"Whole""#, #""code":"PG-13""#, #""name":"https://image.example/t/p/w500/p1.jpg""#,
        ] {
            #expect(movie.contains(part), "\(part) in \(movie)")
        }
        #expect(!movie.contains("revenue"), "0 means that it isn't known")
        let credits = try #require(try Self.rows(run.course.pages, "credits")["1"])
        #expect(credits.firstMatch(of: #/Cy.*Ana.*First.*Bo.*Second/#) != nil, "in the order of billing: \(credits)")
        #expect(!credits.contains(#""Di""#))
        let people = try Self.rows(run.course.pages, "person")
        #expect(people.keys.sorted() == ["7", "8", "9"])
        #expect(people["9"]?.contains(#""popularity":2.5"#) == true)
        #expect(people["8"]?.contains("https://image.example/t/p/original/ana.jpg") == true)
        #expect(
            try Self.rows(run.course.pages, "genre") == ["28": #"{"id":"28","name":{"en":"Action","ko":"액션"}}"#])
    }

    @Test func `Unchanged answers are asked for by their names, and are no news`() throws {
        var run = try TMDBRun(FakeTMDB(Self.films))
        #expect(run.run().end == .whole && run.course.isNews)
        let all = 1 + 2 + 1 + 6
        #expect(run.requests.count == all)
        let rows = try Self.rows(run.course.pages)
        run.compared()
        let before = run.now
        #expect(run.run().end == .whole)
        #expect((3_240_000...3_960_000).contains(run.now - before), "an hour later, more or less")
        #expect((run.conditional, run.course.isNews) == (all, false))
        #expect(try Self.rows(run.course.pages) == rows)
        run.compared()
        run.server.films[2]?.title = "Aliens"
        #expect(run.run().end == .whole)
        #expect((run.conditional, run.course.isNews) == (all - 3, true), "the list, and the details in both languages")
        // A reading that was dropped is news, though the server says that nothing has changed.
        run.course.drop(now: run.now, fraction: 0.5)
        #expect(run.run().end == .whole)
        #expect((run.conditional, run.course.isNews) == (all, true))
    }

    @Test func `The answers of two months differ by what has changed, and by nothing else`() throws {
        var october = FakeTMDB([1: "Heat", 2: "Alien", 3: "Up", 4: "Jaws"])
        october.lists = ["popular": [[1, 2], [3, 4]], "top_rated": [[4]]]
        october.films[4]?.director = 5
        var run = try TMDBRun(october, lists: "popular, top_rated")
        #expect(run.run().end == .whole)
        let types = try TypeSet(PresetCatalogue.types, file: "types")
        let tables = try ["movie", "credits", "person", "genre"].map {
            try FeedTable(SourceFile.Table(name: $0, type: $0), types)
        }
        func each(_ table: FeedTable, _ body: (FollowedDatabase.Row) -> Void) throws {
            _ = try table.each(of: run.course.pages, shouldContinue: { true }, body)
        }
        var held: [String: [String: UInt64]] = [:]
        for table in tables {
            try each(table) { row in
                if case .record(let id, let bytes) = row { held[table.type, default: [:]][id] = XXH64.hash(bytes) }
            }
        }
        run.compared()
        // A month later: 1 is less popular, 2 has a Korean title, 3 is as it was but further down, 4 has left with its
        // director, 5 is new.
        run.server.films[1]?.popularity = "3.25"
        run.server.films[2]?.korean = "에이리언"
        run.server.films[4] = nil
        run.server.films[5] = FakeTMDB.Film(title: "Coco", korean: "코코")
        run.server.lists = ["popular": [[5, 2], [1, 3]], "top_rated": [[1]]]
        #expect(run.run().end == .whole)
        var puts: [String] = []
        var gone: [String] = []
        for table in tables {
            var comparison = RecordComparison()
            let sums = held[table.type] ?? [:]
            try comparison.hold(Array(sums.keys), Array(sums.values))
            try each(table) { row in
                if let record = comparison.meet(row) { puts.append("\(table.type)/\(record.id)") }
            }
            gone += comparison.gone.map { "\(table.type)/\($0)" }
        }
        #expect(puts.sorted() == ["credits/5", "movie/1", "movie/2", "movie/5"])
        #expect(gone == ["movie/4", "credits/4", "person/5"])
    }

    @Test func `All pages of all lists are read, up to a bound, and each movie once`() throws {
        var server = FakeTMDB([1: "A", 2: "B", 3: "C", 4: "D"])
        server.lists = ["popular": [[1, 2], [2, 3], [4]], "upcoming": [[3], []]]
        var run = try TMDBRun(server, ", pages: 2, region: KR", lists: "popular, upcoming")
        #expect(run.run().end == .whole)
        #expect(try Self.rows(run.course.pages).keys.sorted() == ["1", "2", "3"])
        #expect(run.requests.filter { $0.hasPrefix("/movie/popular") }.allSatisfy { $0.contains("region=KR") })
        run.compared()
        run.server.lists["popular"] = [[2]]
        #expect(run.run().end == .whole)
        #expect(try Self.rows(run.course.pages).keys.sorted() == ["2", "3"], "the other has left")
    }

    @Test func `What a list's page lacks doesn't wipe what the details brought`() throws {
        var run = try TMDBRun(FakeTMDB(Self.films))
        #expect(run.run().end == .whole)
        let rows = try Self.rows(run.course.pages)
        run.compared()
        for status in [404, 500] {
            for locale in ["en-US&append_to_response=credits%2Crelease_dates", "ko-KR"] {
                run.server.wrong = ["/movie/2?language=\(locale)": (status, "{}")]
                #expect(run.run().end == .whole, "\(status)")
                #expect(try Self.rows(run.course.pages) == rows, "those read before count")
                run.compared()
            }
        }
        // After a restart nothing was read before: the record stays as it is, and so do people.
        var again = try TMDBRun(run.server)
        #expect(again.run().end == .whole)
        let kept = try Self.rows(again.course.pages)
        #expect(kept["1"] == rows["1"])
        #expect(kept["2"]?.contains("there are no details: ") == true, "\(kept)")
        #expect(try Self.rows(again.course.pages, "credits")["2"]?.contains("there are no details: ") == true)
        #expect(try Self.rows(again.course.pages, "person")["?"] != nil, "any of them may be of that movie")
    }

    @Test func `Broken answers are asked for again, and a server that is away is waited for`() throws {
        let details = "/movie/2?language=ko-KR"
        for body in ["", "{\"id\": 2, \"ti", "[]", #"{"id": 3}"#, #"{"id": 2, "runtime": "long"}"#] {
            var run = try TMDBRun(FakeTMDB(Self.films))
            run.server.wrong = [details: (200, body)]
            let (end, again) = run.run()
            #expect(end == .whole && again.count == FeedCourse.attempts - 1, "\(body)")
            #expect(again.first?.hasPrefix("https://tmdb.example/3/movie/2: ") == true, "\(again)")
        }
        for path in ["/configuration", "/genre/movie/list?language=ko-KR", "/movie/popular?language=en-US&page=1"] {
            for wrong in [(200, "{}"), (503, ""), (404, "")] {
                var run = try TMDBRun(FakeTMDB(Self.films))
                run.server.wrong = [path: wrong]
                guard case .failed(let failure) = run.run().end else {
                    Issue.record("\(path) \(wrong)")
                    continue
                }
                #expect(failure.kind == .away && !failure.reason.contains("?"), "\(failure)")
                run.server.wrong = [:]
                #expect(run.run().end == .whole, "it goes on when that is over")
            }
        }
        // Of details few may be missing.
        let titles = Dictionary(uniqueKeysWithValues: (1...5).map { ($0, "F\($0)") })
        var run = try TMDBRun(FakeTMDB(titles))
        for id in 1...4 { run.server.wrong["/movie/\(id)?language=ko-KR"] = (502, "") }
        guard case .failed = run.run().end else { throw ImportError(.malformed, "the server is away") }
        let seen = run.requests.count
        run.server.wrong = [:]
        #expect(run.run().end == .whole)
        #expect(run.conditional > 0 && run.conditional < seen, "what was read is asked for by its name")
        #expect(try Self.rows(run.course.pages).count == 5)
    }

    @Test func `A server that asks for a pause gets it, and one that refuses the key is told`() throws {
        var run = try TMDBRun(FakeTMDB(Self.films))
        guard case .ask = run.course.next(now: run.now) else { throw ImportError(.malformed, "nothing to ask") }
        var busy = FeedCourse.Answer(status: 429)
        busy.retryAfter = 120_000
        guard case .again = run.course.take(busy, body: [], now: run.now, fraction: 0.5) else {
            throw ImportError(.malformed, "not again")
        }
        #expect(run.course.next(now: run.now) == .wait(until: run.now + 120_000))
        // Asked for too often, the details of a movie aren't missing: the reading is over.
        run.server.wrong["/movie/2?language=ko-KR"] = (429, "")
        guard case .failed = run.run().end else { throw ImportError(.malformed, "the server is busy") }
        run.server.wrong = ["/configuration": (401, #"{"status_code": 7}"#)]
        #expect(
            run.run().end
                == .failed(
                    FeedFailure(kind: .denied, reason: "https://tmdb.example/3 refuses the key in tmdb.key")))
    }

    @Test func `Numbers may be texts, dates empty and texts absent`() throws {
        var server = FakeTMDB(Self.films)
        server.films[1]?.popularity = "\"7.25\""
        server.films[1]?.date = ""
        server.films[1]?.certificate = ""
        server.films[1]?.korean = nil
        var run = try TMDBRun(server)
        #expect(run.run().end == .whole)
        let movie = try #require(try Self.rows(run.course.pages)["1"])
        #expect(movie.contains(#""popularity":7.25"#) && movie.contains(#""title":{"en":"Heat"}"#), "\(movie)")
        #expect(movie.contains(#""code":"NR""#) && !movie.contains("releaseDate"), "\(movie)")
    }

    @Test func `The source file has its settings, and tables of its own`() throws {
        let plain = try SourceFile(yaml: "source: s\ntmdb: {key-file: k}\n", file: "x/source.yaml")
        guard case .tmdb(let feed) = plain.origin else { throw ImportError(.malformed, "not TMDB") }
        #expect((feed.address.text, feed.keyFile) == ("https://api.themoviedb.org/3", "x/k"))
        #expect((feed.locales, feed.lists.count, feed.pages, feed.interval) == (["en-US"], 4, 2, 3_600_000))
        #expect(plain.tables.map(\.type) == ["movie", "genre", "person", "credits"])
        #expect(!plain.isImported)
        func mistake(_ settings: String, tables: String = "{movie: {type: film}}") -> String {
            do {
                _ = try SourceFile(yaml: "source: s\ntmdb: {\(settings)}\ntables: \(tables)\n", file: "source.yaml")
                return ""
            } catch { return error.mistakes.map(\.description).joined(separator: "\n") }
        }
        #expect(mistake("key-file: k") == "")
        for (settings, words) in [
            ("every: 1h", "'tmdb' needs 'key-file'"), ("key-file: k, key: abc", "has no key 'key'"),
            ("key-file: k, locales: [english]", "such as ko-KR, not 'english'"),
            ("key-file: k, locales: [en-US, en-GB]", "has the language 'en' twice"),
            ("key-file: k, lists: [poplar]", "did you mean 'popular'?"), ("key-file: k, lists: []", "'lists' is empty"),
            ("key-file: k, pages: 26", "'pages' must be from 1 to 25"), ("key-file: k, region: korea", "such as KR"),
            ("key-file: k, address: x", "'address': an address is expected"),
        ] {
            #expect(mistake(settings).contains(words), "\(settings): \(mistake(settings))")
        }
        #expect(mistake("key-file: k", tables: "{movies: {type: movie}}").contains("did you mean 'movie'?"))
    }

    @Test func `A key goes into the query, and a token into a header`() {
        #expect(TMDBFeed.Credential(key: "0123abcd") == .parameter(name: "api_key", value: "0123abcd"))
        #expect(TMDBFeed.Credential(key: "a.b.c") == .header(name: "Authorization", value: "Bearer a.b.c"))
    }
}

/// Answers that TMDB gave, which aren't part of the repository.
@Suite(.enabled(if: RealData.isPresent, Comment(rawValue: RealData.howToSet)))
struct RealTMDBTests {
    private static func body(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: RealData.path("tmdb_api/\(name).json"))))
    }

    @Test func `Answers that TMDB gave are read`() throws {
        for list in ["popular", "now_playing", "upcoming", "top_rated"] {
            for page in 1...2 {
                let answer = try TMDBAnswer(Self.body("movie_\(list)__page-\(page)"), to: .list(.popular, page: page))
                guard case .page(let movies, let total) = answer else { throw ImportError(.malformed, list) }
                #expect(movies.count == 20 && total > 1)
            }
        }
        guard case .genres(let genres) = try TMDBAnswer(Self.body("genre_movie_list"), to: .genres(locale: "en-US")),
            case .configuration(let images) = try TMDBAnswer(Self.body("configuration"), to: .configuration)
        else { throw ImportError(.malformed, "genres") }
        #expect(genres[28] == "Action" && genres.count == 19)
        #expect(images.poster("/a.jpg")?.name == "https://image.tmdb.org/t/p/w500/a.jpg")
        let details = String(decoding: try Self.body("movie_47964"), as: UTF8.self).trimmingCharacters(
            in: .whitespacesAndNewlines)
        let whole =
            details.dropLast() + ", \"credits\": "
            + String(decoding: try Self.body("movie_47964_credits"), as: UTF8.self)
            + ", \"release_dates\": " + String(decoding: try Self.body("movie_47964_release_dates"), as: UTF8.self)
            + "}"
        guard case .movie(let movie) = try TMDBAnswer(Array(whole.utf8), to: .movie(47_964, locale: "en-US")) else {
            throw ImportError(.malformed, "no movie")
        }
        #expect(movie.title == "A Good Day to Die Hard" && movie.certificate == "R" && movie.runtime == 98)
        #expect(movie.credits?.cast.count == 48 && movie.credits?.cast.first?.name == "Bruce Willis")
        #expect(movie.credits?.crew.map(\.name) == ["John Moore"])
        #expect(throws: BadRow.self) {
            try TMDBAnswer(Self.body("movie_999999999"), to: .movie(999_999_999, locale: "en-US"))
        }
    }
}

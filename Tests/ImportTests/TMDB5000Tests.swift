import Foundation
import MarqueeCatalogue
import MarqueeImport
import MarqueeModel
import MarqueePresetRecords
import MarqueeStore
import PresetSupport
import Testing

/// How the importer handles TMDB-5000's rows and their quirks.
@Suite struct TMDB5000Tests {
    private let folder: ImportFolder
    private let store = MemoryStore()

    init() throws { folder = try ImportFolder() }

    private func run(
        _ movies: String, credits: String = "", certification: String? = nil
    ) throws -> ImportReport {
        try Importer(store: store).tmdb5000(
            movies: try folder.file("movies.csv", TMDBText.movieHeader + movies),
            credits: try folder.file("credits.csv", TMDBText.creditsHeader + credits),
            certification: try certification.map {
                try folder.file("certification.csv", TMDBText.certificationHeader + $0)
            })
    }

    @Test func `Every field of a movie is imported`() throws {
        let report = try run(
            TMDBText.movie(
                genres: #"[{"id": 28, "name": "Action"}, {"id": 878, "name": "Science Fiction"}]"#,
                countries: #"[{"iso_3166_1": "US", "name": "United States"}, {"iso_3166_1": "GB", "name": "UK"}]"#,
                tagline: "Your mind is the scene of the crime."), certification: "27205,PG-13\n")
        #expect(report.rows == 1)
        #expect(report.imported == 1)
        #expect(report.bad == 0)
        var movie = Movie(id: 27205, title: "Inception")
        movie.originalTitle = "Inception"
        movie.originalLanguage = "en"
        movie.releaseDate = CalendarDate("2010-07-14")
        movie.runtime = 148
        movie.genres = [28, 878]
        movie.countries = ["US", "GB"]
        movie.popularity = 167.58371
        movie.revenue = 825_532_764
        movie.voteAverage = 8.1
        movie.voteCount = 13752
        movie.tagline = "Your mind is the scene of the crime."
        movie.overview = "Cobb, a skilled thief."
        movie.certifications = ["US": "PG-13"]
        #expect(try store.movies() == [movie])
    }

    @Test(arguments: [("162.0", 162), ("162", 162), ("", nil), ("0", nil), ("0.0", nil)] as [(String, UInt32?)])
    func `A runtime is a decimal, and zero means unknown`(_ text: String, _ minutes: UInt32?) throws {
        _ = try run(TMDBText.movie(runtime: text))
        #expect(try store.movies().map(\.runtime) == [minutes])
    }

    @Test func `Empty and zero fields are absent`() throws {
        _ = try run(TMDBText.movie(date: "", revenue: "0", overview: "", tagline: " "))
        let movie = try #require(try store.movies().first)
        #expect(movie.releaseDate == nil)
        #expect(movie.revenue == nil)
        #expect(movie.overview == nil)
        #expect(movie.tagline == nil)
        #expect(movie.genres == nil)
        #expect(movie.countries == nil)
        #expect(movie.certifications == nil)
        #expect(movie.poster == nil)
    }

    @Test func `Genres are named in English and Korean`() throws {
        _ = try run(
            TMDBText.movie(
                genres: #"[{"id": 28, "name": "Action"}, {"id": 10769, "name": "Foreign"}]"#)
                + TMDBText.movie(id: "2", genres: #"[{"id": 28, "name": "Action"}]"#))
        #expect(
            try store.genres() == [
                Genre(id: 28, names: ["en": "Action", "ko": "액션"]), Genre(id: 10769, names: ["en": "Foreign"]),
            ])
    }

    @Test func `Spaces around a certificate are trimmed, and an empty one is absent`() throws {
        _ = try run(TMDBText.movie() + TMDBText.movie(id: "2"), certification: "27205,PG-13 \n2, \n")
        #expect(try store.movies().map(\.certifications) == [nil, ["US": "PG-13"]])
    }

    @Test func `Text keeps quotes, line breaks, commas and spaces`() throws {
        let text = " \"Quoted\", with\nline, return\r and accents: Amélie, 기생충 "
        _ = try run(TMDBText.movie(title: text, overview: text))
        #expect(try store.movies().map(\.title) == [text])
        #expect(try store.movies().map(\.overview) == [text])
    }

    @Test func `Two movies with the same title stay two`() throws {
        _ = try run(TMDBText.movie(id: "268", title: "Batman") + TMDBText.movie(id: "2661", title: "Batman"))
        #expect(try store.movies().map(\.id) == [268, 2661])
    }

    @Test func `The cast keeps billing order and people who appear twice`() throws {
        let cast = #"""
            [{"character": "Cobb", "gender": 2, "id": 6193, "name": "Leonardo DiCaprio", "order": 0},
             {"character": "", "gender": 0, "id": 24045, "name": "Joseph Gordon-Levitt", "order": 1},
             {"character": "Old Cobb", "gender": 2, "id": 6193, "name": "Leonardo DiCaprio", "order": 2}]
            """#
        let crew = #"[{"department": "Directing", "gender": 2, "id": 525, "job": "Director", "name": "C. Nolan"}]"#
        let report = try run(TMDBText.movie(), credits: TMDBText.credits(cast: cast, crew: crew))
        #expect(report.rows == 2)
        #expect(report.imported == 2)
        #expect(
            try store.credits() == [
                Credits(
                    movie: 27205,
                    cast: [
                        .init(person: 6193, name: "Leonardo DiCaprio", character: "Cobb"),
                        .init(person: 24045, name: "Joseph Gordon-Levitt", character: nil),
                        .init(person: 6193, name: "Leonardo DiCaprio", character: "Old Cobb"),
                    ], crew: [.init(person: 525, name: "C. Nolan", job: "Director", department: nil)])
            ])
    }

    @Test func `Importing twice changes nothing`() throws {
        let movies = TMDBText.movie(genres: #"[{"id": 28, "name": "Action"}]"#) + TMDBText.movie(id: "2")
        _ = try run(movies, credits: TMDBText.credits())
        let head = try store.catalogueHead()
        let again = try run(movies, credits: TMDBText.credits())
        #expect(again.imported == 0)
        #expect(again.unchanged == 3)
        #expect(try store.catalogueHead() == head)
    }

    @Test func `A corrected row is imported, and the others aren't`() throws {
        _ = try run(TMDBText.movie() + TMDBText.movie(id: "2"))
        let again = try run(TMDBText.movie() + TMDBText.movie(id: "2", overview: "corrected"))
        #expect(again.imported == 1)
        #expect(again.unchanged == 1)
    }

    @Test func `Bad rows are reported by file, line and reason, and good ones are kept`() throws {
        let bad: [(row: String, reason: String)] = [
            (TMDBText.movie(id: "x"), "id: 'x' is not an id"),
            (TMDBText.movie(id: "0"), "id: '0' is not an id"),
            (TMDBText.movie(id: "3", title: ""), "the title is empty"),
            (TMDBText.movie(id: "3", date: "2010-02-30"), "release_date: '2010-02-30' is not a date"),
            (TMDBText.movie(id: "3", runtime: "-1"), "runtime: '-1' is not a time"),
            (TMDBText.movie(id: "3", runtime: "long"), "runtime: 'long' is not a number"),
            (TMDBText.movie(id: "3", revenue: "-5"), "revenue: '-5' is not a whole number"),
            (TMDBText.movie(id: "3", popularity: "nan"), "popularity: 'nan' is not a number"),
            (TMDBText.movie(id: "3", genres: "[{\"id\": 28}]"), "genres: [0]: 'name' is missing"),
            (TMDBText.movie(id: "3", genres: "not JSON"), "genres: "),
            ("1,2,3\n", "the row has 3 fields, the header has 20"),
            (TMDBText.movie(), "line 2 already has movie 27205"),
            (TMDBText.movie(id: "3", overview: String(repeating: "x", count: 70_000)), "65536 are allowed"),
        ]
        let report = try run(TMDBText.movie() + bad.map(\.row).joined() + TMDBText.movie(id: "9"))
        #expect(report.rows == bad.count + 2)
        #expect(report.imported == 2)
        #expect(report.bad == bad.count)
        #expect(report.problems.map(\.line) == Array(3..<(3 + bad.count)))
        for (problem, expected) in zip(report.problems, bad) {
            #expect(problem.file.hasSuffix("movies.csv"))
            #expect(problem.reason.contains(expected.reason))
        }
        #expect(try store.movies().map(\.id) == [9, 27205])
    }

    @Test func `Credits and certificates of unknown movies are reported`() throws {
        let report = try run(
            TMDBText.movie(), credits: TMDBText.credits(id: "8") + TMDBText.credits() + TMDBText.credits(),
            certification: "27205,PG\n9,R\n27205,R\nx,R\n")
        #expect(
            report.problems.map { "\($0.file.split(separator: "/").last ?? ""):\($0.line ?? 0)" } == [
                "certification.csv:3", "certification.csv:4", "certification.csv:5", "credits.csv:2", "credits.csv:4",
            ])
        #expect(report.bad == 5)
        #expect(report.imported == 2)
        #expect(try store.movies().map(\.certifications) == [["US": "PG"]])
    }

    @Test func `Credits that the store refuses are reported with their line`() throws {
        let report = try run(
            TMDBText.movie() + TMDBText.movie(id: "2"),
            credits: TMDBText.credits(id: "2") + TMDBText.credits(cast: #"[{"id": 0, "name": "Nobody"}]"#))
        #expect(report.problems.map(\.line) == [3])
        #expect(report.problems.first?.reason.contains("a person's id") == true)
        #expect(try store.credits().map(\.movie) == [2])
    }

    @Test func `Only the first problems are listed, but all are counted`() throws {
        let report = try run((0..<50).map { _ in TMDBText.movie(id: "x") }.joined())
        #expect(report.bad == 50)
        #expect(report.problems.count == ImportReport.detailedProblems)
    }

    @Test func `Columns may be in any order`() throws {
        let credits = try folder.file("c.csv", "extra,crew,cast,movie_id\nx,[],[],27205\n")
        let movies = try folder.file("m.csv", TMDBText.movieHeader + TMDBText.movie())
        let report = try Importer(store: store).tmdb5000(movies: movies, credits: credits)
        #expect(report.bad == 0)
        #expect(try store.credits() == [Credits(movie: 27205, cast: [], crew: [])])
    }

    @Test func `A missing column stops the import and is named`() throws {
        let movies = try folder.file("m.csv", "id,title\n1,x\n")
        let error = #expect(throws: ImportError.self) {
            try Importer(store: store).tmdb5000(movies: movies, credits: movies)
        }
        #expect(error?.code == .wrongColumns)
        #expect(error?.message.contains("m.csv:1: there is no column 'original_title'") == true)
    }

    @Test func `Progress is reported every hundred rows and at the end of each file`() throws {
        let rows = (1...250).map { TMDBText.movie(id: "\($0)") }.joined()
        let movies = try folder.file("movies.csv", TMDBText.movieHeader + rows)
        let credits = try folder.file("credits.csv", TMDBText.creditsHeader)
        var told: [ImportProgress] = []
        _ = try Importer(store: store, progress: { told.append($0) }).tmdb5000(movies: movies, credits: credits)
        #expect(told.map(\.rows) == [100, 200, 250, 0])
        #expect(told.map(\.file) == [movies, movies, movies, credits])
        let size = try #require(try FileManager.default.attributesOfItem(atPath: movies)[.size] as? Int)
        #expect(told.allSatisfy { $0.bytesRead <= $0.bytesTotal })
        #expect(told[2] == ImportProgress(file: movies, rows: 250, bytesRead: size, bytesTotal: size))
    }

    @Test func `A failing store stops the import with its reason`() throws {
        try store.close()
        let error = #expect(throws: ImportError.self) { try run(TMDBText.movie()) }
        #expect(error?.code == .store)
        #expect(error?.storeError?.code == .closed)
        #expect(error?.message.contains("the presets' types") == true)
    }
}

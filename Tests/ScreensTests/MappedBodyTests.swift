import MarqueeModel
import MarqueePresets
import MarqueeTypes
import MarqueeWire
import Testing

@testable import MarqueeScreens

/// Bodies that are messages: their content, and the errors in programmes that define them wrongly.
@Suite struct MappedBodyTests {
    private static let show = #"""
        {"slug": "crumb", "title": {"en": "Crumb", "ko": "빵"}, "author": "Ada", "cover": "c.jpg", "followers": "12",
         "topics": ["food", "history"]}
        """#
    private static let episode = #"""
        {"guid": "e1", "show": "crumb", "title": {"en": "Rye"}, "published": "2026-01-02T06:00:00Z", "plays": "70",
         "minutes": 34, "topics": ["food"], "summary": "Bread.", "rating": 4.5, "audio": {"url": "u", "bytes": "9"},
         "chapters": [{"start": "0:00", "title": "Flour"}, {"start": "9:00", "title": "Water"}]}
        """#

    private let types: RecordTypes

    init() throws { types = try Podcasts.types() }

    /// The item of an episode, or of a show.
    private func item(
        _ body: String, locale: String = "en", type: String = "episode", episode: String = Self.episode
    ) throws -> Item {
        let programme = """
            locales: [en, ko]
            screens:
              home: {title: H, sections: [{id: a, kind: list, source: {records: {type: \(type)}}, body: \(body)}]}
            """
        let changes = [try types.put("show", "crumb", Self.show), try types.put("episode", "e1", episode)]
        var screens = try Screens(changes, types: types, programme: programme)
        return try #require(try screens.section("a", locale: locale).items.first)
    }

    private func json(_ item: Item, as message: String) throws -> String {
        try RecordCoder(set: types.set.schema, message: message, name: "row").json(of: item.body)
    }

    // MARK: - Messages of the operator's schema

    @Test func `A message of the schema contains exactly the mapped fields`() throws {
        let body = """
            {message: podcast.v1.EpisodeRow, kind: 2001, fields: {title: $title, showTitle: $show.title, \
            minutes: $minutes, topics: $topics, chapters: $chapters, published: $published, rating: $rating, \
            titles: $show.title, show: {title: "$show.title!", followers: $show.followers}}}
            """
        let item = try item(body, locale: "ko")
        #expect(item.kind.rawValue == 2001 && item.subject == "episode/e1" && item.id == "episode/e1")
        #expect(
            try json(item, as: "podcast.v1.EpisodeRow") == #"""
                {"title":"Rye","showTitle":"빵","minutes":34,"topics":["food"],"chapters":[{"start":"0:00","title":"Flour"},\#
                {"start":"9:00","title":"Water"}],"published":"2026-01-02T06:00:00Z","rating":4.5,\#
                "titles":{"en":"Crumb","ko":"빵"},"show":{"title":"빵!","followers":"12"}}
                """#)
    }

    @Test func `Missing values are omitted, and so is a message that has only missing values`() throws {
        let body = """
            {message: podcast.v1.EpisodeRow, kind: 2001, fields: {title: {en: "By $show.author", ko: Nobody}, \
            minutes: $minutes, topics: [a, $summary, b], rating: $rating, show: {title: $show.title, followers: 7}}}
            """
        let item = try item(body, episode: #"{"guid": "e1", "show": "gone"}"#)
        #expect(try json(item, as: "podcast.v1.EpisodeRow") == #"{"topics":["a","b"]}"#)
    }

    @Test func `A record's own message has the kind of its type`() throws {
        let body = "{message: podcast.v1.Show, fields: {slug: $slug, followers: $followers}}"
        let item = try item(body, type: "show")
        #expect(item.kind == types.set.type("show")?.kind)
        #expect(try json(item, as: "podcast.v1.Show") == #"{"slug":"crumb","followers":"12"}"#)
    }

    @Test func `Numbers that don't fit are omitted`() throws {
        let body = "{message: podcast.v1.EpisodeRow, kind: 2001, fields: {title: $id, minutes: $plays}}"
        let large = #"{"guid": "e1", "plays": "4294967296"}"#
        #expect(try json(item(body, episode: large), as: "podcast.v1.EpisodeRow") == #"{"title":"e1"}"#)
        let fitting = #"{"guid": "e1", "plays": "4294967295"}"#
        #expect(
            try json(item(body, episode: fitting), as: "podcast.v1.EpisodeRow")
                == #"{"title":"e1","minutes":4294967295}"#)
    }

    @Test func `Messages inside a record can be mapped too`() throws {
        let programme = """
            screens:
              episode/$id:
                title: $title
                sections:
                  - id: chapters
                    kind: list
                    source: {nested: {type: episode, id: $id, field: chapters, key: start}}
                    body: {kind: text, fields: {text: "$start $title"}}
                  - {id: detail, kind: detail, source: {record: {type: episode, id: $id}}}
            """
        var screens = try Screens(
            [try types.put("episode", "e1", Self.episode)], types: types, programme: programme)
        let items = try screens.section("chapters", of: "episode/e1").presets
        #expect(items == [.text(TextContent(text: "0:00 Flour")), .text(TextContent(text: "9:00 Water"))])
    }

    @Test func `Fields that would make a body too large are omitted`() throws {
        let chapter = #"{"start": "0", "title": "\#(String(repeating: "x", count: 40_000))"}"#
        let body = """
            {message: podcast.v1.EpisodeRow, kind: 2001, fields: {title: $id, chapters: $chapters, \
            topics: [$summary, $summary, $summary]}}
            """
        let long = #"{"guid": "e1", "summary": "\#(String(repeating: "y", count: 9_000))", "chapters": [\#(chapter)]}"#
        let item = try item(body, episode: long)
        // Texts are clipped, so all of it fits.
        #expect(item.body.count > 40_000 && item.body.count <= MessageMapping.bytes)
        let copies = """
            {message: podcast.v1.EpisodeRow, kind: 2001, fields: {chapters: $chapters, \
            topics: [\((0..<16).map { _ in "$summary" }.joined(separator: ", "))], title: $id}}
            """
        let cut = try self.item(copies, episode: long)
        #expect(cut.body.count <= MessageMapping.bytes)
        #expect(try json(cut, as: "podcast.v1.EpisodeRow").hasPrefix(#"{"title":"e1","#))
    }

    // MARK: - Marquee's kinds

    @Test func `A mapped movie equals the encoder's`() throws {
        var movie = MovieContent(id: 70, title: "Rye")
        movie.originalTitle = "Rye of Crumb"
        movie.releaseDate = CalendarDate("2026-01-02")
        movie.runtime = 34
        movie.genres = ["food"]
        movie.voteAverage = 4.5
        movie.voteCount = 9
        movie.popularity = 70
        movie.poster = ImageReference(name: "c.jpg")
        movie.backdrop = ImageReference(name: "u", aspect: 1.5, color: "#102030")
        movie.certification = CertificationContent(country: "US", code: "NR", label: "Ada", colorClass: .teen)
        movie.overview = "Bread."
        movie.revenue = 12
        let body = """
            {kind: movie, fields: {revenue: $show.followers, overview: $summary, title: $title, id: $plays, \
            original_title: "$title of $show.title", release_date: "2026-01-02", runtime: $minutes, genres: $topics, \
            vote_average: $rating, vote_count: $audio.bytes, popularity: $plays, poster: $show.cover, \
            backdrop: {name: $audio.url, aspect: 1.5, color: "#102030"}, \
            certification: {country: US, code: NR, label: $show.author, color_class: teen}}}
            """
        try expect(item(body), .movie(movie))
    }

    @Test func `Mapped tiles, credits, banners and courses equal the encoder's`() throws {
        try expect(
            item("{kind: genre, fields: {id: $followers, name: $title, image: $cover, movies: 4}}", type: "show"),
            .genre(GenreContent(id: 12, name: "Crumb", image: ImageReference(name: "c.jpg"), movies: 4)))
        try expect(
            item("{kind: credit, fields: {person: $minutes, name: $show.author, job: Host, portrait: $show.cover}}"),
            .credit(
                CreditContent(
                    person: 34, name: "Ada", character: nil, job: "Host", portrait: ImageReference(name: "c.jpg"))))
        var banner = BannerContent(title: "Rye")
        banner.caption = "34 min"
        banner.image = ImageReference(name: "c.jpg", aspect: 2)
        banner.link = "https://example.com/e1"
        banner.actions = [
            ScreenAction(id: "open", title: "Open", target: "episode/e1"), ScreenAction(id: "favorite", title: "Save"),
        ]
        try expect(
            item(
                """
                {kind: banner, fields: {title: $title, caption: {en: "$minutes min", ko: "$minutes분"}, \
                image: {name: $show.cover, aspect: 2}, link: "https://example.com/$id", \
                actions: [{id: open, title: Open, target: episode/$id}, {id: favorite, title: Save}]}}
                """), .banner(banner))
        var course = CourseContent(title: "Rye")
        course.author = "Ada"
        course.rating = 4.5
        course.reviews = 70
        course.price = "9.50"
        course.tag = "food"
        course.image = ImageReference(name: "c.jpg")
        try expect(
            item(
                """
                {kind: course, fields: {title: $title, author: $show.author, rating: $rating, reviews: $plays, \
                price: "9.50", tag: $topics, image: $show.cover}}
                """), .course(course))
        try expect(
            item("{kind: categories, fields: {titles: $topics}}", type: "show"), .categories(["food", "history"]))
    }

    /// The item of a movie of the preset types.
    private func movie(_ body: String, _ record: String) throws -> Item {
        let types = try Presets.types()
        let programme = """
            screens:
              home: {title: H, sections: [{id: a, kind: list, source: {records: {type: movie}}, body: \(body)}]}
            """
        var screens = try Screens([types.put("movie", "1", record)], types: types, programme: programme)
        return try #require(try screens.section("a").items.first)
    }

    @Test func `An image of the record is copied whole`() throws {
        let record = ##"{"id": 1, "poster": {"name": "p.jpg", "aspect": 0.5, "color": "#102030"}}"##
        var content = MovieContent(id: nil, title: "T")
        content.poster = ImageReference(name: "p.jpg", aspect: 0.5, color: "#102030")
        try expect(movie("{kind: movie, fields: {title: T, poster: $poster}}", record), .movie(content))
        content.backdrop = content.poster
        let both = try movie("{kind: movie, fields: {title: T, poster: $poster, backdrop: $poster}}", record)
        try expect(both, .movie(content))
        // A role set by the record is kept.
        let own = #"{"id": 1, "poster": {"name": "p.jpg", "role": "still"}}"#
        let item = try movie("{kind: movie, fields: {title: T, poster: $poster}}", own)
        #expect(String(decoding: item.body, as: UTF8.self).contains("still"))
        #expect(!String(decoding: item.body, as: UTF8.self).contains("poster"))
        // Without an image in the record, there is none in the body.
        content.poster = nil
        content.backdrop = nil
        try expect(movie("{kind: movie, fields: {title: T, poster: $poster}}", #"{"id": 1}"#), .movie(content))
    }

    private func expect(_ item: Item, _ content: PresetContent) throws {
        #expect(item.kind == content.kind)
        #expect(item.body == content.encoded(), "\(BodyCodec.decode(kind: item.kind, bytes: item.body).decoded)")
    }

    @Test func `Every kind has a message`() {
        for kind in PresetSchema.kinds {
            let message = BuiltInBodies.schema.message(named: kind.message)
            #expect(message?.fields.isEmpty == false, "\(kind.name)")
        }
        #expect(BuiltInBodies.schema.message(named: BodySchema.image)?.field(named: "role") != nil)
    }

    // MARK: - Mistakes

    @Test(arguments: [
        (
            "minutes: \"$minutes min\"",
            "'minutes' of podcast.v1.EpisodeRow is declared as uint32 and takes a whole number or a field that is one, not the text '$minutes min'"
        ),
        ("minutes: many", "'minutes' of podcast.v1.EpisodeRow is declared as uint32 and takes a whole number"),
        ("minutes: -1", "'minutes' of podcast.v1.EpisodeRow is declared as uint32 and takes a whole number"),
        (
            "minutes: $rating",
            "'minutes' of podcast.v1.EpisodeRow is declared as uint32 and takes a whole number or a field that is one; 'rating' is declared as optional double"
        ),
        ("minutes: $topics", "'minutes' of podcast.v1.EpisodeRow is declared as uint32 and takes"),
        (
            "published: $id",
            "'published' of podcast.v1.EpisodeRow is declared as google.protobuf.Timestamp: '$id' is a text"
        ),
        ("minutes: $summary", "'minutes' of podcast.v1.EpisodeRow is declared as uint32 and takes a whole number"),
        ("title: \"$summary[0]\"", "'title' of podcast.v1.EpisodeRow: '$summary' isn't a list, so '[0]'"),
        ("minutes: $minute", "'minutes' of podcast.v1.EpisodeRow is declared as uint32: podcast.v1.Episode has no"),
        (
            "topics: $summary",
            "'topics' of podcast.v1.EpisodeRow is declared as repeated string and takes a list of such values, or [one, by, one]; 'summary' is declared as string"
        ),
        (
            "chapters: $audio",
            "'chapters' of podcast.v1.EpisodeRow is declared as repeated podcast.v1.Chapter and takes a field of the same type; 'audio' is declared as podcast.v1.Audio"
        ),
        ("published: \"2026-01-01\"", "'published' of podcast.v1.EpisodeRow is declared as google.protobuf.Timestamp"),
        ("titles: $summary", "'titles' of podcast.v1.EpisodeRow is declared as map<string, string> and takes"),
        ("title: $audio", "'title' of podcast.v1.EpisodeRow: 'audio' can't be printed: it is a podcast.v1.Audio"),
        (
            "show: $audio",
            "'show' of podcast.v1.EpisodeRow is declared as podcast.v1.ShowRow and takes a field of the same type; 'audio' is declared as podcast.v1.Audio. Write {title: …, …}"
        ),
        ("titel: $title", "podcast.v1.EpisodeRow has no field 'titel'; did you mean 'title'?"),
        ("show: {titel: $title}", "podcast.v1.ShowRow has no field 'titel'; did you mean 'title'?"),
        ("showTitle: a, show_title: b", "'show_title' of podcast.v1.EpisodeRow is given twice"),
    ])
    func `A wrong field is reported with the reason`(field: String, reason: String) {
        #expect(mistakes("{message: podcast.v1.EpisodeRow, kind: 2001, fields: {\(field)}}", reason))
    }

    @Test func `An image can't take another message, except field by field`() {
        #expect(
            mistakes(
                "{kind: movie, fields: {title: a, poster: $audio}}",
                "'poster' of marquee.v1.MovieBody is declared as marquee.v1.Image and takes a field of the same type; "
                    + "'audio' is declared as podcast.v1.Audio. Write {name: …, …}"))
        #expect(
            mistakes(
                "{kind: movie, fields: {title: a, poster: $chapters}}",
                "'poster' of marquee.v1.MovieBody is declared as marquee.v1.Image and takes a field of the same type; "
                    + "'chapters' is declared as repeated podcast.v1.Chapter"))
    }

    @Test(arguments: [
        ("{fields: {title: a}}", "a body needs 'kind'"),
        ("{kind: movies, fields: {title: a}}", "Marquee has no kind 'movies'; did you mean 'movie'?"),
        ("{kind: 2001, fields: {title: a}}", "a body of kind 2001 needs 'message'"),
        ("{kind: movie}", "a body needs 'fields'"),
        ("{message: podcast.v1.EpisodeRow, fields: {title: a}}", "a body of 'podcast.v1.EpisodeRow' needs 'kind'"),
        ("{message: podcast.v1.EpisodeRow, kind: 9, fields: {title: a}}", "the kind of a body must be from 1000"),
        (
            "{message: podcast.v1.EpisodRow, kind: 2001, fields: {title: a}}",
            "the descriptor set of the types has no message 'podcast.v1.EpisodRow'; did you mean 'podcast.v1.EpisodeRow'?"
        ),
        (
            "{message: marquee.v1.MovieBody, kind: 2001, fields: {title: a}}",
            "'marquee.v1.MovieBody' is Marquee's own: leave 'message' out and write 'kind: movie'"
        ),
        ("{card: {title: a}, kind: movie}", "a body that is a card has no key 'kind'"),
        ("{title: $title}", "a body has no key 'title'"), ("{}", "a body is empty"),
        ("{kind: movie, fields: [title]}", "marquee.v1.MovieBody is given by its fields, such as {id: …}"),
    ])
    func `A wrong body is reported with the reason`(body: String, reason: String) {
        #expect(mistakes(body, reason))
    }

    @Test func `A kind stands for only one message`() {
        let rows = "{episode: {message: podcast.v1.EpisodeRow, kind: 2001, fields: {title: a}}, "
        let text = """
            screens:
              favorites:
                title: F
                sections:
                  - id: a
                    kind: list
                    source: favorites
                    body: \(rows) show: {message: podcast.v1.ShowRow, kind: 2001, fields: {title: a}}}
            """
        #expect(
            errors(text) == ["p.yaml:8: the kind 2001 already stands for 'podcast.v1.EpisodeRow'"]
                || errors(text) == ["p.yaml:8: the kind 2001 already stands for 'podcast.v1.ShowRow'"])
    }

    /// Whether this is the only mistake reported, at the body's line.
    private func mistakes(_ body: String, _ reason: String) -> Bool {
        let text = """
            screens:
              home:
                title: H
                sections:
                  - id: a
                    kind: list
                    source: {records: {type: episode}}
                    body: \(body)
            """
        let found = errors(text)
        let isExpected = found.count == 1 && found.first?.hasPrefix("p.yaml:8: \(reason)") == true
        if !isExpected { Issue.record("\(found)") }
        return isExpected
    }

    private func errors(_ text: String) -> [String] {
        do {
            _ = try Programme.parse(text: text, file: "p.yaml", types: types.set)
            return []
        } catch {
            return error.mistakes.map(\.description)
        }
    }
}

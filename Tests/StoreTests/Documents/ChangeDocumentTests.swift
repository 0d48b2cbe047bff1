import Foundation
import MarqueeCatalogue
import MarqueeModel
import MarqueePresets
import MarqueeStore
import Testing

/// Changes as people and programs write them.
@Suite struct ChangeDocumentTests {
    private static func refusal(_ json: String) -> String? {
        do throws(DocumentError) {
            _ = try Change(document: Data(json.utf8))
            return nil
        } catch {
            return error.description
        }
    }

    @Test(arguments: [
        (
            #"{"movieUpdate": {"id": 1, "popularty": 500}}"#,
            "movieUpdate: there is no field 'popularty' here; did you mean 'popularity'?"
        ),
        (
            #"{"movie": {"id": 1, "title": "x", "Runtime": 5}}"#,
            "movie: there is no field 'Runtime' here; did you mean 'runtime'?"
        ),
        (#"{"movie": {"id": 1, "titel": "x"}}"#, "movie: the field 'title' is missing; is 'titel' meant to be it?"),
        (
            #"{"movie": {"id": 1, "title": "x", "poster": {"name": "a", "colour": "b"}}}"#,
            "movie.poster: there is no field 'colour' here; did you mean 'color'?"
        ),
        (
            #"{"credits": {"movie": 1, "cast": [{"person": 1, "name": "a"}, {"person": 2, "name": "b", "role": "c"}], "crew": []}}"#,
            "credits.cast[1]: there is no field 'role' here; known are character, name, person"
        ),
        (#"{"moovie": {"id": 1}}"#, "there is no field 'moovie' here; did you mean 'movie'?"),
        (
            #"{"movie": {"id": 1, "title": "x"}, "genres": {}}"#,
            "there is no field 'genres' here; did you mean 'genre'?"
        ),
        (
            #"{"page": {"id": "home", "sections": [{"id": "s", "type": "basic", "title": "", "shelf": "row", "layout": "x"}]}}"#,
            "page.sections[0]: there is no field 'layout' here; known are id, list, shelf, title, type"
        ),
        (
            #"{"shelf": {"id": "row", "items": [{"id": "c", "course": {"title": "Ink", "titles": {"ko": "x"}}}]}}"#,
            "shelf.items[0].course: there is no field 'titles' here; did you mean 'title'?"
        ),
        (
            #"{"shelf": {"id": "row", "items": [{"id": "c", "cuorse": {"title": "Ink"}}]}}"#,
            "shelf.items[0]: there is no field 'cuorse' here; did you mean 'course'?"
        ),
        (
            #"{"shelfItem": {"shelf": "row", "item": {"id": "c", "banner": {"actions": [{"id": "a", "taget": "b"}]}}}}"#,
            "shelfItem.item.banner.actions[0]: there is no field 'taget' here; did you mean 'target'?"
        ),
    ])
    func `An unknown field is refused at any depth, with the nearest known one`(json: String, reason: String) {
        #expect(ChangeDocumentTests.refusal(json) == reason)
    }

    @Test(arguments: [
        (
            #"{"movie": {"id": 1, "title": "x", "popularity": -5}}"#,
            "movie.popularity is a number of 0 or more, not -5.0"
        ),
        (#"{"movieUpdate": {"id": 1, "popularity": -5}}"#, "movieUpdate.popularity is a number of 0 or more, not -5.0"),
        (
            #"{"movieUpdate": {"id": 1, "voteAverage": 11}}"#,
            "movieUpdate.voteAverage is a number from 0 to 10, not 11.0"
        ),
        (
            #"{"movie": {"id": -4, "title": "x"}}"#,
            "movie.id: a whole number from 0 to 18446744073709551615 is expected, not -4"
        ),
        (#"{"movie": {"id": 0, "title": "x"}}"#, "the id of a movie is between 1 and 9223372036854775807, not 0"),
        (
            #"{"movie": {"id": 1, "title": "x", "runtime": -5}}"#,
            "movie.runtime: a whole number from 0 to 4294967295 is expected, not -5"
        ),
        (
            #"{"movie": {"id": 1, "title": "x", "runtime": 99.5}}"#,
            "movie.runtime: a whole number from 0 to 4294967295 is expected, not 99.5"
        ),
        (
            #"{"movie": {"id": 1, "title": "x", "popularity": 1e999}}"#,
            "movie.popularity: a number is expected, not a number beyond all bounds"
        ),
        (
            #"{"movie": {"id": 1, "title": "x", "releaseDate": "2023-02-29"}}"#,
            "movie.releaseDate: '2023-02-29' isn't a date; write it as YYYY-MM-DD"
        ),
        (
            #"{"movie": {"id": 1, "title": "x", "popularity": "5"}}"#,
            "movie.popularity: a number is expected, not the text '5'"
        ),
        (#"{"movie": {"id": 1, "title": 7}}"#, "movie.title: a text is expected, not 7"),
        (#"{"movie": {"id": 1, "title": null}}"#, "movie.title: a text is expected, not null"),
        (#"{"movie": [1]}"#, "movie: an object is expected, not a list"),
        (#"{"movie": {"id": 1, "title": "x", "genres": 28}}"#, "movie.genres: a list is expected, not 28"),
        (
            #"{"movie": {"id": 1, "title": "x", "genres": [28, "a"]}}"#,
            "movie.genres[1]: a whole number from 0 to 18446744073709551615 is expected, not the text 'a'"
        ),
        (#"{"movie": {"id": 1, "title": "x", "titles": {"ko": 1}}}"#, "movie.titles.ko: a text is expected, not 1"),
        (#"{"programme": {}}"#, "programme: a text is expected, not an object"),
        (#"["movie"]"#, "an object is expected, not a list"),
    ])
    func `An impossible value is refused by its path, in terms of JSON`(json: String, reason: String) {
        #expect(ChangeDocumentTests.refusal(json) == reason)
    }

    @Test(arguments: [
        "nonsense", "", "{\"movie\": {\"id\": 1, \"title\": \"x\", \"popularity\": NaN}}", "{\"movie\": {\"id\": 1,",
    ])
    func `Text that is not JSON is reported as such`(text: String) throws {
        let reason = try #require(ChangeDocumentTests.refusal(text))
        #expect(reason.hasPrefix("this is not JSON"))
        for word in ["Decod", "Swift", "Dictionary", "NSCocoa"] { #expect(!reason.contains(word)) }
    }

    /// Everything a change can contain.
    @Test func `What a pool of a list shows is chosen by the entry's key`() throws {
        let change = try Change(document: Data(#"{"choose": {"pool": "main", "entry": "team/ars"}}"#.utf8))
        #expect(change == .chooseItem(pool: "main", item: "team/ars"))
        for json in [
            #"{"choose": {"pool": "main", "entry": "a", "item": "a"}}"#,
            #"{"choose": {"pool": "main", "entry": "a", "movie": 1}}"#, #"{"choose": {"pool": "main"}}"#,
        ] {
            #expect(ChangeDocumentTests.refusal(json)?.contains("a choice is either") == true, "\(json)")
        }
    }

    @Test func `A section of a page shows either a list or a shelf`() {
        for items in ["", #", "list": "a", "shelf": "a""#] {
            let json = #"{"page": {"id": "p", "sections": [{"id": "s", "type": "t", "title": ""\#(items)}]}}"#
            #expect(ChangeDocumentTests.refusal(json)?.contains("shows either a 'list'") == true, "\(json)")
        }
    }

    @Test func `A written change reads back the same`() throws {
        var movie = Movie(id: 1, title: "Inception")
        movie.titles = ["ko": "인셉션"]
        movie.releaseDate = CalendarDate("2010-07-15")
        movie.genres = [28, 878]
        movie.popularity = 99.5
        movie.certifications = ["US": "PG-13"]
        movie.poster = ImageReference(name: "a.jpg", aspect: 0.7, color: "#000000")
        var banner = BannerContent(title: "Sale")
        banner.actions = [ScreenAction(id: "open", title: "Open", target: "home")]
        let day = ChartDay(
            chart: "us", date: try #require(CalendarDate("2024-05-01")), time: ClockTime("19:11"),
            entries: [ChartDay.Entry(key: "r1", title: "Inception")])
        let changes: [Change] = [
            .movie(movie), .removeMovie(1), .movieUpdate(MovieUpdate(id: 1)), .person(Person(id: 1, name: "a")),
            .credits(Credits(movie: 1, cast: [.init(person: 1, name: "a", character: nil)], crew: [])),
            .genre(Genre(id: 28, names: ["en": "Action"])), .chartDay(day),
            .showChart(chart: "us", date: day.date, time: day.time), .choose(pool: "main", movie: 1),
            .chooseItem(pool: "main", item: "a"),
            .page(Page(id: "p", sections: [Page.Section(id: "a", type: "t", title: "", .list("shelf/p.a"))])),
            .chooseRecord(pool: "main", record: RecordID(type: "episode", id: "e/1")),
            .list(
                RecordList(
                    ListName("top", edition: "mon"),
                    entries: [
                        ListEntry(RecordID(type: "episode", id: "e1"), place: .bytes([8, 1])), ListEntry(key: "k"),
                        ListEntry(key: "k2", record: RecordID(type: "show", id: "s"), place: .json(.object([:]))),
                    ])),
            .listItem(EntryEdit(ListName("top"), putting: ListEntry(key: "k"), at: 3)),
            .listItem(EntryEdit(ListName("top", edition: "mon"), removing: "k")),
            .show(list: "top", edition: "mon"), .removeList(ListName("top")),
            .shelf(
                Shelf(
                    id: "row",
                    items: [
                        ShelfItem(id: "a", content: .banner(banner)), ShelfItem(id: "b", content: .categories(["x"])),
                        ShelfItem(id: "c", content: .other(type: "t", value: "{}")),
                    ])),
            .shelfItem(shelf: "row", item: ShelfItem(id: "b", content: .movie(1))),
            .page(Page(id: "p", sections: [.init(id: "s", type: "t", title: "", shelf: "row")])), .programme("text"),
        ]
        for change in changes { #expect(try Change(document: JSONEncoder().encode(change)) == change) }
    }
}

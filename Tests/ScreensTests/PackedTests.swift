import MarqueeCatalogue
import MarqueeModel
import Testing

@testable import MarqueeScreens

/// Packing loses nothing.
@Suite struct PackedTests {
    @Test func `A movie with every field and one with none survive packing`() throws {
        var movie = Movie(
            .max, "e\u{301} 기생충 🎬", genres: [.max, 0, 28, 28], popularity: -0.0, released: "2019-05-30", revenue: .max,
            rating: 8.515)
        movie.originalTitle = ""
        movie.originalLanguage = "ko"
        movie.titles = ["ko": "기생충", "fr": "", "": "empty"]
        movie.runtime = .max
        movie.countries = ["KR", ""]
        movie.voteCount = 0
        movie.tagline = String(repeating: "tag ", count: 100)
        movie.overview = String(repeating: "가", count: 20_000)
        movie.certifications = [:]
        movie.poster = ImageReference(name: "/p.jpg", aspect: 0.667, color: "#102030")
        movie.backdrop = ImageReference(name: "")
        let packed = Packed(movie)
        #expect(packed.record == movie)
        #expect(packed.record.popularity?.sign == .minus)
        #expect(Array(packed.title.utf8) == Array(movie.title.utf8))
        #expect(packed.genres == [.max, 0, 28])
        let bare = Movie(id: 0, title: "")
        #expect(Packed(bare).record == bare)
        #expect(Packed(bare).genres == [])
    }

    @Test func `People and credits survive packing`() {
        var person = Person(id: 300, name: "송강호")
        #expect(Packed(person).record == person)
        person.popularity = .infinity
        person.portrait = ImageReference(name: "/s.jpg")
        #expect(Packed(person).record == person)
        let credits = Credits(
            movie: 1 << 40,
            cast: [
                Credits.Cast(person: 1, name: "A", character: nil), Credits.Cast(person: 2, name: "", character: ""),
            ],
            crew: [
                Credits.Crew(person: 3, name: "B", job: "Director", department: nil),
                Credits.Crew(person: 4, name: "C", job: "", department: "D"),
            ])
        #expect(Packed(credits).record == credits)
        #expect(Packed(Credits(movie: 0, cast: [], crew: [])).record == Credits(movie: 0, cast: [], crew: []))
    }
}

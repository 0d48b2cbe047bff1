import Foundation
import MarqueeCatalogue
import MarqueeClient
import MarqueeLayout
import MarqueeModel
import MarqueePresetRecords
import MarqueePresets
import PresetSupport
import Testing

@Suite("B. Box office app: one movie", .timeLimit(.minutes(10)))
struct AppBDetailTests {
    private func detail(_ section: ScreenSection) throws -> DetailContent {
        guard case .detail(let detail)? = section.items.first?.content.preset else {
            throw AppTestError("a detail screen shows a detail")
        }
        return detail
    }

    @Test func `detail: every field arrives or is missing; detail and credits are patched separately`() async throws {
        try await withApp(.boxOffice, locale: "ko") { app, client in
            var updates = client.screen(.detail(496_243)).makeAsyncIterator()
            let first = try await updates.live().screen
            #expect(first.sections.map(\.id) == ["detail", "credits"])
            #expect(first.sections[0].items.count == 1)
            #expect(first.title == "기생충")
            let movie = try storedMovie(496_243, in: app.store)
            let content = try detail(first.sections[0])
            #expect(content.title == "기생충")
            #expect(content.originalTitle == movie.originalTitle)
            #expect(content.poster == movie.poster)
            #expect(content.releaseDate == movie.releaseDate)
            #expect(content.countries == movie.countries)
            #expect(content.genres == ["코미디", "스릴러", "드라마"])
            #expect(content.runtime == movie.runtime)
            #expect(content.tagline == "이 집 사람은 모두 한 가족이다.")
            #expect(content.overview == movie.overview)
            let minutes = try #require(movie.runtime)
            #expect(content.infoLine == "2019.05.30 │ KR │ 코미디 │ \(minutes)분")
            #expect(content.directors == ["Bong Joon-ho"])

            // Only what changed is patched.
            var credits = Credits(movie: 496_243, cast: [], crew: [])
            credits.crew = [.init(person: 21684, name: "Bong Joon-ho", job: "Director", department: "Directing")]
            try await app.commit(credits.change)
            let second = try await updates.live { $0.screen.sections[1].items.count == 1 }
            #expect(second.screen.sections[0].sum == first.sections[0].sum)
            #expect(second.screen.sections[1].sum != first.sections[1].sum)
            var bare = Movie(id: 496_243, title: "기생충")
            bare.genres = nil
            try await app.commit(bare.change)
            let third = try await updates.live { $0.screen.sections[0].sum != first.sections[0].sum }
            #expect(third.screen.sections[1].sum == second.screen.sections[1].sum)
            #expect(third.changes.reconfiguredItems == [ItemPosition(section: 0, item: 0)])
            let missing = try detail(third.screen.sections[0])
            #expect(missing.title == "기생충")
            #expect(missing.infoLine == "")
            #expect(missing.countries == [] && missing.genres == [])
            #expect(
                [missing.originalTitle, missing.tagline, missing.overview].allSatisfy { $0 == nil }
                    && missing.releaseDate == nil && missing.runtime == nil && missing.poster == nil)

            expect(try first.sections[0].frames.frame(ofItem: 0), is: rect(0, 0, 390, 600))
            #expect(first.sections[0].head.layout?.group.heightIsEstimated == true)
        }
    }

    @Test func `certification: code, label, colour class and country of the US value, or none`() async throws {
        let table: [(code: String?, shown: String, color: CertificationContent.ColorClass, label: String)] = [
            ("R", "R", .adult, "Adults only"), ("NC-17", "NC-17", .adult, "Adults only"),
            ("PG", "PG", .everyone, "Everyone"), ("G", "G", .everyone, "Everyone"),
            ("PG-13", "PG-13", .teen, "15 and over"), ("PG-13 ", "PG-13", .teen, "15 and over"),
            ("NR", "NR", .unrated, "Not rated"), (nil, "NR", .unrated, "Not rated"),
        ]
        try await withApp(.boxOffice) { app, client in
            for (index, row) in table.enumerated() {
                var movie = Movie(id: 900_100 + UInt64(index), title: "Movie \(index)")
                movie.certifications = ["KR": "15", "DE": "16"]
                movie.certifications?["US"] = row.code
                try await app.commit(movie.change)
                let shown = try detail(try await client.fetchScreen(.detail(movie.id)).section("detail")).certification
                #expect(
                    shown
                        == CertificationContent(
                            country: "US", code: row.shown, label: row.label, colorClass: row.color))
            }
            // The same in a ranking, and in Korean.
            #expect(try await client.shown(.home).sections[0].movies.allSatisfy { $0.certification?.country == "US" })
            let korean = try app.client(locale: "ko")
            let label = try detail(try await korean.fetchScreen(.detail(900_100)).section("detail")).certification?
                .label
            #expect(label == "청소년 관람불가")
            await korean.close()
        }
    }

    @Test func `credits: the director, then 16 of the cast by popularity, then in billing order`() async throws {
        try await withApp(.boxOffice) { app, client in
            let cast = (1...20).map { number in
                Credits.Cast(
                    person: 900_200 + UInt64(number), name: "Person \(number)",
                    character: number == 7 ? nil : "Character \(number)")
            }
            let crew = [
                Credits.Crew(person: 900_300, name: "Grip", job: "Key Grip", department: nil),
                Credits.Crew(person: 900_301, name: "Director", job: "Director", department: "Directing"),
            ]
            var people: [Change] = []
            for (number, popularity) in [(20, 9.5), (19, 3.0), (18, 9.5)] {
                var person = Person(id: 900_200 + UInt64(number), name: "Person \(number)")
                person.popularity = popularity
                person.portrait = number == 20 ? ImageReference(name: "portrait-20") : nil
                people.append(person.change)
            }
            try await app.commit(people + [Credits(movie: 27205, cast: cast, crew: crew).change])
            var updates = client.screen(.detail(27205)).makeAsyncIterator()
            let section = try await updates.live().screen.section("credits")
            #expect(section.head.header?.title == "Director and cast")
            #expect(section.credits.first?.name == "Director")
            #expect(section.credits.first?.job == "Director")
            let shown = section.credits.dropFirst()
            // 18 and 20 are equally popular: billing order; then 19; then those without a popularity, in billing order.
            let order: [Int] = [18, 20, 19] + Array(1...13)
            #expect(shown.map(\.name) == order.map { "Person \($0)" })
            #expect(shown.count == 16)
            #expect(section.head.total == 17)
            let withoutCharacter = shown.count { $0.character == nil }
            #expect(withoutCharacter == 1)
            let withPortrait = shown.filter { $0.portrait != nil }
            #expect(withPortrait.map(\.name) == ["Person 20"], "a portrait may be missing")
            #expect(Set(section.ids).count == 17)
            #expect(section.ids.allSatisfy { $0.hasPrefix("directors/") || $0.hasPrefix("cast/") })
            #expect(section.ids[1].hasPrefix("cast/900218/cast/"))

            // A new popularity moves someone and resends no one.
            var person = Person(id: 900_219, name: "Person 19")
            person.popularity = 100
            try await app.commit(person.change)
            let moved = try await updates.live { !$0.changes.isEmpty }
            #expect(moved.changes.movedItems == 1)
            #expect(moved.changes.insertedItems + moved.changes.deletedItems == 0)
            #expect(moved.changes.reconfiguredItems.isEmpty)

            let frames = try section.frames
            #expect(frames.scrolling == .continuous)
            expect(try section.supplementary("header"), is: rect(10, 0, 380, 60))
            // container 390 − 10 = 380; group 152 by 168.8, minus 15 leading: 137; slot 0.5 × 168.8 = 84.4, minus 4 + 4
            expect(frames.frame(ofItem: 0), is: rect(25, 64, 137, 76.4))
            expect(frames.frame(ofItem: 1), is: rect(25, 148.4, 137, 76.4))
            expect(frames.frame(ofItem: 2), is: rect(192, 64, 137, 76.4))
            // Columns of two on every screen, and nobody is cut off below.
            for container in [phone, LayoutSize(width: 768, height: 1_024), LayoutSize(width: 1_440, height: 900)] {
                let layout = try #require(section.head.layout)
                let frames = SectionFrames(layout: layout, container: container, itemCount: section.items.count)
                #expect(frames.frame(ofItem: 0)?.x == frames.frame(ofItem: 1)?.x)
                let ends = (0..<section.items.count).compactMap { frames.frame(ofItem: $0)?.maxY }
                #expect(ends.allSatisfy { $0 <= frames.contentSize.height }, "\(container)")
            }
        }
    }
}

extension LayoutNode {
    /// Whether the height is measured.
    fileprivate var heightIsEstimated: Bool {
        let height =
            switch self {
            case .item(let item): item.height
            case .group(let group): group.height
            }
        if case .estimated = height { return true }
        return false
    }
}

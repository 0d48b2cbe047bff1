import Foundation
import MarqueeCatalogue
import MarqueeClient
import MarqueeModel
import Testing

/// The conference app of the samples, as a client has it.
@Suite("Conference, from files alone", .timeLimit(.minutes(10)))
struct ConferenceTests {
    private func isKorean(_ text: String) -> Bool {
        text.unicodeScalars.contains { (0xAC00...0xD7A3).contains($0.value) }
    }

    @Test func `home: what is on now and next, the two days by time, and the speakers`() async throws {
        try await withApp(.conference) { _, client in
            let home = try await client.shown(.home)
            #expect(home.title == "Lighthouse Days")
            #expect(try home.section("now").head.header?.title == "Now · 2026-05-14 10:20")
            #expect(try home.section("now").ids == ["session/locks", "session/empty", "session/tide-clock"])
            #expect(try home.section("now").cards.first?.overline == "until 11:00 · Pier")
            #expect(try home.section("now").cards.last?.subtitle == "Yerin Moon, Oskar Lind")
            #expect(try home.section("next").ids == ["session/errors", "session/one-page"])
            let thursday = try home.section("thursday")
            #expect(thursday.head.total == 18)
            #expect(thursday.cards.first?.title == "Registration and coffee")
            #expect(thursday.cards.first?.subtitle == nil)
            #expect(thursday.cards[1].overline == "09:30–10:10 · Pier · Craft")
            #expect(try home.section("friday").head.total == 16)
            #expect(try home.section("speakers").cards.map(\.title).first == "Ama Owusu")
            let tracks = try home.section("tracks").cards
            #expect(tracks.map(\.title) == ["Craft", "Devices", "Operations", "Data", "Design"])
            #expect(tracks.first?.caption == "8 sessions")
        }
    }

    @Test func `in Korean: the programme, the titles, and the names of rooms`() async throws {
        try await withApp(.conference, locale: "ko") { _, client in
            let home = try await client.shown(.home)
            #expect(home.title == "등대의 날")
            #expect(try home.section("now").head.header?.title == "지금 · 2026-05-14 10:20")
            #expect(try home.section("now").cards.first?.overline == "11:00까지 · 부두")
            for section in ["now", "next", "thursday", "friday"] {
                #expect(try home.section(section).cards.allSatisfy { isKorean($0.title) })
            }
        }
    }

    @Test func `now and next move in one commit, and the feed ends where it began`() async throws {
        try await withApp(.conference) { app, client in
            var updates = client.screen(.home).makeAsyncIterator()
            let start = try await updates.live().screen
            let commits = try SampleName.conference.live()
            try await app.commit(commits[0])
            let moved = try await updates.live {
                try $0.screen.section("now").head.header?.title == "Now · 2026-05-14 11:10"
            }
            // The workshop goes on.
            let running = ["session/errors", "session/one-page", "session/tide-clock"]
            #expect(try moved.screen.section("now").ids == running)
            #expect(try moved.screen.section("next").ids == ["session/lunch-1"])
            for commit in commits.dropFirst() { try await app.commit(commit) }
            let latecomer = try app.client()
            _ = try await latecomer.shown(.home) {
                $0.sections.map(\.cards) == start.sections.map(\.cards)
                    && $0.sections.map(\.head.header?.title) == start.sections.map(\.head.header?.title)
            }
            await latecomer.close()
        }
    }

    @Test
    func `every session, speaker and room has a screen; a session's speakers are those on its card`() async throws {
        try await withApp(.conference) { _, client in
            for subject in try SampleName.conference.subjects() {
                let screen = try await client.shown(ScreenID(subject))
                let card = try #require(try screen.section("detail").cards.first, "\(subject)")
                #expect(screen.title == card.title)
                guard subject.hasPrefix("session/") else {
                    #expect(try !screen.section("sessions").items.isEmpty, "\(subject)")
                    continue
                }
                let names = try screen.section("speakers").cards.map(\.title)
                let named = card.subtitle.map { $0.split(separator: ", ").map { String($0) } } ?? []
                #expect(names.sorted() == named.sorted(), "\(subject)")
            }
            let waiting = try await client.shown("session/fog")
            #expect(try waiting.section("detail").cards.first?.overline == nil)
            // Sessions without a time come last.
            #expect(try await client.shown("speaker/oskar-lind").section("sessions").ids.last == "session/fog")
        }
    }

    @Test func `a card names everyone a session refers to, and follows each of them`() async throws {
        try await withApp(.conference) { app, client in
            var updates = client.screen("session/decisions").makeAsyncIterator()
            let first = try await updates.live()
            #expect(try first.screen.section("detail").cards.first?.subtitle == "Daniel Oh, Jiwon Bae")
            try await app.commit(
                Change("merge", "speaker", "jiwon-bae", ["name": "Jiwon B."]))
            let named = try await updates.live {
                try $0.screen.section("detail").cards.first?.subtitle == "Daniel Oh, Jiwon B."
            }
            #expect(try named.screen.section("speakers").cards.map(\.title) == ["Daniel Oh", "Jiwon B."])
            // Somebody who is gone is left out.
            try await app.commit(.remove(RecordID(type: "speaker", id: "daniel-oh")))
            _ = try await updates.live { try $0.screen.section("detail").cards.first?.subtitle == "Jiwon B." }
        }
    }
}

import MarqueeClient
import MarqueeModel
import Testing

/// A real conference goes through the conference app, with everything that is odd about its programme.
@Suite("Conference: a real programme", .enabled(if: AppData.isPresent, AppData.howToSet), .timeLimit(.minutes(10)))
struct ConferenceDataTests {
    private let data: ConferenceData

    init() throws { data = try ConferenceData() }

    private func withConference(_ body: (SampleApp, MarqueeClient) async throws -> Void) async throws {
        try await withApp(.conference, hasData: false) { app, client in
            try await app.commit(data.changes())
            try await body(app, client)
        }
    }

    @Test func `both days, slot by slot: now and next match the timetable and change together`() async throws {
        try await withConference { app, client in
            var updates = client.screen(.home).makeAsyncIterator()
            _ = try await updates.live()
            let timetable = Timetable(data.days)
            #expect(timetable.slots.count == 23)
            for slot in timetable.slots {
                try await app.commit(ConferenceData.show(slot.name))
                let shown = try await updates.live {
                    try $0.screen.section("now").head.header?.title == "Now · \(slot.name)"
                }
                #expect(try shown.screen.section("now").sessions == slot.now, "\(slot.name)")
                #expect(try shown.screen.section("next").sessions == slot.next, "\(slot.name)")
            }
        }
    }

    @Test func `a session alone in its slot belongs to every hall, so its card names none`() async throws {
        try await withConference { _, client in
            let lines = try await client.shown("day/2016-09-09").section("sessions").cards
            #expect(lines.first?.title == "Registration & morning Coffee")
            #expect(lines.first?.overline == "09:00–10:00")
            #expect(lines.first { $0.title.hasPrefix("Knock knock!") }?.overline == "11:00–11:40 · Expo hall · Android")
        }
    }

    @Test
    func `a workshop that fills several slots in a row is one session; a break on both days is two`() async throws {
        try await withConference { _, client in
            let day = try await client.shown("day/2016-09-09").section("sessions")
            #expect(day.items.count { $0.id == "session/119" } == 1)
            let workshop = day.cards.first { $0.title.hasPrefix("Hands-on with UI") }
            #expect(workshop?.overline?.hasPrefix("16:00–18:20") == true)
            let other = try await client.shown("day/2016-09-10").section("sessions")
            #expect(day.items.contains { $0.id == "session/133" })
            #expect(other.items.contains { $0.id == "session/133-2" })
            #expect(day.items.count + other.items.count == data.talks.count)
            let beginnings = day.cards.map { $0.overline?.prefix(5) ?? "" }
            #expect(beginnings == beginnings.sorted())
        }
    }

    @Test func `a session that no slot names is on no day, but has a screen`() async throws {
        try await withConference { _, client in
            let screen = try await client.shown("session/138")
            let card = try #require(try screen.section("detail").cards.first)
            #expect(card.title == "Conference closing and contest winners announcements")
            #expect(card.overline == nil)
            #expect(card.badges.isEmpty)
            for day in data.days {
                let sessions = try await client.shown(ScreenID("day/\(day.date)")).section("sessions")
                #expect(!sessions.items.contains { $0.id == "session/138" })
            }
        }
    }

    @Test
    func `sessions without speakers, language or level have none on their cards`() async throws {
        #expect(data.sessions.count { $0.speakers == nil } == 9)
        try await withConference { _, client in
            for session in data.sessions {
                let screen = try await client.shown(ScreenID("session/\(session.id)"))
                let card = try #require(try screen.section("detail").cards.first)
                let names = (session.speakers ?? []).compactMap { id in data.speakers.first { $0.id == id }?.name }
                #expect(card.subtitle == (names.isEmpty ? nil : names.joined(separator: ", ")))
                #expect(
                    card.badges.map(\.text)
                        == [session.tags?.first, session.language, session.complexity].compactMap { $0 })
                #expect(try Set(screen.section("speakers").cards.map(\.title)) == Set(names))
            }
            let ukrainian = try await client.shown("session/127").section("detail").cards
            #expect(ukrainian.first?.badges.map(\.text).contains("Ukrainian") == true)
        }
    }

    @Test func `two sessions with the same title stay two`() async throws {
        try await withConference { _, client in
            let found = try await client.searchPage("TBD")
            // One of them is there on both days.
            #expect(Set(found.items.map(\.id)) == ["session/123", "session/140", "session/140-2"])
        }
    }
}

/// Now and next straight from the timetable, by slots and not by times.
private struct Timetable {
    struct Slot {
        var name: String
        var now: [Int]
        var next: [Int]
    }

    var slots: [Slot] = []

    init(_ days: [ConferenceData.Day]) {
        let all = days.flatMap { day in day.timeslots.map { (day.date, $0) } }
        for (number, (date, slot)) in all.enumerated() {
            var next: [Int] = []
            if number + 1 < all.count {
                let (day, following) = all[number + 1]
                for (track, ids) in following.sessions.enumerated() {
                    let goesOn = day == date && slot.sessions.count == following.sessions.count
                    next += ids.filter { !goesOn || !slot.sessions[track].contains($0) }
                }
            }
            slots.append(Slot(name: "\(date) \(slot.startTime)", now: slot.sessions.flatMap { $0 }, next: next))
        }
    }
}

extension ScreenSection {
    /// The numbers that the conference's own files give its sessions.
    fileprivate var sessions: [Int] {
        items.compactMap { Int($0.id.dropFirst("session/".count).prefix { $0 != "-" }) }
    }
}

import Foundation
import MarqueeClient
import MarqueeModel
import Testing

/// The league app of the samples, as a client has it.
@Suite("League, from files alone", .timeLimit(.minutes(10)))
struct LeagueTests {
    @Test
    func `home: live matches, the table with its changes, the latest results and the next matches`() async throws {
        try await withApp(.league) { _, client in
            let home = try await client.shown(.home)
            let live = try home.section("live").cards
            #expect(live.count == 4)
            #expect(live.allSatisfy { $0.overline == "31 min" })
            #expect(live.contains { $0.title == "Quarry Town – Harbour City" && $0.badges.map(\.text) == ["2:0"] })
            let table = try home.table
            #expect(table.count == 8)
            #expect(table.first?.team == "Mill Rovers")
            #expect(table.first?.rank == CardContent.Rank(place: 1, previous: 3))
            #expect(table.first?.facts["Pts"] == "21")
            #expect(table.compactMap { $0.rank?.place } == Array(1...8))
            #expect(try home.section("results").head.total == 12)
            #expect(try home.section("results").cards.first?.overline?.hasSuffix("round 12") == true)
            #expect(try home.section("fixtures").cards.count == 4)
        }
    }

    @Test func `in Korean: names, headers and the columns of the table`() async throws {
        try await withApp(.league, locale: "ko") { _, client in
            let home = try await client.shown(.home)
            #expect(try home.section("standings").head.header?.title == "순위표")
            #expect(try home.table.first?.team == "밀 로버스")
            #expect(try home.table.first?.facts["승점"] == "21")
            #expect(try home.section("live").cards.first?.overline == "31분")
        }
    }

    @Test
    func `a match day, change by change: the table is sorted after each; the feed ends where it began`() async throws {
        try await withApp(.league) { app, client in
            var updates = client.screen(.home).makeAsyncIterator()
            let start = try await updates.live().screen
            let commits = try SampleName.league.live()
            for (number, commit) in commits.enumerated() {
                try await app.commit(commit)
                // The goals change the table; most other changes are a minute of one match.
                guard commit.count > 1, number < commits.count - 1 else { continue }
                let shown = try await updates.live { !$0.changes.isEmpty }
                let table = try shown.screen.table
                #expect(table.compactMap { $0.rank?.place } == Array(1...8))
                let points = table.compactMap { $0.facts["Pts"].flatMap { Int($0) } }
                #expect(points == points.sorted(by: >))
            }
            let latecomer = try app.client()
            _ = try await latecomer.shown(.home) { $0.sections.map(\.cards) == start.sections.map(\.cards) }
            await latecomer.close()
        }
    }

    @Test func `every team and match has a screen; a team's place is that of the table`() async throws {
        try await withApp(.league) { _, client in
            let table = try await client.shown(.home).table
            for subject in try SampleName.league.subjects() {
                let screen = try await client.shown(ScreenID(subject))
                let card = try #require(try screen.section("detail").cards.first, "\(subject)")
                if subject.hasPrefix("team/") {
                    let row = try #require(table.first { $0.team == card.title })
                    #expect(card.rank == row.rank)
                    #expect(card.facts.first?.value == row.facts["Pts"])
                    let played = try screen.section("results").head.total + UInt32(screen.section("live").items.count)
                    #expect("\(played)" == row.facts["P"])
                } else {
                    #expect(try screen.section("round").items.count == 3)
                    let score = card.badges.map(\.text).first { $0.contains(":") } ?? "0:0"
                    let goals = try screen.section("goals").cards
                    let scored: [Int] = score.split(separator: ":").compactMap { Int($0) }
                    let sum: Int = scored.reduce(0, +)
                    #expect(goals.count == sum)
                    #expect(goals.last?.title.hasPrefix(score) != false)
                }
            }
            let postponed = try await client.shown("match/r09-foundry-lantern").section("detail").cards
            #expect(postponed.first?.badges.map(\.text) == ["Postponed: the pitch is under water"])
        }
    }
}

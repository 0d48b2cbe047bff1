import MarqueeClient
import MarqueeModel
import Testing

/// A real season goes through the league app: what a feed publishes match by match arrives as the table that it is.
@Suite("League: a real season", .enabled(if: AppData.isPresent, AppData.howToSet), .timeLimit(.minutes(10)))
struct LeagueSeasonTests {
    private let season: LeagueSeason

    init() throws { season = try LeagueSeason() }

    private func withSeason(
        _ body: (SampleApp, MarqueeClient, inout ScreenUpdates.Iterator) async throws -> Void
    ) async throws {
        try await withApp(.league, hasData: false) { app, client in
            let table = LeagueTable(teams: season.teams)
            try await app.commit(table.opening() + season.matches.map { try $0.scheduled() })
            var updates = client.screen(.home).makeAsyncIterator()
            _ = try await updates.live { try $0.screen.table == table.shown }
            try await body(app, client, &updates)
        }
    }

    @Test
    func `a commit for each kick-off: the mirror's table is always whole, and ends as the season's`() async throws {
        try await withSeason { app, client, updates in
            var table = LeagueTable(teams: season.teams)
            for matches in season.kickoffs {
                let old = table
                table.play(matches)
                try await app.commit(matches.map { try $0.finished() } + table.changes(since: old))
                let (before, after) = (old.shown, table.shown)
                _ = try await updates.live { update in
                    let shown = try update.screen.table
                    guard shown == before || shown == after else {
                        throw AppTestError("the table of no kick-off is shown: \(shown)")
                    }
                    return shown == after
                }
            }
            let end = try await client.shown(.home).table
            let points = Dictionary(uniqueKeysWithValues: end.map { ($0.team, $0.facts["Pts"]) })
            #expect(end.first?.team == "Manchester City FC")
            #expect(end.first?.facts["Goals"] == "96:34")
            let known = [
                "Manchester City FC": "91", "Arsenal FC": "89", "Liverpool FC": "82", "Luton Town FC": "26",
                "Burnley FC": "24", "Sheffield United FC": "16",
            ]
            for (team, count) in known { #expect(points[team] == count, "\(team)") }
            #expect(end.suffix(3).map(\.team) == ["Luton Town FC", "Burnley FC", "Sheffield United FC"])
            // Equal points, so the goals decide.
            #expect(end[10...12].map { $0.facts["Pts"] } == ["48", "48", "48"])
            #expect(end[10...12].map { $0.facts["+/-"] } == ["-7", "-11", "-13"])
            try await correct(table, app, &updates)
        }
    }

    /// Points that were deducted by decisions from outside: a change like any other.
    private func correct(
        _ table: LeagueTable, _ app: SampleApp, _ updates: inout ScreenUpdates.Iterator
    ) async throws {
        var corrected = table
        corrected.deduct(["Everton FC": 8, "Nottingham Forest FC": 4])
        try await app.commit(corrected.changes(since: table))
        let shown = try await updates.live { try $0.screen.table == corrected.shown }
        let rows = try shown.screen.table
        #expect(rows.first { $0.team == "Everton FC" }?.facts["Pts"] == "40")
        #expect(rows.first { $0.team == "Nottingham Forest FC" }?.facts["Pts"] == "32")
        // Twelfth by what was won on the pitch.
        #expect(rows.first { $0.team == "Everton FC" }?.rank?.previous == 12)
        #expect(rows.first { $0.team == "Everton FC" }?.rank?.place == 15)
        #expect(rows.first { $0.team == "Nottingham Forest FC" }?.rank?.place == 17)
    }

    @Test
    func `matches with one kick-off begin and end together; a round may end after the next begins`() async throws {
        #expect(season.matches.count == 380)
        #expect(Set(season.matches.map { $0.kickoff.prefix(10) }).count == 120)
        let rounds = season.matches.map(\.round)
        #expect(rounds != rounds.sorted(), "some matches were postponed")
        let last = try #require(season.kickoffs.last)
        #expect(last.count == 10)
        try await withSeason { app, client, updates in
            try await app.commit(last.map { try $0.live() })
            let live = try await updates.live { try !$0.screen.section("live").items.isEmpty }
            #expect(try live.screen.section("live").items.count == 10)
            try await app.commit(last.map { try $0.finished() })
            let ended = try await updates.live { try $0.screen.section("live").items.count < 10 }
            #expect(try ended.screen.section("live").items.isEmpty)
            let results = try ended.screen.section("results")
            #expect(results.head.total == 10)
            #expect(Set(results.ids).isSubset(of: last.map { "match/\($0.id)" }))
            let match = try await client.shown(ScreenID("match/\(last[0].id)"))
            let card = try #require(try match.section("detail").cards.first)
            #expect(card.badges.map(\.text) == ["\(last[0].goals.home):\(last[0].goals.away)"])
        }
    }

    @Test func `a team's screen has its matches, played and to come`() async throws {
        try await withSeason { app, client, _ in
            let played = Array(season.kickoffs.prefix(season.kickoffs.count / 2))
            try await app.commit(played.flatMap { $0 }.map { try $0.finished() })
            let team = season.teams[0]
            let count = played.flatMap { $0 }.count { $0.home == team || $0.away == team }
            let screen = try await client.shown(ScreenID("team/\(LeagueTable.id(of: team))"))
            #expect(screen.title == team)
            #expect(try screen.section("results").head.total == UInt32(count))
            #expect(try screen.section("fixtures").items.count == 38 - count)
        }
    }
}

/// A row as a client has it.
struct ShownRow: Equatable {
    var team: String
    var rank: CardContent.Rank?
    var facts: [String: String]
}

extension LeagueTable {
    /// The cards that its rows should be.
    var shown: [ShownRow] {
        rows.map { row in
            ShownRow(
                team: row.team,
                rank: CardContent.Rank(place: UInt32(row.rank), previous: row.before.map { UInt32($0) }),
                facts: [
                    "Pts": "\(row.points)", "+/-": "\(row.difference)", "P": "\(row.played)", "W": "\(row.won)",
                    "D": "\(row.drawn)", "L": "\(row.lost)", "Goals": "\(row.scored):\(row.conceded)",
                ])
        }
    }
}

extension Screen {
    /// The rows of the section `standings`.
    var table: [ShownRow] {
        get throws {
            try section("standings").cards.map { card in
                ShownRow(
                    team: card.title, rank: card.rank,
                    facts: Dictionary(card.facts.map { ($0.label, $0.value) }) { first, _ in first })
            }
        }
    }
}

import MarqueeCatalogue
import MarqueeModel

/// A real season: 380 matches, in the order in which they kicked off.
struct LeagueSeason {
    struct Match: Decodable {
        private struct Score: Decodable { var ft: [Int] }
        private enum CodingKeys: String, CodingKey { case round, date, time, team1, team2, score }

        let round: Int
        /// `2023-08-11 20:00`, on the ground's clock.
        let kickoff: String
        let home: String
        let away: String
        let goals: (home: Int, away: Int)

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            let round = try container.decode(String.self, forKey: .round)
            self.round = Int(round.filter(\.isNumber)) ?? 0
            let (date, time) = try (
                container.decode(String.self, forKey: .date), container.decode(String.self, forKey: .time)
            )
            kickoff = "\(date) \(time)"
            home = try container.decode(String.self, forKey: .team1)
            away = try container.decode(String.self, forKey: .team2)
            let score = try container.decode(Score.self, forKey: .score).ft
            guard score.count == 2 else {
                throw DecodingError.dataCorruptedError(forKey: .score, in: container, debugDescription: "no score")
            }
            goals = (score[0], score[1])
        }

        var id: String { LeagueTable.id(of: "\(home) \(away)") }
    }

    private struct File: Decodable { var matches: [Match] }

    let teams: [String]
    /// Matches that began at one time, group by group.
    let kickoffs: [[Match]]

    init() throws {
        let matches = try AppData.read(File.self, from: "league/premier_league_2023-24.json").matches
        teams = Set(matches.map(\.home)).sorted()
        kickoffs = Dictionary(grouping: matches, by: \.kickoff).sorted { $0.key < $1.key }.map { $0.value }
    }

    var matches: [Match] { kickoffs.flatMap { $0 } }
}

extension LeagueSeason.Match {
    private func change(_ name: String, _ fields: [String: Any]) throws -> Change {
        try Change(name, "match", id, fields)
    }

    func scheduled() throws -> Change {
        let (home, away) = (LeagueTable.id(of: home), LeagueTable.id(of: away))
        return try change(
            "put",
            ["id": id, "round": round, "kickoff": kickoff, "home": home, "away": away, "teams": [home, away]])
    }

    func live() throws -> Change { try change("merge", ["status": "LIVE", "homeGoals": 0, "awayGoals": 0]) }

    func finished() throws -> Change {
        try change("merge", ["status": "FINISHED", "homeGoals": goals.home, "awayGoals": goals.away])
    }
}

import MarqueeCatalogue
import MarqueeModel

/// A league table, counted by 3/1/0, then by goal difference, then by goals: what a feed computes before it publishes.
struct LeagueTable: Equatable {
    struct Row: Hashable {
        let team: String
        /// Counted from 1.
        var rank: Int
        /// The rank before the last change; `nil` where there was none.
        var before: Int?
        var won = 0
        var drawn = 0
        var lost = 0
        var scored = 0
        var conceded = 0
        var deducted = 0

        init(team: String, rank: Int) {
            self.team = team
            self.rank = rank
        }

        var played: Int { won + drawn + lost }
        var difference: Int { scored - conceded }
        var points: Int { 3 * won + drawn - deducted }
        var id: String { LeagueTable.id(of: team) }
    }

    /// The rows in the order of their ranks.
    private(set) var rows: [Row]

    /// The table before the first match.
    init(teams: [String]) {
        rows = teams.sorted().enumerated().map { Row(team: $1, rank: $0 + 1) }
    }

    static func id(of team: String) -> String {
        team.lowercased().map { $0.isLetter ? "\($0)" : "-" }.joined()
    }

    /// Counts matches that ended at one time.
    mutating func play(_ matches: [LeagueSeason.Match]) {
        for match in matches {
            count(match.home, match.goals.home, against: match.goals.away)
            count(match.away, match.goals.away, against: match.goals.home)
        }
        rank()
    }

    mutating func deduct(_ points: [String: Int]) {
        for place in rows.indices { rows[place].deducted += points[rows[place].team] ?? 0 }
        rank()
    }

    private mutating func count(_ team: String, _ scored: Int, against conceded: Int) {
        guard let place = rows.firstIndex(where: { $0.team == team }) else { return }
        rows[place].scored += scored
        rows[place].conceded += conceded
        rows[place].won += scored > conceded ? 1 : 0
        rows[place].drawn += scored == conceded ? 1 : 0
        rows[place].lost += scored < conceded ? 1 : 0
    }

    private mutating func rank() {
        rows.sort {
            ($1.points, $1.difference, $1.scored, $0.team) < ($0.points, $0.difference, $0.scored, $1.team)
        }
        for place in rows.indices {
            rows[place].before = rows[place].rank
            rows[place].rank = place + 1
        }
    }
}

// MARK: - Changes

extension LeagueTable.Row {
    /// The row as JSON of `league.v1.Standing`.
    var standing: [String: Any] {
        var standing: [String: Any] = [
            "rank": rank, "played": played, "won": won, "drawn": drawn, "lost": lost, "scored": scored,
            "conceded": conceded, "difference": difference, "points": points, "deducted": deducted,
        ]
        standing["before"] = before
        return standing
    }
}

extension LeagueTable {
    /// The list and the teams that stand in it.
    func opening() throws -> [Change] {
        let teams = try rows.map { row in
            try Change("put", "team", row.id, ["id": row.id, "name": ["en": row.team]])
        }
        let entries = rows.map { ["record": "team/\($0.id)", "place": $0.standing] as [String: Any] }
        return try teams + [Change(json: ["list": ["list": "standings", "entries": entries] as [String: Any]])]
    }

    /// Returns the changes that lead from an earlier table to this one: of each place that differs, from the top.
    func changes(since old: LeagueTable) throws -> [Change] {
        var order = old.rows.map(\.team)
        var changes: [Change] = []
        for (place, row) in rows.enumerated() {
            let item: [String: Any] = ["record": "team/\(row.id)", "place": row.standing]
            var edit: [String: Any] = ["list": "standings", "item": item]
            if order[place] != row.team {
                order.removeAll { $0 == row.team }
                order.insert(row.team, at: place)
                edit["at"] = place + 1
            } else if old.rows[place] == row {
                continue
            }
            changes.append(try Change(json: ["listItem": edit]))
            changes.append(try Change("merge", "team", row.id, ["standing": row.standing]))
        }
        return changes
    }
}

/// The content at each revision of the logs, worked out from the rows alone.
struct LogModel: Sendable {
    /// The keys that each movie has carried, oldest first.
    private let marks: [String: [(revision: UInt64, key: String)]]
    private struct Favorites {
        /// Before the first of these changes.
        var first: Set<String> = []
        /// Oldest first.
        var changes: [(revision: UInt64, subject: String, isSet: Bool)] = []
    }

    private let favorites: [String: Favorites]

    /// - Parameter history: says which movie each key belongs to.
    init(_ history: History, _ stored: Stored) {
        var movies: [String: String] = [:]
        for event in history.events {
            if case .asked(_, .mark(let movie, let key)) = event.what { movies[key] = movie }
        }
        var marks: [String: [(revision: UInt64, key: String)]] = [:]
        for commit in stored.commits.sorted(by: { $0.revision < $1.revision }) {
            guard let key = commit.key, let movie = movies[key] else { continue }
            marks[movie, default: []].append((commit.revision, key))
        }
        self.marks = marks
        let changes = Dictionary(grouping: stored.moves.filter { $0.collection == Stored.favorites }, by: \.user)
            .mapValues { moves in
                moves.sorted { $0.revision < $1.revision }.map { ($0.revision, $0.subject, $0.value != nil) }
            }
        let members = Dictionary(
            grouping: stored.members.keys.filter { $0.collection == Stored.favorites }, by: \.user)
        var favorites: [String: Favorites] = [:]
        for user in Set(changes.keys).union(members.keys) {
            let changes = changes[user] ?? []
            favorites[user] = Favorites(
                first: stored.hasWholeLog(of: user)
                    ? [] : Self.before(changes, Set((members[user] ?? []).map(\.subject))),
                changes: changes)
        }
        self.favorites = favorites
    }

    /// The favorites from which changes have led to others. Each change is one: nothing is set twice in a row.
    private static func before(
        _ changes: [(revision: UInt64, subject: String, isSet: Bool)], _ members: Set<String>
    ) -> Set<String> {
        changes.reversed().reduce(into: members) { members, change in
            if change.isSet { members.remove(change.subject) } else { members.insert(change.subject) }
        }
    }

    /// The key that a movie carries at a revision; empty before the first.
    func mark(of movie: String, at revision: UInt64) -> String {
        guard let marks = marks[movie] else { return "" }
        // The first that comes too late.
        var (low, high) = (0, marks.count)
        while low < high {
            let middle = (low + high) / 2
            if marks[middle].revision <= revision { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? marks[low - 1].key : ""
    }

    /// A user's favorites at a revision.
    func favorites(of user: String, at revision: UInt64) -> Set<String> {
        var set = favorites[user]?.first ?? []
        for move in favorites[user]?.changes ?? [] {
            if move.revision > revision { break }
            if move.isSet { set.insert(move.subject) } else { set.remove(move.subject) }
        }
        return set
    }

    /// Whether a user's favorites become these after one revision, and until another one.
    func has(_ wanted: Set<String>, of user: String, after revision: UInt64, until last: UInt64) -> Bool {
        var set = favorites[user]?.first ?? []
        for move in favorites[user]?.changes ?? [] {
            if move.revision > last { break }
            if move.isSet { set.insert(move.subject) } else { set.remove(move.subject) }
            if move.revision > revision, set == wanted { return true }
        }
        return false
    }

    /// Where a screen's content differs from what its log leads to; `nil` where it doesn't.
    func difference(
        _ screen: RecordedScreen, _ user: String, _ position: Position, _ content: [String: String]
    ) -> String? {
        switch screen {
        case .home:
            for (movie, key) in content.sorted(by: { $0.key < $1.key }) {
                let wanted = mark(of: movie, at: position.revision)
                if key != wanted { return "\(movie) carries '\(key)', not '\(wanted)'" }
            }
        case .favorites:
            let wanted = favorites(of: user, at: position.userRevision)
            if Set(content.keys) != wanted {
                return "has \(content.keys.sorted()), not \(wanted.sorted())"
            }
        }
        return nil
    }
}

/// A movie that a user may have marked.
struct FavoriteKey: Hashable, Comparable, Sendable {
    var user: String
    var subject: String

    static func < (one: FavoriteKey, two: FavoriteKey) -> Bool {
        (one.user, one.subject) < (two.user, two.subject)
    }
}

/// The favorites according to the database.
struct StoredFavorites: Sendable {
    /// Each move of each favorite, in the order of the user's log: set or unset.
    var moves: [FavoriteKey: [Bool]] = [:]
    /// The favorites that are members now.
    var members: Set<FavoriteKey> = []
    /// The revision of each user's log.
    var revisions: [String: Int] = [:]
}

/// Compares what clients were promised with what the database has.
struct Judge {
    /// Changes that were confirmed and aren't there.
    private(set) var lost = 0
    /// Changes that are there although nobody made them, or more often than they were made.
    private(set) var doubled = 0
    private(set) var findings: [String] = []

    /// - Parameter confirmed: the changes of each favorite that clients know of, in order: set or unset.
    init(confirmed: [FavoriteKey: [Bool]], stored: StoredFavorites) {
        for key in Set(confirmed.keys).union(stored.moves.keys).union(stored.members).sorted() {
            let changes = confirmed[key] ?? []
            judge(key, changes, stored.moves[key] ?? [])
            if stored.moves[key] ?? [] == changes { judge(key, changes, isMember: stored.members.contains(key)) }
        }
        let moved = Dictionary(grouping: stored.moves, by: \.key.user).mapValues {
            $0.reduce(0) { $0 + $1.value.count }
        }
        for (user, revision) in stored.revisions.sorted(by: { $0.key < $1.key }) where revision != moved[user] ?? 0 {
            findings.append("the log of \(user) is at \(revision) after \(moved[user] ?? 0) moves")
        }
    }

    private mutating func judge(_ key: FavoriteKey, _ confirmed: [Bool], _ stored: [Bool]) {
        let difference = confirmed.difference(from: stored)
        let words =
            "\(key.subject) of \(key.user) was changed \(confirmed.count) times, and moved \(stored.count) times"
        if !difference.insertions.isEmpty { lose(difference.insertions.count, words) }
        if !difference.removals.isEmpty { double(difference.removals.count, words) }
    }

    /// Whether the members are those that the log has led to.
    private mutating func judge(_ key: FavoriteKey, _ confirmed: [Bool], isMember: Bool) {
        let isWanted = confirmed.last ?? false
        if isWanted, !isMember { lose(1, "\(key.subject) of \(key.user) was set last, and is no member") }
        if !isWanted, isMember { double(1, "\(key.subject) of \(key.user) was unset last, and is a member") }
    }

    private mutating func lose(_ count: Int, _ finding: String) {
        lost += count
        findings.append(finding)
    }

    private mutating func double(_ count: Int, _ finding: String) {
        doubled += count
        findings.append(finding)
    }
}

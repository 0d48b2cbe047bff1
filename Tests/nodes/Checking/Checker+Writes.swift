/// The laws about what was written.
extension Checker {
    /// Revisions that are missing or there twice, and heads that name another one than the last.
    var gaps: [Violation] {
        var found = Self.gaps(in: stored.commits.map(\.revision), head: stored.head, of: "the catalogue")
        let byUser = Dictionary(grouping: stored.moves, by: \.user)
        for user in Set(byUser.keys).union(stored.userHeads.keys).sorted() {
            let revisions = (byUser[user] ?? []).map(\.revision)
            found += Self.gaps(in: revisions, head: stored.userHeads[user] ?? 0, of: user)
        }
        return found
    }

    private static func gaps(in revisions: [UInt64], head: UInt64, of log: String) -> [Violation] {
        let sorted = revisions.sorted()
        var found = zip(sorted, sorted.dropFirst()).filter { $1 != $0 + 1 }.map { one, next in
            Violation(law: .gaps, text: "the log of \(log) has \(next) after \(one)")
        }
        if let last = sorted.last, last != head {
            found.append(Violation(law: .gaps, text: "the head of \(log) is \(head), and its log ends at \(last)"))
        }
        return found
    }

    /// Publications that are there twice, without having been asked for, or not at all.
    var keys: [Violation] {
        var asked: Set<String> = []
        var confirmed: [String: (at: Double, revision: UInt64?)] = [:]
        for event in history.events {
            switch event.what {
            case .asked(_, .mark(_, let key)): asked.insert(key)
            case .confirmed(_, .mark(_, let key), let revision): confirmed[key] = (event.at, revision)
            default: break
            }
        }
        var revisions: [String: [UInt64]] = [:]
        for commit in stored.commits {
            if let key = commit.key { revisions[key, default: []].append(commit.revision) }
        }
        var found: [Violation] = []
        for (key, revisions) in revisions.sorted(by: { $0.key < $1.key }) {
            if revisions.count > 1 {
                found.append(Violation(law: .once, text: "\(key) took effect at each of \(revisions)"))
            }
            if key.hasPrefix(Self.keyPrefix), !asked.contains(key) {
                found.append(Violation(law: .once, text: "\(key) took effect, and nobody asked for it"))
            }
        }
        for (key, confirmation) in confirmed.sorted(by: { $0.value.at < $1.value.at }) {
            guard !mayBeLost(confirmedAt: confirmation.at) else { continue }
            let at = "confirmed at \(Self.text(confirmation.at)) s"
            guard let revision = revisions[key]?.first else {
                found.append(Violation(law: .kept, text: "\(key), \(at), is lost"))
                continue
            }
            if let told = confirmation.revision, told != revision {
                found.append(
                    Violation(law: .kept, text: "\(key), \(at) as revision \(told), is revision \(revision)"))
            }
            if stored.keys[key] != revision {
                found.append(
                    Violation(law: .rows, text: "\(key) is revision \(revision), and not recorded as made by it"))
            }
        }
        return found
    }

    /// All publishers' keys begin like this.
    static let keyPrefix = "faults/"

    /// Counters that went back, have a number that nobody asked for, or lack a confirmed one.
    var counters: [Violation] {
        var asked: [String: Set<Int>] = [:]
        var confirmed: [(user: String, value: Int, at: Double)] = []
        for event in history.events {
            switch event.what {
            case .asked(_, .count(let user, let value)): asked[user, default: []].insert(value)
            case .confirmed(_, .count(let user, let value), _): confirmed.append((user, value, event.at))
            default: break
            }
        }
        let moves = Dictionary(grouping: stored.moves.filter { $0.collection == Stored.counter }, by: \.user)
        var kept: [String: Set<Int>] = [:]
        var found: [Violation] = []
        for (user, moves) in moves.sorted(by: { $0.key < $1.key }) {
            let values = moves.sorted { $0.revision < $1.revision }.map { $0.value.flatMap(Stored.number) }
            var last = 0
            for value in values {
                guard let value, asked[user]?.contains(value) == true else {
                    found.append(
                        Violation(
                            law: .once,
                            text: "the counter of \(user) had \(value.map { "\($0)" } ?? "nothing"), "
                                + "which nobody asked for"))
                    continue
                }
                if value <= last {
                    found.append(
                        Violation(
                            law: .once, text: "the counter of \(user) took \(value) after \(last): twice, or late"))
                }
                last = max(last, value)
                kept[user, default: []].insert(value)
            }
        }
        for count in confirmed where !mayBeLost(confirmedAt: count.at) {
            if kept[count.user]?.contains(count.value) == true { continue }
            // Where the first ones of the log are missing, a number that came later stands for those before it.
            if !stored.hasWholeLog(of: count.user), counter(of: count.user) >= count.value,
                kept[count.user]?.min().map({ count.value < $0 }) ?? true
            {
                continue
            }
            found.append(
                Violation(
                    law: .kept,
                    text:
                        "\(count.value) of the counter of \(count.user), confirmed at \(Self.text(count.at)) s, is lost"
                ))
        }
        return found
    }

    /// Favorites whose changes aren't those that were confirmed, in their order. Where some may be lost, or were
    /// refused, only the last change is looked at.
    var favorites: [Violation] {
        struct Key: Hashable {
            var user: String
            var subject: String
        }
        var confirmed: [Key: [(isSet: Bool, at: Double)]] = [:]
        var unclear: Set<Key> = []
        // Keys whose last change may or may not have taken effect.
        var unknown: Set<Key> = []
        var open: [Key: Int] = [:]
        for event in history.events {
            switch event.what {
            case .asked(_, .favorite(let user, let subject, _)):
                open[Key(user: user, subject: subject), default: 0] += 1
            case .confirmed(_, .favorite(let user, let subject, let isSet), _):
                let key = Key(user: user, subject: subject)
                open[key, default: 0] -= 1
                confirmed[key, default: []].append((isSet, event.at))
                unknown.remove(key)
                if mayBeLost(confirmedAt: event.at) { unclear.insert(key) }
            case .refused(_, .favorite(let user, let subject, _), _):
                let key = Key(user: user, subject: subject)
                open[key, default: 0] -= 1
                unclear.insert(key)
                unknown.insert(key)
            default: break
            }
        }
        let moves = Dictionary(grouping: stored.moves.filter { $0.collection == Stored.favorites }) {
            Key(user: $0.user, subject: $0.subject)
        }
        var found: [Violation] = []
        for key in Set(confirmed.keys).union(moves.keys).sorted(by: { ($0.user, $0.subject) < ($1.user, $1.subject) }) {
            let changes = confirmed[key] ?? []
            let stored = (moves[key] ?? []).sorted { $0.revision < $1.revision }.map { $0.value != nil }
            let isMember =
                self.stored.members[
                    Stored.Member(user: key.user, collection: Stored.favorites, subject: key.subject)] != nil
            let name = "\(key.subject) of \(key.user)"
            if open[key] ?? 0 != 0 || unknown.contains(key) { continue }
            if unclear.contains(key) || !self.stored.hasWholeLog(of: key.user) {
                guard let last = changes.last, !mayBeLost(confirmedAt: last.at) else { continue }
                if stored.last ?? isMember != last.isSet {
                    found.append(
                        Violation(
                            law: .kept,
                            text: "\(name), confirmed as \(last.isSet ? "set" : "unset") at "
                                + "\(Self.text(last.at)) s, is the opposite"))
                }
                continue
            }
            let difference = changes.map(\.isSet).difference(from: stored)
            let words = "\(name) was confirmed \(changes.count) times, and moved \(stored.count) times"
            if !difference.insertions.isEmpty { found.append(Violation(law: .kept, text: words)) }
            if !difference.removals.isEmpty { found.append(Violation(law: .once, text: words)) }
        }
        return found
    }

    /// Members that aren't those that the moves lead to.
    var rows: [Violation] {
        var wanted: [Stored.Member: String] = [:]
        for move in stored.moves.sorted(by: { ($0.user, $0.revision) < ($1.user, $1.revision) }) {
            let member = Stored.Member(user: move.user, collection: move.collection, subject: move.subject)
            wanted[member] = move.value
        }
        let older = stored.members.keys.filter { wanted[$0] == nil && !stored.hasWholeLog(of: $0.user) }
        return Set(wanted.keys).union(stored.members.keys).subtracting(older)
            .filter { wanted[$0] != stored.members[$0] }
            .sorted { ($0.user, $0.collection, $0.subject) < ($1.user, $1.collection, $1.subject) }
            .map { member in
                Violation(
                    law: .rows,
                    text:
                        "\(member.subject) in \(member.collection) of \(member.user) is \(stored.members[member] ?? "none"), "
                        + "and its log leads to \(wanted[member] ?? "none")")
            }
    }
}

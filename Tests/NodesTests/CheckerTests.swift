import Testing

@testable import nodes

/// Each law holds for a good history, and is found broken in one that was made up so.
struct CheckerTests {
    private static let epoch: UInt64 = 7
    private static let key = "faults/node-1/1"
    private static let mark = Write.mark(movie: "movie/1", key: key)
    private static let count = Write.count(user: "ana", value: 1)
    private static let star = Write.favorite(user: "ana", subject: "movie/1", isSet: true)

    /// A position in the logs that the database has in the end.
    private static func at(_ revision: UInt64, user userRevision: UInt64 = 0, in epoch: UInt64 = epoch) -> Position {
        Position(epoch: epoch, revision: revision, userEpoch: epoch, userRevision: userRevision)
    }

    /// A commit, a favorite and a counter, each confirmed, and an observer that shows all of it in the end.
    private static let good: [Event.What] = [
        .shown(observer: "o", user: "ana", .home, at(1), ["movie/1": ""]),
        .asked(writer: "publisher@node-1", mark),
        .confirmed(writer: "publisher@node-1", mark, revision: 2),
        .shown(observer: "o", user: "ana", .home, at(2), ["movie/1": key]),
        .asked(writer: "ana-0", star),
        .confirmed(writer: "ana-0", star, revision: nil),
        .readBack(device: "ana-0", user: "ana", subject: "movie/1", isSet: true),
        .asked(writer: "ana-1", count),
        .confirmed(writer: "ana-1", count, revision: nil),
        .shown(observer: "o", user: "ana", .favorites, at(2, user: 2), ["movie/1": ""]),
        .counted(observer: "o", user: "ana", value: 1),
        .live(observer: "o", isLive: true),
    ]

    private static let stored: Stored = {
        var stored = Stored()
        (stored.epoch, stored.userEpoch, stored.head) = (epoch, epoch, 2)
        stored.commits = [Stored.Commit(revision: 1), Stored.Commit(revision: 2, key: key)]
        stored.keys = [key: 2]
        stored.moves = [
            Stored.Move(user: "ana", collection: "favorites", subject: "movie/1", value: "", revision: 1),
            Stored.Move(user: "ana", collection: "counter", subject: "movie/1", value: "01", revision: 2),
        ]
        stored.members = [
            Stored.Member(user: "ana", collection: "favorites", subject: "movie/1"): "",
            Stored.Member(user: "ana", collection: "counter", subject: "movie/1"): "01",
        ]
        stored.userHeads = ["ana": 2]
        return stored
    }()

    /// The laws that are broken.
    /// - Parameters:
    ///   - events: one a second.
    ///   - change: of what the database has.
    private func broken(
        _ events: [Event.What], _ terms: Checker.Terms = Checker.Terms(lasting: ["o"]),
        _ change: (inout Stored) -> Void = { _ in }
    ) -> Set<Law> {
        var history = History(limit: 100)
        for (second, event) in events.enumerated() { history.append(event, at: Double(second)) }
        var stored = Self.stored
        change(&stored)
        return Set(Checker(history, stored: stored, terms: terms).violations.map(\.law))
    }

    @Test func `A good history breaks no law`() {
        #expect(broken(Self.good) == [])
    }

    @Test(arguments: [CheckerTests.at(1), CheckerTests.at(2, in: 6)])
    func `An observer that goes back, or to an epoch that it had left, is found`(position: Position) {
        let past = [Event.What.shown(observer: "p", user: "ana", .home, Self.at(2, in: 6), [:])]
        let now = [Event.What.shown(observer: "p", user: "ana", .home, Self.at(2), [:])]
        let back = [Event.What.shown(observer: "p", user: "ana", .home, position, [:])]
        #expect(broken(Self.good + past + now) == [])
        #expect(broken(Self.good + past + now + back) == [.monotone])
    }

    @Test func `A counter that goes back is found, unless commits may be lost`() {
        let back = [
            Event.What.counted(observer: "p", user: "ana", value: 2), .counted(observer: "p", user: "ana", value: 1),
        ]
        #expect(broken(Self.good + back) == [.monotone])
        #expect(broken(Self.good + [.mayLose(true), .mayLose(false)] + back) == [])
    }

    @Test func `Two contents of one position are found, in an epoch that is over, too`() {
        let states = ["a", "b"].map {
            Event.What.shown(observer: $0, user: "ana", .home, Self.at(9, in: 6), ["movie/1": $0])
        }
        #expect(broken(Self.good + states) == [.oneContent])
        let favorites = ["movie/1", "movie/2"].map {
            Event.What.shown(observer: $0, user: "ana", .favorites, Self.at(9, user: 3, in: 6), [$0: ""])
        }
        #expect(broken(Self.good + favorites) == [.oneContent])
    }

    @Test func `A state that the log doesn't lead to is found`() {
        let early = Event.What.shown(observer: "p", user: "ana", .home, Self.at(1), ["movie/2": Self.key])
        #expect(broken(Self.good + [early]) == [.model])
        let lacking = Event.What.shown(observer: "p", user: "ana", .favorites, Self.at(2, user: 1), [:])
        #expect(broken(Self.good + [lacking]) == [.model])
    }

    @Test func `A log whose first changes are missing is judged by the members that they have led to`() {
        // Of the good history's user, whose log is at 2, the database has the members alone.
        func restored(_ stored: inout Stored) {
            stored.moves = [
                Stored.Move(user: "ana", collection: "favorites", subject: "movie/2", value: "", revision: 3)
            ]
            stored.userHeads["ana"] = 3
            stored.members[Stored.Member(user: "ana", collection: "favorites", subject: "movie/2")] = ""
        }
        let other = Write.favorite(user: "ana", subject: "movie/2", isSet: true)
        func later(_ content: [String: String]) -> [Event.What] {
            [
                .mayLose(true), .mayLose(false), .asked(writer: "ana-0", other),
                .confirmed(writer: "ana-0", other, revision: nil),
                .shown(observer: "o", user: "ana", .favorites, Self.at(2, user: 3), content),
            ]
        }
        #expect(broken(Self.good + later(["movie/1": "", "movie/2": ""]), Checker.Terms(), restored) == [])
        #expect(broken(Self.good + later(["movie/2": ""]), Checker.Terms(), restored) == [.model])
    }

    @Test func `Favorites may be as new as the position that is named next, and no newer`() {
        func shown(_ screen: RecordedScreen, user revision: UInt64, _ content: [String: String]) -> Event.What {
            .shown(observer: "p", user: "ana", screen, Self.at(2, user: revision), content)
        }
        let early = shown(.favorites, user: 0, ["movie/1": ""])
        let named = shown(.home, user: 1, ["movie/1": Self.key])
        let notNamed = shown(.home, user: 0, ["movie/1": Self.key])
        let later = shown(.favorites, user: 1, ["movie/1": ""])
        #expect(broken(Self.good + [early, named, later]) == [])
        #expect(broken(Self.good + [early, notNamed, later]) == [.model])
    }

    @Test func `A gap in a log is found, and a head that names another revision`() {
        #expect(broken(Self.good, Checker.Terms()) { $0.commits[0].revision = 0 } == [.gaps])
        #expect(broken(Self.good, Checker.Terms()) { $0.head = 3 } == [.gaps])
        #expect(broken(Self.good, Checker.Terms()) { $0.userHeads["ana"] = 3 } == [.gaps])
    }

    @Test func `A key that took effect twice is found, and one that nobody asked for`() {
        let again = Stored.Commit(revision: 3, key: Self.key)
        #expect(
            broken(Self.good, Checker.Terms()) {
                $0.commits.append(again)
                $0.head = 3
            } == [.once])
        #expect(
            broken(Self.good, Checker.Terms()) {
                $0.commits.append(Stored.Commit(revision: 3, key: "faults/node-1/9"))
                $0.head = 3
            } == [.once])
    }

    @Test(arguments: ["01", "05"])
    func `A number of a counter that took effect twice is found, and one of nobody`(value: String) {
        let move = Stored.Move(user: "ana", collection: "counter", subject: "movie/1", value: value, revision: 3)
        #expect(
            broken(Self.good, Checker.Terms()) {
                $0.moves.append(move)
                $0.userHeads["ana"] = 3
                $0.members[Stored.Member(user: "ana", collection: "counter", subject: "movie/1")] = value
            } == [.once])
    }

    @Test func `A favorite that moved more often than it was confirmed is found`() {
        #expect(
            broken(Self.good, Checker.Terms()) {
                for (isSet, revision) in [(false, 3), (true, 4)] {
                    $0.moves.append(
                        Stored.Move(
                            user: "ana", collection: "favorites", subject: "movie/1", value: isSet ? "" : nil,
                            revision: UInt64(revision)))
                }
                $0.userHeads["ana"] = 4
            } == [.once])
    }

    /// Takes everything that was confirmed out of the database.
    private func lose(_ stored: inout Stored) {
        stored.commits[1].key = nil
        stored.moves = []
        stored.members = [:]
        stored.userHeads = [:]
    }

    @Test func `What was confirmed and isn't there is lost`() {
        let writes = Self.good.filter {
            switch $0 {
            case .asked, .confirmed: true
            default: false
            }
        }
        #expect(broken(writes, Checker.Terms(), lose) == [.kept])
        #expect(broken([.mayLose(true)] + writes + [.mayLose(false)], Checker.Terms(), lose) == [])
        #expect(broken([.mayLose(true), .mayLose(false)] + writes, Checker.Terms(), lose) == [.kept])
    }

    @Test func `A key that is there as another revision than its writer was told is found`() {
        let events =
            Self.good + [
                .asked(writer: "publisher@node-2", .mark(movie: "movie/2", key: "faults/node-2/1")),
                .confirmed(writer: "publisher@node-2", .mark(movie: "movie/2", key: "faults/node-2/1"), revision: 4),
            ]
        #expect(
            broken(events, Checker.Terms()) {
                $0.commits.append(Stored.Commit(revision: 3, key: "faults/node-2/1"))
                $0.keys["faults/node-2/1"] = 3
                $0.head = 3
            } == [.kept])
    }

    @Test func `A favorite that is the opposite of what was confirmed last is found after a loss, too`() {
        let lost = [.mayLose(true)] + Self.good + [.mayLose(false)]
        let later = Write.favorite(user: "ana", subject: "movie/1", isSet: false)
        let writes = [Event.What.asked(writer: "ana-1", later), .confirmed(writer: "ana-1", later, revision: nil)]
        #expect(broken(lost + writes, Checker.Terms()).contains(.kept))
        let refused = [Event.What.asked(writer: "ana-1", Self.star), .refused(writer: "ana-1", Self.star, reason: "")]
        #expect(broken(lost + writes + refused, Checker.Terms()) == [])
    }

    @Test func `A device that shows the opposite of what it was told is found`() {
        let read = Event.What.readBack(device: "ana-0", user: "ana", subject: "movie/1", isSet: false)
        #expect(broken(Self.good + [read]) == [.ownWrites])
    }

    @Test func `Rows that don't agree with their log are found`() {
        #expect(
            broken(Self.good, Checker.Terms()) {
                $0.members[Stored.Member(user: "ana", collection: "favorites", subject: "movie/2")] = ""
            } == [.rows])
        #expect(broken(Self.good, Checker.Terms()) { $0.keys = [:] } == [.rows])
    }

    @Test func `A history that left something out is no proof`() {
        var history = History(limit: 3)
        for event in Self.good { history.append(event, at: 0) }
        #expect(Checker(history, stored: Self.stored).violations.contains { $0.law == .rows })
    }

    @Test func `A mirror that stays behind, or never shows anything, is found`() {
        let behind = Event.What.shown(observer: "p", user: "ana", .home, Self.at(1), ["movie/1": ""])
        #expect(broken(Self.good + [behind], Checker.Terms(lasting: ["o", "p"])) == [.converged])
        #expect(broken(Self.good, Checker.Terms(lasting: ["nobody"])) == [.converged])
        let counted = Event.What.counted(observer: "o", user: "ana", value: 3)
        #expect(broken(Self.good + [counted]) == [.converged])
        #expect(broken(Self.good + [.live(observer: "o", isLive: false)]) == [.converged])
    }

    @Test func `A change that is never confirmed is found, and one that is refused where nothing may be lost`() {
        let asked = Event.What.asked(writer: "ana-0", .count(user: "ana", value: 2))
        let refused = Event.What.refused(writer: "ana-0", .count(user: "ana", value: 2), reason: "")
        #expect(broken(Self.good + [asked]) == [.decided])
        #expect(broken(Self.good + [asked, refused]) == [.decided])
        #expect(broken(Self.good + [asked, refused], Checker.Terms(mayRefuse: true, lasting: ["o"])) == [])
    }

    @Test func `Only those at other servers mustn't wait`() {
        // It is asked for at second 1 and confirmed a second later.
        #expect(broken(Self.good, Checker.Terms(patience: 0.5, victim: "node-2")) == [.patience])
        #expect(broken(Self.good, Checker.Terms(patience: 0.5, victim: "node-1")) == [])
        #expect(broken(Self.good, Checker.Terms(patience: 2, victim: "node-2")) == [])
    }

    @Test func `A process that ended by itself is found`() {
        #expect(broken(Self.good + [.ended(process: "node-1", status: "a signal")]) == [.alive])
    }

    @Test func `Commits may be lost from the first moment that they may be to the one at which they may not`() {
        var history = History(limit: 10)
        for (second, mayLose) in [true, true, false, false, true].enumerated() {
            history.append(.mayLose(mayLose), at: Double(second))
        }
        #expect(history.losses == [0...2, 4...Double.infinity])
    }

    @Test(
        arguments: [
            ("01", 1), ("0801", 1), ("ac02", 300), ("08ac02", 300), ("", nil), ("0", nil), ("8", nil), ("ff", nil),
        ]
            as [(String, Int?)])
    func `A counter's number is read from the bytes of its row`(hexadecimal: String, number: Int?) {
        #expect(Stored.number(hexadecimal) == number)
    }

    @Test func `Time without live updates is the longest between two of them, to either end`() {
        var history = History(limit: 10)
        for (second, revision) in [(0.0, 1), (1, 2), (4, 3), (5, 3), (6, 4)] {
            history.append(
                .shown(observer: "o", user: "ana", .home, Self.at(UInt64(revision)), [:]), at: second)
        }
        #expect(Interruption(history, observers: ["o"], during: 0.5...7).worst == 3)
        #expect(Interruption(history, observers: ["o"], during: 0.5...20).worst == 14)
        #expect(Interruption(history, observers: ["o", "nobody"], during: 0.5...7).worst == 6.5)
    }
}

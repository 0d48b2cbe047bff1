import HubSupport
import MarqueeCatalogue
import MarqueeModel
import MarqueeScreens
import MarqueeStore
import MarqueeTypes
import SeededRandom
import Testing

@testable import MarqueeServer

/// A server's engine on a clock of the test's own: a store, the hub over it, and what decides when time is committed.
@Suite struct TimedServerTests {
    private static let types = TypesDocument(
        declarations: """
            types:
              show:
                fields: {id: text, channel: text, title: text, starts: time}
                id: id
                facets: [channel]
                sorts: [starts]
            """, descriptors: [])
    private static let zones = ["Asia/Seoul", "Europe/Berlin", "America/New_York", "UTC"]

    /// The shows of today per zone, and what comes next on some channels.
    private static var programme: String {
        var sections = zones.map { zone in
            let id = zone.lowercased().replacing("/", with: "-").replacing("_", with: "-")
            return """
                {id: \(id), kind: list, zone: \(zone), source: {records: {type: show, sort: starts, limit: 50,
                  where: {starts: {from: today, below: today + 1d}}}}, body: {card: {title: $title}}}
                """
        }
        sections += (0..<3).map { channel in
            """
            {id: next-\(channel), kind: list, source: {records: {type: show, sort: starts, limit: 3,
              where: {channel: c\(channel), starts: {from: now - 30m, below: now + 2h}}}}, body: {card: {title: $title}}}
            """
        }
        sections.append(
            """
            {id: night, kind: list, visible: {from: 2026-10-25T00:30:00Z, until: 2026-10-25T03:30:00+01:00},
              source: {records: {type: show, sort: starts, limit: 9, where: {starts: {above: now}}}},
              body: {card: {title: $title}}}
            """)
        return "screens: {home: {title: H, sections: [\(sections.joined(separator: ","))]}}"
    }

    /// A programme for as long as the store has none.
    private static let before = """
        screens:
          home: {title: H, sections: [{id: a, kind: text, source: {items: [{id: i, text: {text: Hello}}]}}]}
        """

    private final class Server {
        let store: MemoryStore
        let hub: Hub
        private(set) var keeper = Timekeeper()
        var wall: Moment

        /// - Parameter changes: the catalogue; none for what the store has.
        init(_ store: MemoryStore = MemoryStore(), _ changes: [Change] = [], at wall: Moment) throws {
            self.store = store
            self.wall = wall
            for start in stride(from: 0, to: changes.count, by: CatalogueBounds.changesPerCommit) {
                let part = Array(changes[start..<min(start + CatalogueBounds.changesPerCommit, changes.count)])
                _ = try store.write([.catalogue(key: nil, changes: part, mutation: nil)])
            }
            hub = try Hub(
                store: store, library: VersionLibrary(),
                programme: try Programme.parse(text: TimedServerTests.before, file: "p.yaml", types: nil), now: 0,
                publish: { _ in }, report: { Issue.record("\($0)") })
        }

        /// The sums of what the screen shows, by section.
        func shown() throws -> [String: UInt64] {
            let answer = try hub.get(
                OpenRequest(screen: "home", locale: nil, parameters: [], user: nil), reading: store
            ).get()
            return Dictionary(uniqueKeysWithValues: ([answer.view] + answer.sections).map { ($0.id, $0.sum) })
        }

        /// Somebody follows the screen, so its contents are updated with each commit instead of evaluated.
        func follow() throws {
            _ = try hub.open(
                OpenRequest(screen: "home", locale: nil, parameters: [], user: nil), reading: store
            ).get()
        }

        func commit(_ change: Change) throws {
            let outcome = try store.write([.catalogue(key: nil, changes: [change], mutation: nil)])
            guard case .done? = outcome.first else {
                Issue.record("\(outcome)")
                return
            }
        }

        /// Shows all that is in the log, as a server does: large commits beside the hub.
        func show() throws {
            while true {
                let commits = try store.commits(after: hub.catalogueRevision, limit: Hub.commitsPerPublication)
                if commits.isEmpty { break }
                guard let advance = hub.begin(commits) else {
                    try hub.follow(commits)
                    continue
                }
                try advance.run()
                hub.finish(advance)
            }
        }

        /// - Returns: what is due now.
        func next() -> Timekeeper.Action {
            keeper.expect(hub.nextBoundary)
            return keeper.next(at: wall)
        }

        func resume() {
            keeper.expect(hub.nextBoundary)
            wall = wall.advanced(by: Timekeeper.pause(after: true))
            keeper.resume(after: true)
        }
    }

    private func moment(_ text: String) throws -> Moment { try #require(Moment(text)) }

    private func show(_ id: String, on channel: Int, at starts: Moment) -> Change {
        .put(
            RecordID(type: "show", id: id),
            .json(
                .object([
                    "id": .text(id), "channel": .text("c\(channel)"), "title": .text("Show \(id)"),
                    "starts": .text(starts.text),
                ])))
    }

    /// A TV guide in four zones, over the night in which Berlin's clocks go back; in full size also New York's, a week
    /// later. The clock is read late, and once the server is off for hours.
    @Test func `After each boundary a guide's screens equal what a fresh server computes for that moment`() throws {
        let start = try moment("2026-10-24T14:00:00Z")
        let end = Extent.of(try moment("2026-10-25T14:00:00Z"), full: try moment("2026-11-01T12:00:00Z"))
        let changing = [try moment("2026-10-25T01:00:00Z"), try moment("2026-11-01T06:00:00Z")]
        let quarter: Int64 = 900_000
        var changes: [Change] = [.types(Self.types), .programme(Self.programme)]
        for channel in 0..<Extent.of(30, full: 300) {
            var (begin, number) = (start.advanced(by: -86_400_000 + Int64(channel % 4) * quarter), 0)
            while begin < end.advanced(by: 86_400_000) {
                changes.append(show("\(channel)-\(number)", on: channel, at: begin))
                begin = begin.advanced(by: Int64(2 + (channel * 13 + number * 29) % 7) * quarter)
                number += 1
            }
        }
        let server = try Server(MemoryStore(), changes, at: start)
        try server.follow()
        var (steps, waits, previous) = (0, 0, start.advanced(by: -1))
        while server.wall < end {
            switch server.next() {
            case .rest:
                Issue.record("nothing more would happen")
                return
            case .wait(let milliseconds):
                waits += 1
                let late = waits == 40 ? 5 * 3_600_000 + 1_234 : Int64(waits % 4) * 70
                server.wall = server.wall.advanced(by: milliseconds + late)
            case .commit(let now):
                #expect(now > previous && now <= server.wall, "\(now.text)")
                previous = now
                try server.commit(.time(now))
                try server.show()
                steps += 1
                // A fresh server reads the whole catalogue, so in full size not each is compared away from the changes.
                let isNear = changing.contains { abs($0.milliseconds - now.milliseconds) < 3 * 3_600_000 }
                let shown = try server.shown()
                if !Extent.isFull || isNear || steps.isMultiple(of: 4) {
                    #expect(try Server(server.store, at: now).shown() == shown, "at \(now.text)")
                }
                // Until the next boundary nothing is different.
                if steps.isMultiple(of: Extent.of(16, full: 64)), let next = server.hub.nextBoundary {
                    let early = try Server(MemoryStore(), changes + [.time(next.advanced(by: -1))], at: now)
                    #expect(try early.shown() == shown, "before \(next.text)")
                }
                server.resume()
            }
        }
        #expect(steps > 60)
    }

    /// Every five milliseconds somebody publishes, while a piece takes ten microseconds for each record that crosses.
    @Test func `A second with very many boundaries is passed in a dozen pieces, and a publication waits for one`()
        throws
    {
        let count = Extent.of(4_000, full: 1_000_000)
        let start = try moment("2026-10-25T09:00:00Z")
        let shows = (0..<count).map { show("s\($0)", on: 0, at: start.advanced(by: Int64($0 % 1_000))) }
        let programme = """
            screens:
              home:
                title: H
                sections:
                  - {id: a, kind: list, body: {card: {title: $title}},
                     source: {records: {type: show, sort: starts, limit: 9, where: {starts: {above: now}}}}}
            """
        let server = try Server(
            MemoryStore(),
            [.types(Self.types), .programme(programme)] + shows + [.time(start.advanced(by: -1))], at: start)
        try server.follow()
        // The publications that aren't shown yet, by the pieces that had begun when each was made.
        var (waiting, pieces, published, longest, most): ([Int], Int, Int64, Int, Int) = ([], 0, 0, 0, 0)
        func publish() throws {
            while start.advanced(by: published * 5) <= server.wall {
                try server.commit(show("later\(published)", on: 1, at: start.advanced(by: 9_000_000 + published)))
                waiting.append(pieces)
                published += 1
            }
        }
        func showAll() throws {
            try server.show()
            longest = max(longest, waiting.map { pieces - $0 }.max() ?? 0)
            waiting = []
        }
        while server.wall < start.advanced(by: 1_200) || server.hub.nextBoundary.map({ $0 <= server.wall }) == true {
            try publish()
            guard case .commit(let now) = server.next() else {
                try showAll()
                server.wall = server.wall.advanced(by: 1)
                continue
            }
            let crossing = server.hub.screens.countCrossing(until: now)
            try server.commit(.time(now))
            pieces += 1
            server.wall = server.wall.advanced(by: Int64(crossing / 100))
            try publish()
            most = max(most, waiting.count)
            try showAll()
            server.resume()
        }
        #expect(pieces <= 13, "\(pieces)")
        #expect(longest <= 1, "a publication waited for \(longest) pieces")
        // A piece is a tenth of the second's records, or what came while the one before it was applied.
        #expect(most <= count / 100 / 5 + Int(Timekeeper.interval) / 5 + 1, "\(most) publications waited")
        #expect(try server.shown() == (try Server(server.store, at: server.wall)).shown())
    }
}

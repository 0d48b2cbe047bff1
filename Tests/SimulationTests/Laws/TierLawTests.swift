import MarqueeCatalogue
import MarqueeMirror
import MarqueeModel
import MarqueeServer
import Testing

@testable import Simulation

/// Tiers 1, 2 and 3 deliver the same content, at increasing cost.
@Suite struct TierLawTests {
    private enum Way: CaseIterable {
        /// The server still has the client's version.
        case exact
        /// It was restarted, so it has to ask what the client holds.
        case described
        /// The client no longer holds anything.
        case anew
    }

    private struct Outcome {
        var stored: Stored
        var bytes: UInt64
        var counts: Counts
    }

    /// A client is away while a film changes, and comes back.
    private static func play(_ way: Way) throws -> Outcome {
        let laboratory = try Laboratory(users: [nil], seed: 11)
        let home = laboratory
        // Sections large enough for a manifest to pay.
        home.commit(RandomChanges.films.map { film($0, length: 400) })
        home.settle()
        home.device.stop()
        // The best one is in every section of films.
        home.commit([film(RandomChanges.films.max() ?? 0, length: 401)])
        home.schedule.settle()
        switch way {
        case .exact: break
        case .described:
            home.node.crash()
            home.schedule.start(home.node)
        case .anew:
            guard case .memory(let disk) = home.device.disk else { break }
            disk.state.views.removeAll()
        }
        let before = home.dataBytes
        try home.device.start(now: home.schedule.now)
        home.settle()
        home.schedule.judge.judgeEnd(End(devices: [], members: [:]))
        return Outcome(
            stored: try home.stored(), bytes: home.dataBytes - before, counts: home.schedule.counts)
    }

    private static func film(_ id: Int, length: Int) -> Change {
        .film(id, title: String(repeating: "m", count: length), rating: Double(id), topics: [1])
    }

    @Test func `All tiers give the same content, at rising cost`() throws {
        let exact = try Self.play(.exact)
        let described = try Self.play(.described)
        let anew = try Self.play(.anew)
        #expect(exact.stored == described.stored)
        #expect(described.stored == anew.stored)
        #expect(exact.counts[.tier1] > 0)
        #expect(described.counts[.tier2] > 0)
        #expect(exact.bytes <= described.bytes)
        #expect(described.bytes < anew.bytes / 2)
    }
}

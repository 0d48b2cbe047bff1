import FaultyDisk
import Foundation
import MarqueeDiff
import MarqueeModel
import SeededRandom
import Testing

@testable import MarqueeMirror

/// The commits that survive a power cut, on a disk that keeps only what was flushed.
@Suite("Power cuts", .serialized)
struct DurabilityTests {
    private let folder: TemporaryFolder
    private let disk: FaultyDisk

    init() throws {
        folder = try TemporaryFolder()
        disk = FaultyDisk(folder: folder.path + "/state")
    }

    private func open() throws(MirrorError) -> Mirror { try openMirror(.file(folder.mirror)) }

    @Test func `Cuts and progress are stored without a flush; what is promised is flushed once`() throws {
        let mirror = try open()
        try mirror.commitRank(base: nil, target: version([item(1)]))
        _ = try mirror.setFavorite(subject: "movie/1", on: true, at: 1)
        let before = disk.flushes
        for revision in 2...51 as ClosedRange<UInt64> {
            try mirror.commitRank(
                base: version([item(1)]), target: version([item(1, body: "\(revision)")]), at: revision)
            try mirror.commit(MirrorTransaction(cut: cut(revision), savedAt: 1, currentViews: [home]))
        }
        #expect(disk.flushes == before, "100 commits")
        #expect(mirror.durable == cut(1))
        _ = try mirror.setFavorite(subject: "movie/2", on: true, at: 1)
        #expect(disk.flushes == before + 1)
        #expect(mirror.durable == cut(51), "the log is flushed as far as it is written")
        try mirror.commit(MirrorTransaction(cut: cut(52), savedAt: 1, currentViews: [home]))
        try mirror.sync()
        #expect(mirror.durable == cut(52))
        mirror.close()
        print("flushes: 0 for 100 commits, 1 for a favorite")
    }

    /// The parts of a mirror that belong together.
    private struct Moment: Equatable {
        var seen: Cut?
        var sums: [UInt64]
        var outbox: [OutboxEntry]

        init(_ mirror: Mirror) throws {
            seen = mirror.seen
            sums = try mirror.view(home)?.sections.values.map(\.sum) ?? []
            outbox = try mirror.outbox()
        }
    }

    /// The life of a favorite, with content before and after it. Each step leads to another moment.
    private static func steps(_ mirror: Mirror) -> [() throws -> Void] {
        let versions = (0..<8).map { version([item(1, body: "\($0)")]) }
        func cutTo(_ number: Int, finishing finished: [UInt64] = []) -> () throws -> Void {
            {
                try mirror.commit(
                    MirrorTransaction(
                        cut: cut(UInt64(number), user: UInt64(number)), savedAt: 1,
                        views: [
                            ViewWrite(
                                id: home, list: number == 1 ? (nil, list("rank")) : nil,
                                sections: [("rank", number == 1 ? nil : versions[number - 1], versions[number])])
                        ], currentViews: [home], finishedMutations: finished))
            }
        }
        return [
            cutTo(1), cutTo(2), { _ = try mirror.setFavorite(subject: "movie/1", on: true, at: 1) }, cutTo(3),
            { try mirror.markSent([1]) }, cutTo(4),
            { try mirror.answered(number: 1, cut: cut(4, user: 5), changed: true) }, cutTo(5, finishing: [1]),
            cutTo(6), { _ = try mirror.setFavorite(subject: "movie/2", on: true, at: 2) }, cutTo(7),
        ]
    }

    /// The steps whose effect was promised when they returned.
    private static let promised = [2, 4, 6, 9]

    @Test
    func `Whenever the power fails, the mirror is as after some commit and keeps its promises (G3, G7)`() async throws {
        var (cuts, lost) = (0, 0)
        for operation in stride(from: 0, to: 400, by: Extent.of(3, full: 1)) {
            // Many seconds of work that would keep a thread from all other tests.
            await Task.yield()
            let folder = try TemporaryFolder()
            let disk = FaultyDisk(folder: folder.path + "/state")
            var moments: [Moment] = []
            var reached = 0
            do {
                let mirror = try openMirror(.file(folder.mirror))
                moments.append(try Moment(mirror))
                disk.arm(.powerCut(seed: UInt64(operation)), after: operation)
                for step in Self.steps(mirror) {
                    do { try step() } catch { break }
                    reached += 1
                    moments.append(try Moment(mirror))
                }
                mirror.close()
            }
            guard disk.hasFailed else { break }
            cuts += 1
            try disk.comeBackAfterPowerCut()
            let again = try openMirror(.file(folder.mirror))
            let found = try Moment(again)
            #expect(again.recovery == nil)
            #expect(try again.verify().isEmpty)
            // The interrupted step may be there as well: it was being written.
            let promised = Self.promised.last { $0 < reached }.map { $0 + 1 } ?? 0
            let possible = moments.indices.contains { $0 >= promised && moments[$0] == found }
            #expect(
                possible || found == Self.moment(after: reached + 1),
                "operation \(operation), step \(reached): \(found)")
            if found != moments.last { lost += 1 }
            again.close()
        }
        #expect(cuts > Extent.of(7, full: 20))
        #expect(lost > 0, "some commits that were not promised were lost")
        print("power cuts: \(cuts), of which \(lost) lost commits that were not promised")
    }

    /// Returns the contents of a mirror that got this far undisturbed.
    private static func moment(after steps: Int) -> Moment? {
        guard let folder = try? TemporaryFolder(), let mirror = try? openMirror(.file(folder.mirror)) else {
            return nil
        }
        defer { mirror.close() }
        for step in Self.steps(mirror).prefix(steps) { try? step() }
        return try? Moment(mirror)
    }
}

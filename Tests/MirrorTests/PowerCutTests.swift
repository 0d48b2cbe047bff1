import FaultyDisk
import Foundation
import MarqueeModel
import SeededRandom
import Testing

@testable import MarqueeMirror

/// The number of lives that are cut off: set by `make chaos` in the environment.
private enum Extent {
    static let cuts = number("MARQUEE_FAULT_CYCLES", 40, full: 200)
    static let seed = number("MARQUEE_FAULT_SEED", 1, full: 1, least: 0)
    /// The minutes after which the suite counts as hanging.
    static let minutes = 10 + cuts / 100

    private static func number(_ name: String, _ usual: Int, full: Int, least: Int = 1) -> Int {
        SeededRandom.Extent.number(name, usual, full: full, least: least) { Issue.record("\($0)") }
    }
}

/// Any life of an owner and a companion, cut off at any operation of the disk. `make chaos` runs more of them.
@Suite("Power cuts at any time", .serialized, .timeLimit(.minutes(Extent.minutes)))
struct PowerCutTests {
    @Test func `A change whose call returned is in the outbox or confirmed, whenever the power fails`() async throws {
        var total = Life.Counts()
        for number in 0..<Extent.cuts {
            // Many seconds of work that would keep a thread from all other tests.
            await Task.yield()
            var life = try Life(seed: UInt64(truncatingIfNeeded: Extent.seed &* 1_000_003 &+ number))
            let violations = try life.run()
            #expect(violations.isEmpty, "life \(number) of seed \(Extent.seed): \(violations)")
            total.add(life.counts)
        }
        #expect(total.cuts > Extent.cuts / 2, "most lives were cut off")
        #expect(Extent.cuts < 20 || total.byCompanion > 0 && total.interrupted > 0)
        print(
            """
            power cuts: seed \(Extent.seed), \(total.cuts) cuts; changes: \(total.byOwner) of the owner, \(total.byCompanion) of a \
            companion, \(total.interrupted) cut off; \(total.confirmed) confirmed; none lost
            """)
    }

    /// An owner and a companion on one disk that loses power.
    private struct Life {
        struct Counts {
            var (cuts, byOwner, byCompanion, interrupted, confirmed) = (0, 0, 0, 0, 0)

            mutating func add(_ other: Counts) {
                cuts += other.cuts
                byOwner += other.byOwner
                byCompanion += other.byCompanion
                interrupted += other.interrupted
                confirmed += other.confirmed
            }
        }

        /// Operations of the disk before the power fails: less than a life has, mostly.
        private static let operations = 0...250
        private static let steps = 60
        private static let subjects = 6

        private var random: SeededGenerator
        private let folder: TemporaryFolder
        private let disk: FaultyDisk
        private(set) var counts = Counts()
        /// The state that the last returned call gave each subject, and one that an interrupted call may have set.
        private var returned: [String: Bool] = [:]
        private var interrupted: (subject: String, on: Bool)?
        /// The states that the server has been told, and has confirmed.
        private var server: [String: Bool] = [:]
        private var revision: UInt64 = 1

        init(seed: UInt64) throws {
            random = SeededGenerator(seed: seed)
            folder = try TemporaryFolder()
            disk = FaultyDisk(folder: folder.path + "/state")
        }

        /// - Returns: what is wrong after the power cut.
        mutating func run() throws -> [String] {
            do {
                let owner = try openMirror(.file(folder.mirror))
                try owner.bind(cluster: "c", user: "mina")
                let companion = try Mirror(besideOwnerAt: folder.mirror)
                disk.arm(.powerCut(seed: random.next()), after: random.int(Self.operations))
                for _ in 0..<Self.steps {
                    do { try step(owner, companion) } catch { break }
                }
                companion.close()
                owner.close()
            }
            counts.cuts += disk.hasFailed ? 1 : 0
            if disk.hasFailed { try disk.comeBackAfterPowerCut() } else { disk.disarm() }
            return try check()
        }

        private mutating func step(_ owner: Mirror, _ companion: Mirror) throws {
            switch random.int(0...9) {
            case 0...2: try change(owner)
            case 3...5: try change(companion)
            case 6: _ = try owner.takeInbox()
            case 7:
                // Sent changes take effect, and content arrives with them or later.
                guard let entry = try owner.firstWaiting() else { return }
                try owner.markSent([entry.number])
                revision += 1
                server[entry.subject] = entry.on
                try owner.answered(number: entry.number, cut: cut(revision, user: revision), changed: true)
            case 8:
                let position = cut(revision, user: revision)
                try owner.commit(
                    MirrorTransaction(
                        cut: position, savedAt: 1, finishedMutations: try owner.finished(containedIn: position)))
            default: try owner.sync()
            }
        }

        private mutating func change(_ mirror: Mirror) throws {
            let subject = "movie/\(random.int(1...Self.subjects))"
            let on = random.chance(50)
            interrupted = (subject, on)
            _ = try mirror.setMember(subject, of: .favorites, on: on, value: nil, at: 1)
            interrupted = nil
            returned[subject] = on
            if mirror.isCompanion { counts.byCompanion += 1 } else { counts.byOwner += 1 }
        }

        private mutating func check() throws -> [String] {
            if interrupted != nil { counts.interrupted += 1 }
            let owner = try openMirror(.file(folder.mirror))
            defer { owner.close() }
            var violations: [String] = []
            if let recovery = owner.recovery { violations.append("it was recovered: \(recovery.reason)") }
            violations += try owner.verify().map { "\($0)" }
            _ = try owner.takeInbox()
            var shown = server
            for entry in try owner.outbox() { shown[entry.subject] = entry.on }
            counts.confirmed += server.count
            for (subject, on) in returned.sorted(by: { $0.key < $1.key }) where shown[subject] != on {
                // The change that was being stored may be there.
                if let interrupted, interrupted.subject == subject, interrupted.on == shown[subject] { continue }
                violations.append("\(subject) is \(shown[subject].map { "\($0)" } ?? "unknown"), not \(on)")
            }
            return violations
        }
    }
}

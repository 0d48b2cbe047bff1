import Foundation
import SeededRandom
import Testing

/// Real faults between real parts. Short here; `make chaos` runs them at length.
///
/// One after another, because each of them keeps the machine busy.
@Suite("Real faults", .serialized)
enum Faults {
    /// The amount of work: set by `make chaos` in the environment. All judgements scale with it, so any size of at
    /// least 1 works.
    enum Extent {
        static let cycles = number("MARQUEE_FAULT_CYCLES", 40, full: 200)
        /// Kills of one of two processes on a mirror.
        static let companionCycles = number("MARQUEE_FAULT_CYCLES", 10, full: 40)
        /// Commits that pass while a stalled client takes nothing.
        static let commits = number("MARQUEE_FAULT_COMMITS", 1_000, full: 3_000)
        static let seconds = number("MARQUEE_FAULT_SECONDS", 5, full: 15)
        static let seed = UInt64(number("MARQUEE_FAULT_SEED", 1, full: 1, least: 0))

        // Minutes after which a test counts as hanging: several times what it takes on two busy cores.
        static let cycleMinutes = 10 + cycles / 20
        static let commitMinutes = 10 + commits / 2_000
        static let chaosMinutes = 20 + seconds / 20

        private static func number(_ name: String, _ usual: Int, full: Int, least: Int = 1) -> Int {
            SeededRandom.Extent.number(name, usual, full: full, least: least) { Issue.record("\($0)") }
        }
    }

    /// A separate folder for a test, which the caller removes.
    static func folder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appending(path: "marquee-faults-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }
}

import Foundation
import Testing

/// Real faults between real parts. Short here; `make chaos` runs them at length.
///
/// One after another, as each of them keeps the machine busy.
@Suite("Real faults", .serialized)
enum Faults {
    /// The amount of work: set by `make chaos` in the environment, and otherwise small enough for every test run. All
    /// judgements scale with it, so any size of at least 1 works.
    enum Extent {
        static let cycles = number("MARQUEE_FAULT_CYCLES") ?? 200
        /// Kills of one of two processes on a mirror.
        static let companionCycles = number("MARQUEE_FAULT_CYCLES") ?? 40
        /// Commits that pass while a stalled client takes nothing.
        static let commits = number("MARQUEE_FAULT_COMMITS") ?? 3_000
        static let seconds = number("MARQUEE_FAULT_SECONDS") ?? 15
        static let seed = ProcessInfo.processInfo.environment["MARQUEE_FAULT_SEED"].flatMap { UInt64($0) } ?? 1

        // Minutes after which a test counts as hanging: several times what it takes on two busy cores.
        static let cycleMinutes = 10 + cycles / 20
        static let commitMinutes = 10 + commits / 2_000
        static let chaosMinutes = 20 + seconds / 20

        private static func number(_ name: String) -> Int? {
            guard let text = ProcessInfo.processInfo.environment[name] else { return nil }
            guard let number = Int(text), number > 0 else {
                Issue.record("\(name)=\(text): a whole number of at least 1 is needed; the usual size is run instead")
                return nil
            }
            return number
        }
    }

    /// A separate folder for a test, which the caller removes.
    static func folder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appending(path: "marquee-faults-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }
}

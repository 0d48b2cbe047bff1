import Foundation
import Testing

/// Real faults between real parts. Short here; `make chaos` runs them long.
///
/// One after the other, as each of them keeps the machine busy.
@Suite("Real faults", .serialized)
enum Faults {
    /// How much is done: named in the environment by `make chaos`, small enough for every test run otherwise.
    enum Extent {
        static let cycles = number("MARQUEE_FAULT_CYCLES") ?? 200
        static let commits = number("MARQUEE_FAULT_COMMITS") ?? 5_000
        static let seconds = number("MARQUEE_FAULT_SECONDS") ?? 15
        static let seed = number("MARQUEE_FAULT_SEED").map { UInt64($0) } ?? 1

        private static func number(_ name: String) -> Int? {
            ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
        }
    }

    /// A folder of its own for a test, removed by the caller.
    static func folder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appending(path: "marquee-faults-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }
}

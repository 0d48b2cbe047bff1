import Foundation
import Measuring

/// CPU time of all threads of this process, in microseconds: observations work on several.
func processMicroseconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return (Double(time.tv_sec) + Double(time.tv_nsec) / 1e9) * 1e6
}

/// The wall time and the CPU time of one operation, in microseconds.
struct Cost {
    var wall: Double
    var cpu: Double

    /// In microseconds.
    static func of(_ body: () throws -> Void) rethrows -> Cost {
        let (wall, cpu) = (WallTime.seconds, processMicroseconds())
        try body()
        return Cost(wall: (WallTime.seconds - wall) * 1e6, cpu: processMicroseconds() - cpu)
    }
}

/// Linux's counters of this process.
enum Counted {
    /// Bytes of memory that are resident now, and the most there were since `forgetPeak`.
    static var resident: Int { kilobytes("VmRSS") }
    static var peak: Int { kilobytes("VmHWM") }

    static func forgetPeak() {
        // The kernel's word for it.
        try? "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
    }

    private static func kilobytes(_ field: String) -> Int { number(field, in: "/proc/self/status") * 1_024 }

    /// How often threads of this process have gone to sleep, and so were woken.
    static var sleeps: Int {
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        return threads.reduce(0) { $0 + number("voluntary_ctxt_switches", in: "/proc/self/task/\($1)/status") }
    }

    private static func number(_ field: String, in file: String) -> Int {
        let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("\(field):") }
        return line?.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }.first ?? 0
    }
}

/// A folder that is removed with this object.
final class Folder {
    private let url: URL

    init() throws {
        // Beside what was built, as the temporary folder may be in memory, where nothing is durable.
        url = Bundle.main.bundleURL.appendingPathComponent("client-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func path(_ name: String) -> String { url.appendingPathComponent(name).path }
}

import CMeasuring
import Foundation

/// Memory of this process, in bytes.
struct Memory {
    /// Memory that was allocated and not freed.
    var allocated: Int
    /// Memory that the system has given for that, and for the gaps between allocations.
    var resident: Int
    /// The most that was ever resident.
    var peak: Int

    static var now: Memory {
        // Freed memory goes back to the system first.
        return_free_memory()
        return Memory(
            allocated: Int(allocated_bytes()), resident: kilobytes("VmRSS") * 1_024,
            peak: kilobytes("VmHWM") * 1_024)
    }

    /// - Parameter field: of what Linux says about the process.
    private static func kilobytes(_ field: String) -> Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("\(field):") }
        return line?.split(separator: " ").compactMap { Int($0) }.first ?? 0
    }
}

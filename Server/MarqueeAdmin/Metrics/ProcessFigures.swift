import Foundation

/// The system's figures about this process. `nil` stands for a figure that the system doesn't provide.
package struct ProcessFigures: Hashable, Sendable {
    package var residentBytes: UInt64?
    package var processorSeconds = 0.0
    package var openDescriptors: Int?
    package var maximumDescriptors: Int?
    /// Seconds since 1970.
    package var startTime = 0.0

    package init() {}

    /// Reads the figures. Takes some milliseconds if thousands of descriptors are open.
    package static func now() -> ProcessFigures {
        var figures = ProcessFigures()
        figures.startTime = started
        var usage = rusage()
        #if os(Linux)
            let (mine, files) = (CInt(RUSAGE_SELF.rawValue), __rlimit_resource_t(RLIMIT_NOFILE.rawValue))
        #else
            let (mine, files) = (RUSAGE_SELF, RLIMIT_NOFILE)
        #endif
        if getrusage(mine, &usage) == 0 {
            figures.processorSeconds = seconds(usage.ru_utime) + seconds(usage.ru_stime)
        }
        var limit = rlimit()
        if getrlimit(files, &limit) == 0 { figures.maximumDescriptors = Int(clamping: limit.rlim_cur) }
        figures.residentBytes = residentBytes()
        figures.openDescriptors = openDescriptors()
        return figures
    }

    private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }

    /// The resident memory: the second field of `/proc/self/statm`, in pages.
    private static func residentBytes() -> UInt64? {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8),
            let pages = text.split(separator: " ").dropFirst().first.flatMap({ UInt64($0) })
        else { return nil }
        return pages * UInt64(sysconf(CInt(_SC_PAGESIZE)))
    }

    private static func openDescriptors() -> Int? {
        guard let folder = opendir("/proc/self/fd") else { return nil }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil { count += 1 }
        // Without `.`, `..`, and the descriptor that reads the folder.
        return max(0, count - 3)
    }

    /// When the process started: the system counts it in ticks since boot.
    private static let started: Double = {
        let now = Date().timeIntervalSince1970
        guard let stat = try? String(contentsOfFile: "/proc/self/stat", encoding: .utf8),
            let up = try? String(contentsOfFile: "/proc/uptime", encoding: .utf8),
            let uptime = up.split(separator: " ").first.flatMap({ Double($0) }),
            // The name, in parentheses, may contain spaces; the start is the twentieth field after it.
            let ticks = stat.split(separator: ")").last?.split(separator: " ").dropFirst(19).first.flatMap({
                Double($0)
            })
        else { return now }
        return now - max(0, uptime - ticks / Double(sysconf(CInt(_SC_CLK_TCK))))
    }()
}

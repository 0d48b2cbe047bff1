import Foundation

enum Process {
    /// CPU time of this thread.
    static var cpuMicroseconds: Double { seconds(CLOCK_THREAD_CPUTIME_ID) * 1e6 }
    static var wallSeconds: Double { seconds(CLOCK_MONOTONIC) }

    /// Memory that is in use now, not counting what was freed and not given back.
    static var residentBytes: Int {
        malloc_trim(0)
        let fields = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ") ?? []
        return fields.count > 1 ? (Int(fields[1]) ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE))) : 0
    }

    private static func seconds(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

extension [Double] {
    var median: Double { isEmpty ? 0 : sorted()[count / 2] }
}

/// Rows under a headline, columns aligned to the right.
struct Table {
    private var rows: [[String]]

    init(_ headline: [String]) { rows = [headline] }

    mutating func add(_ row: [String]) { rows.append(row) }

    func print() {
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        for row in rows {
            let cells = zip(row, widths).map { String(repeating: " ", count: $1 - $0.count) + $0 }
            Swift.print(cells.joined(separator: "  "))
        }
    }
}

func format(_ number: Double, _ digits: Int = 1) -> String { String(format: "%.\(digits)f", number) }

import Foundation

/// The processor time that the threads of a process have had and waited for, as the kernel tells it.
struct ProcessLoad {
    struct Thread {
        var name: String
        /// Nanoseconds on a processor.
        var ran: Double
        /// Nanoseconds in which it could have run and another thread had the processor.
        var waited: Double
    }

    /// The processor time of a process between two moments, for each second.
    struct Rate {
        /// Processors that it kept busy.
        var cores: Double
        /// Milliseconds that its threads waited for a processor, added up.
        var waited: Double
        var busiest: (name: String, cores: Double)
    }

    private(set) var threads: [String: Thread] = [:]
    private let time = ContinuousClock.now

    init(of process: Int32) {
        let folder = "/proc/\(process)/task"
        for thread in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
            guard let text = try? String(contentsOfFile: "\(folder)/\(thread)/schedstat", encoding: .utf8),
                let name = try? String(contentsOfFile: "\(folder)/\(thread)/comm", encoding: .utf8)
            else { continue }
            let numbers = text.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
            guard numbers.count >= 2 else { continue }
            threads[thread] = Thread(
                name: name.trimmingCharacters(in: .whitespacesAndNewlines), ran: numbers[0], waited: numbers[1])
        }
    }

    func since(_ earlier: ProcessLoad) -> Rate {
        let seconds = max((time - earlier.time) / .seconds(1), 0.001)
        var rate = Rate(cores: 0, waited: 0, busiest: ("", 0))
        for (id, thread) in threads {
            let cores = (thread.ran - (earlier.threads[id]?.ran ?? 0)) / 1e9 / seconds
            rate.cores += cores
            rate.waited += (thread.waited - (earlier.threads[id]?.waited ?? 0)) / 1e6 / seconds
            if cores > rate.busiest.cores { rate.busiest = (thread.name, cores) }
        }
        return rate
    }
}

import CMeasuring
import Foundation
import Measuring

/// Measures the cost of decoding and encoding, beside SwiftProtobuf with the same bytes.
///
///     CodecBenchmark              CPU time
///     CodecBenchmark count RUNS   for `instructions.sh`: the same under valgrind
@main
enum CodecBenchmark {
    static func main() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        let used: Int
        switch (arguments.first, arguments.dropFirst().first.flatMap { Int($0) }) {
        case (nil, _): used = try times()
        case ("count", let runs?): used = try count(runs)
        default:
            FileHandle.standardError.write(Data("usage: CodecBenchmark [count RUNS]\n".utf8))
            exit(64)
        }
        precondition(used > 0)
    }

    /// - Returns: what was computed, so that none of it is left out.
    private static func count(_ runs: Int) throws -> Int {
        var used = 0
        callgrind_start()
        for measured in try CodecCase.all() {
            for _ in 0..<3 { used &+= try measured.body() }
            callgrind_toggle()
            for _ in 0..<runs { used &+= try measured.body() }
            callgrind_toggle()
            callgrind_name("\(grouped(measured.bytes)) bytes: \(measured.name)")
        }
        callgrind_stop()
        return used
    }

    /// How long the repetitions that are timed together take, as the clock is slower than the smallest case.
    private static let batchMicroseconds = 1_000.0
    private static let batches = 101

    private static func times() throws -> Int {
        var used = 0
        var table = Table(
            "Codec: CPU time, median and least of \(batches) means",
            columns: ["", "bytes", "median µs", "least µs", "MB/s at the median"])
        for measured in try CodecCase.all() {
            progress(measured.name)
            func time(_ runs: Int) throws -> Double {
                try CPUTime.measure { for _ in 0..<runs { used &+= try measured.body() } }.microseconds / Double(runs)
            }
            _ = try time(3)
            let runs = max(1, Int(batchMicroseconds / (try time(10))))
            let times = try (0..<batches).map { _ in try time(runs) }
            table.add([
                measured.name, grouped(measured.bytes), decimal(times.median, 2), decimal(times.min() ?? 0, 2),
                decimal(Double(measured.bytes) / times.median, 0),
            ])
        }
        table.print()
        return used
    }
}

import Foundation

/// Rounds of faults, one after the other.
struct FaultRun: Sendable {
    var program: String
    var faults: [Fault]
    /// Of the first round of each fault; the next ones have the numbers after it.
    var seed: UInt64
    var rounds: Int
    var seconds: Double
    /// For the processes' output, and histories in which something is wrong.
    var folder: URL

    /// - Returns: how many rounds broke a law.
    func run() async throws -> Int {
        var results: [FaultResult] = []
        var skipped: [(fault: Fault, reason: String)] = []
        var unjudged = 0
        let start = ContinuousClock.now
        for fault in faults {
            if let reason = fault.obstacle() {
                NodesRun.say("\(fault.name): skipped: \(reason)")
                skipped.append((fault, reason))
                continue
            }
            for round in 0..<rounds {
                do {
                    results.append(try await run(fault, seed &+ UInt64(round)))
                } catch {
                    // A round that can't be judged doesn't count as held; the others go on.
                    try Task.checkCancellation()
                    NodesRun.say("  \(error)")
                    unjudged += 1
                }
            }
        }
        print(FaultResult.table(results, skipped: skipped))
        let failed = results.filter { !$0.violations.isEmpty }
        print(
            "\(results.count) rounds of \(faults.count - skipped.count) faults, \(skipped.count) skipped: "
                + "\(failed.count) rounds with \(failed.map(\.violations.count).reduce(0, +)) violations"
                + (unjudged > 0 ? "; \(unjudged) more could not be judged" : "")
                + "; \(Checker.text((ContinuousClock.now - start) / .seconds(60))) minutes on "
                + "\(ProcessInfo.processInfo.activeProcessorCount) processors")
        for result in failed { print("again: nodes --faults \(result.fault.name) --seed \(result.seed)") }
        return failed.count + unjudged
    }

    private func run(_ fault: Fault, _ seed: UInt64) async throws -> FaultResult {
        NodesRun.say("\(fault.name), seed \(seed): \(fault.summary); \(fault.promise)")
        let place = folder.appending(path: "\(fault.name)-\(seed)")
        let start = ContinuousClock.now
        let result = try await FaultRound(
            fault: fault, seed: seed, seconds: seconds, program: program, folder: place
        ).run()
        let seconds = Checker.text((ContinuousClock.now - start) / .seconds(1))
        NodesRun.say(
            "  after \(seconds) s: \(result.confirmed) changes confirmed, \(result.states) states judged, "
                + "\(result.violations.count) violations")
        guard !result.violations.isEmpty else {
            try? FileManager.default.removeItem(at: place)
            return result
        }
        for violation in result.violations.prefix(Bounds.told) { NodesRun.say("  \(violation)") }
        let file = place.appending(path: "history.txt")
        try result.write(to: file)
        NodesRun.say("  what happened is in \(file.path)")
        return result
    }
}

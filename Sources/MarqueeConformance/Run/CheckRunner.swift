/// Runs checks, a few at a time, each on a stage of its own.
package struct CheckRunner<Stage: CheckStage>: Sendable {
    /// Makes the stage of one check.
    package var makeStage: @Sendable () async throws -> Stage
    /// The number of checks that run at once, not counting slow ones.
    package var width: Int

    package init(width: Int, makeStage: @escaping @Sendable () async throws -> Stage) {
        self.width = max(1, width)
        self.makeStage = makeStage
    }

    /// - Parameter report: called with each result as it arrives.
    /// - Returns: the results in the order of the checks.
    package func run(
        _ checks: [Check<Stage>], report: @Sendable (CheckResult) async throws -> Void
    ) async throws -> ConformanceReport {
        var results: [Int: CheckResult] = [:]
        try await withThrowingTaskGroup(of: (Int, CheckResult).self) { group in
            var queued: [Int] = []
            for (index, check) in checks.enumerated() {
                if check.isSlow { group.addTask { (index, await run(check)) } } else { queued.append(index) }
            }
            var next = queued.makeIterator()
            func startNext() {
                guard let index = next.next() else { return }
                let check = checks[index]
                group.addTask { (index, await run(check)) }
            }
            for _ in 0..<width { startNext() }
            while let (index, result) = try await group.next() {
                results[index] = result
                try await report(result)
                if !checks[index].isSlow { startNext() }
            }
        }
        return ConformanceReport(checks.indices.compactMap { results[$0] })
    }

    private func run(_ check: Check<Stage>) async -> CheckResult {
        CheckResult(
            name: check.name, chapter: check.chapter, sentence: check.sentence, outcome: await outcome(of: check))
    }

    private func outcome(of check: Check<Stage>) async -> CheckResult.Outcome {
        do {
            let stage = try await makeStage()
            do {
                try await check.script(stage)
            } catch {
                await stage.clear()
                throw error
            }
            await stage.clear()
            return .passed
        } catch let deviation as Deviation {
            return .failed(deviation)
        } catch let reason as NotApplicable {
            return .notApplicable(reason.reason)
        } catch {
            return .failed(Deviation(expected: check.sentence, actual: "\(error)"))
        }
    }
}

/// The environment in which the script of a check runs: its connections and processes.
package protocol CheckStage: Sendable {
    /// Closes every connection and ends every process of the check.
    func clear() async
}

import MarqueeConformance
import Testing

@Suite struct CheckTests {
    @Test func `Names are unique on each side, and easy to type`() {
        for names in [ServerChecks.all.map(\.name), ClientChecks.all.map(\.name)] {
            #expect(Set(names).count == names.count)
            for name in names {
                #expect(
                    name.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 45 }, "\(name)")
            }
        }
    }

    @Test func `Each check cites a chapter and says in a sentence what conforms`() {
        let checks =
            ServerChecks.all.map { ($0.chapter, $0.sentence) } + ClientChecks.all.map { ($0.chapter, $0.sentence) }
        for (chapter, sentence) in checks {
            #expect(!chapter.title.isEmpty)
            #expect(sentence.last == "." && sentence.first?.isUppercase == true, "\(sentence)")
        }
    }

    @Test func `A selection is a chapter or a name`() {
        let check = Check<Stage>("tier-1", .resume, "A sentence.") { _ in }
        #expect(check.matches("13"))
        #expect(check.matches("tier-1"))
        #expect(!check.matches("1"))
        #expect(!check.matches("tier"))
    }

    // The runner

    @Test func `Results come in the order of the checks, whatever becomes of each`() async throws {
        struct Surprise: Error {}
        let checks = [
            Check<Stage>("passes", .cuts, "A.") { _ in },
            Check<Stage>("fails", .frames, "B.", isSlow: true) { _ in throw Deviation(expected: "a", actual: "b") },
            Check<Stage>("can't be made", .frames, "C.") { _ in throw NotApplicable("no user") },
            Check<Stage>("surprises", .cuts, "D.") { _ in throw Surprise() },
        ]
        let report = try await CheckRunner(width: 1) { Stage() }.run(checks) { _ in }
        #expect(report.results.map(\.name) == checks.map(\.name))
        #expect(report.results[0].outcome == .passed)
        #expect(report.results[1].outcome == .failed(Deviation(expected: "a", actual: "b")))
        #expect(report.results[2].outcome == .notApplicable("no user"))
        #expect(report.results[3].outcome == .failed(Deviation(expected: "D.", actual: "Surprise()")))
        #expect(report.failures.map(\.name) == ["fails", "surprises"])
        #expect(report.rows.map(\.chapter.number) == [2, 11])
        #expect(report.rows.map { [$0.passed, $0.failed, $0.notApplicable] } == [[0, 1, 1], [1, 1, 0]])
    }
}

/// A stage on which nothing is.
private struct Stage: CheckStage {
    func clear() async {}
}

import MarqueeConformance
import MarqueeScreenJSON
import Testing

@testable import marquee

@Suite struct ConformReportTests {
    private let report = ConformanceReport([
        CheckResult(name: "ping-pong", chapter: .liveness, sentence: "A ping is answered.", outcome: .passed),
        CheckResult(
            name: "unknown-kind", chapter: .frames, sentence: "It is skipped.",
            outcome: .failed(
                Deviation(expected: "pong {7}", actual: "close\u{1B}[31m", transcript: ["runner: ping {7}"]))
        ),
        CheckResult(
            name: "sent-again", chapter: .mutations, sentence: "It is the same.",
            outcome: .notApplicable("needs a user: --user")),
    ])

    @Test func `A table by chapter is followed by failures and by what could not be checked`() {
        let lines = ConformReport(style: .plain).lines(of: report)
        #expect(
            lines == [
                "chapter                          passed  failed  not applicable",
                "      2  Frames                       0       1               0",
                "     16  Credit, liveness, ends       1       0               0",
                "     18  Mutations                    0       0               1",
                "         all                          1       1               1", "",
                "failed: unknown-kind (chapter 2, Frames)", "  It is skipped.", "  expected: pong {7}",
                "  actual:   close[31m", "  runner: ping {7}", "", "not applicable: needs a user: --user",
                "  sent-again",
            ])
    }

    @Test func `Only a terminal gets bold text`() {
        #expect(!ConformReport(style: .plain).lines(of: report).joined().contains("\u{1B}"))
        #expect(ConformReport(style: TextStyle(isOn: true)).lines(of: report)[0].hasPrefix("\u{1B}[1m"))
    }

    @Test func `Programs get a document for each check and one for all`() throws {
        let writer = ConformReport(style: .plain)
        #expect(
            writer.document(of: report.results[1]).line()
                == #"{"came":"close\u001b[31m","chapter":2,"expected":"pong {7}","name":"unknown-kind","outcome":"failed","#
                + #""sentence":"It is skipped.","transcript":["runner: ping {7}"],"type":"check"}"#)
        #expect(
            writer.summary(of: report).line() == #"{"failed":1,"notApplicable":1,"passed":1,"type":"summary"}"#)
    }

    @Test func `A selection that means no check is an error that names the nearest`() throws {
        var options = try ConformOptions.parse(["--only", "nak"])
        #expect(throws: Failure.self) { try options.selected(from: ClientChecks.all) }
        options = try ConformOptions.parse(["--only", "14", "--only", "hello"])
        let selected = try options.selected(from: ClientChecks.all)
        #expect(Set(selected.map(\.chapter.number)) == [5, 14])
        #expect(selected.filter { $0.chapter.number == 5 }.map(\.name) == ["hello"])
    }

    @Test func `A client's command has to be there and to say where to connect`() {
        #expect(throws: (any Error).self) { try ConformClientCommand.parse([]) }
        #expect(throws: (any Error).self) { try ConformClientCommand.parse(["--", "client"]) }
        #expect(throws: Never.self) { try ConformClientCommand.parse(["--list"]) }
        #expect(throws: Never.self) {
            try ConformClientCommand.parse(["--only", "9", "--", "client", "--port={port}"])
        }
    }
}

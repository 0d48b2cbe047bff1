import MarqueeModel
import Testing

@testable import marquee

/// Words of a command line that the parser alone would take for something else.
@Suite struct CommandLineTests {
    @Test(arguments: [
        ("collection set score a/1 -1 --user ana", "collection set score a/1 --user ana -- -1"),
        ("serve --max-connections -5", "serve --max-connections=-5"), ("new --expires -1d", "new --expires=-1d"),
        ("publish - -h", "publish - -h"), ("add -- -1", "add -- -1"),
    ])
    func `Negative numbers are values`(line: String, wanted: String) {
        let words = line.split(separator: " ").map(String.init)
        #expect(NegativeArguments.asValues(words).joined(separator: " ") == wanted)
    }

    @Test func `Help for a command that doesn't exist names the nearest one`() {
        #expect(throws: Failure.self) { try CommandSuggestion.check(["help", "gte"], of: Marquee.self) }
        #expect(throws: Never.self) { try CommandSuggestion.check(["help", "collection", "set"], of: Marquee.self) }
    }

    @Test func `An address with a scheme says what to leave out`() {
        do {
            _ = try ServerAddress(named: "http://127.0.0.1:7422/x")
            Issue.record("it was taken")
        } catch {
            #expect("\(error)".contains("write '127.0.0.1:7422' without 'http://'"))
        }
    }
}

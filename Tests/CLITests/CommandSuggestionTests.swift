import Testing

@testable import marquee

struct CommandSuggestionTests {
    @Test(arguments: [
        (["subscibe", "home", "--server", "x"], "marquee subscibe", "subscribe"),
        (["serch", "x"], "marquee serch", "search"),
        (["favorites"], "marquee favorites", "favorite"), (["sub", "home"], "marquee sub", "subscribe"),
        (["favorite", "ad", "3"], "marquee favorite ad", "add"),
        (["mirror", "stauts"], "marquee mirror stauts", "status"),
        (["gte", "home"], "marquee gte", "get"),
    ])
    func `a subcommand that doesn't exist names the nearest one, whatever follows it`(
        _ arguments: [String], _ written: String, _ suggestion: String
    ) {
        #expect { try CommandSuggestion.check(arguments, of: Marquee.self) } throws: {
            guard let failure = $0 as? Failure else { return false }
            return failure.status == .usage
                && failure.message == "there is no command '\(written)'; did you mean '\(suggestion)'?"
        }
    }

    @Test func `if nothing is near, all are named`() {
        #expect { try CommandSuggestion.check(["frobnicate"], of: Marquee.self) } throws: {
            ($0 as? Failure)?.message.hasSuffix("conform") == true
        }
    }

    @Test(arguments: [
        [], ["--help"], ["--version"], ["help", "get"], ["get", "subscibe"], ["favorite", "add", "ad"],
        ["--generate-completion-script", "bash"], ["favorite", "--help"], ["search", "serch"],
    ])
    func `commands, options and arguments pass`(_ arguments: [String]) throws {
        try CommandSuggestion.check(arguments, of: Marquee.self)
    }

    @Test(arguments: [("", "", 0), ("abc", "", 3), ("abc", "abd", 1), ("abc", "acb", 1), ("kitten", "sitting", 3)])
    func `distance counts letters that differ, and a swap as one`(_ a: String, _ b: String, _ distance: Int) {
        #expect(CommandSuggestion.distance(a, b) == distance)
        #expect(CommandSuggestion.distance(b, a) == distance)
    }
}

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

    @Test(arguments: [
        (["get", "home", "--server", "a", "--server", "b"], "--server"),
        (["get", "home", "--server=a", "--server", "b"], "--server"),
        (["favorite", "add", "movie/1", "--user", "ann", "--timeout", "1", "--user", "bo"], "--user"),
        (["render", "home", "-o", "a.png", "--out=b.png"], "--out"),
        (["render", "home", "-o", "a.png", "-o", "b.png"], "--out"),
    ])
    func `an option with one value is refused if it is given twice`(_ arguments: [String], _ name: String) {
        #expect {
            try RepeatedOption.check(arguments, of: CommandSuggestion.check(arguments, of: Marquee.self))
        } throws: {
            ($0 as? Failure)?.status == .usage
                && ($0 as? Failure)?.message == "\(name) is given twice, and takes one value"
        }
    }

    @Test(arguments: [
        ["subscribe", "home", "--sort", "rank=title", "--sort", "genres=title", "--offline", "--offline"],
        ["search", "x", "--filter", "a=b", "--filter", "c=d"], ["get", "--server", "--server"],
        ["get", "--server", "a", "--", "--server", "b"], ["get", "-x", "-x"], ["help", "get", "--server", "--server"],
    ])
    func `options that repeat, flags, values and words after two dashes may be given twice`(
        _ arguments: [String]
    ) throws {
        try RepeatedOption.check(arguments, of: CommandSuggestion.check(arguments, of: Marquee.self))
    }

    @Test(arguments: [("", "", 0), ("abc", "", 3), ("abc", "abd", 1), ("abc", "acb", 1), ("kitten", "sitting", 3)])
    func `distance counts letters that differ, and a swap as one`(_ a: String, _ b: String, _ distance: Int) {
        #expect(CommandSuggestion.distance(a, b) == distance)
        #expect(CommandSuggestion.distance(b, a) == distance)
    }
}

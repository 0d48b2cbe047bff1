import ArgumentParser
import Logging
import Testing

@testable import marquee_server

struct ArgumentTests {
    private func parse<Command: ParsableCommand>(_ arguments: [String], as: Command.Type) throws -> Command {
        try #require(try MarqueeServerCommand.parseAsRoot(arguments) as? Command)
    }

    /// The program's exit code and the line it would print.
    private func refusal(_ arguments: [String]) -> (code: Int32, message: String)? {
        do {
            _ = try MarqueeServerCommand.parseAsRoot(arguments)
            return nil
        } catch {
            return (MarqueeServerCommand.exitCode(for: error).rawValue, MarqueeServerCommand.message(for: error))
        }
    }

    @Test func `Serving needs only a data folder, and listens on loopback`() throws {
        let serve = try parse(["serve", "--data", "d"], as: ServeCommand.self)
        #expect(serve.serving.store.place == .folder("d"))
        #expect(serve.serving.listen == ListenAddress(host: "127.0.0.1", port: 7_420))
        #expect(!serve.serving.open)
        #expect(serve.serving.logging.level == .notice)
        #expect(serve.replaying.list == nil)
    }

    @Test func `Every serve option is used as given`() throws {
        let serve = try parse(
            [
                "serve", "--data", "d", "--listen", "[::1]:0", "--programme", "p.yaml", "--open", "--log-level",
                "trace",
                "--threads", "3", "--image-base-url", "https://images.example/w500/", "--replay", "us", "--speed",
                "2.5", "--ping-interval", "5",
            ], as: ServeCommand.self)
        #expect(serve.serving.listen == ListenAddress(host: "::1", port: 0))
        #expect(serve.serving.programme == "p.yaml")
        #expect(serve.serving.open)
        #expect(serve.serving.logging.level == .trace)
        #expect(serve.serving.running.threadCount == 3)
        #expect(serve.serving.running.pingInterval == 5)
        #expect(serve.serving.imageBaseURL == "https://images.example/w500/")
        #expect(serve.replaying.list == "us")
        #expect(serve.replaying.speed == 2.5)
    }

    @Test func `Pools are rotated by name and seconds`() throws {
        let serve = try parse(
            ["serve", "--data", "d", "--rotate", "main=60", "--rotate", "a=b=0.5"], as: ServeCommand.self)
        #expect(serve.serving.rotations.map(\.pool) == ["main", "a=b"])
        #expect(serve.serving.rotations.map(\.seconds) == [60, 0.5])
        for wrong in ["main", "main=", "=5", "main=0", "main=-1", "main=nan", "main=inf", "main=9999999"] {
            #expect(refusal(["serve", "--data", "d", "--rotate", wrong])?.code == 64)
        }
    }

    @Test func `A replay takes a chart and advances a day per second by default`() throws {
        let replay = try parse(["replay", "us", "--data", "d"], as: ReplayCommand.self)
        #expect(replay.list == "us")
        #expect(replay.speed == 1)
        #expect(!replay.exits)
        #expect(try parse(["replay", "us", "--data", "d", "--exit"], as: ReplayCommand.self).exits)
    }

    @Test func `An import takes its files in order`() throws {
        let movies = try parse(
            ["import", "tmdb5000", "m.csv", "c.csv.gz", "--certification", "f.csv", "--data", "d"],
            as: ImportTMDB5000Command.self)
        #expect(movies.movies == "m.csv")
        #expect(movies.credits == "c.csv.gz")
        #expect(movies.certification == "f.csv")
        #expect(
            try parse(["import", "chart", "c.csv", "--id", "us", "--data", "d"], as: ImportChartCommand.self).id == "us"
        )
        #expect(
            try parse(["import", "ndjson", "c.ndjson", "--data", "d"], as: ImportNDJSONCommand.self).file == "c.ndjson")
    }

    @Test(arguments: [
        ["tmdb5000", "m.csv", "c.csv"], ["chart", "-", "--id", "us"], ["plist", "-"], ["courses", "h.json"],
        ["ndjson", "-"],
    ])
    func `All imports take the same options`(arguments: [String]) throws {
        let command = ["import"] + arguments + ["--data", "d"]
        #expect(refusal(command) == nil)
        #expect(refusal(command + ["--strict", "--dry-run", "--encoding", "cp949"]) == nil)
        #expect(refusal(command + ["--max-bad", "5%"]) == nil)
        for wrong in [
            ["--max-bad", "-1"], ["--max-bad", "101%"], ["--encoding", "klingon"], ["--strict", "--max-bad", "3"],
        ] {
            #expect(refusal(command + wrong)?.code == 64)
        }
    }

    @Test func `Each import documents its default tolerance`() throws {
        let parsed = try parse(
            ["import", "ndjson", "c", "--data", "d", "--max-bad", "3"], as: ImportNDJSONCommand.self)
        #expect(parsed.options.tolerance(.none) == .rows(3))
        let strict = try parse(
            ["import", "chart", "c", "--id", "u", "--data", "d", "--strict"], as: ImportChartCommand.self)
        #expect(strict.options.tolerance(.half) == .none)
        let plain = try parse(["import", "chart", "c", "--id", "u", "--data", "d"], as: ImportChartCommand.self)
        #expect(plain.options.tolerance(.half) == .half)
    }

    @Test(arguments: ["0.0.0.0:7420", "192.168.1.1:7420", "films.example:7420", "[::]:7420"])
    func `Clients can't name their user where others could reach the server`(address: String) throws {
        let refused = try #require(refusal(["serve", "--data", "d", "--open", "--listen", address]))
        #expect(refused.code == 64)
        #expect(refused.message.contains("loopback"))
        let unprotected = try #require(refusal(["serve", "--data", "d", "--listen", address]))
        #expect(unprotected.code == 64)
        #expect(unprotected.message.contains("--tls-cert") && unprotected.message.contains("--allow-unencrypted"))
        let serving = ["serve", "--data", "d", "--listen", address]
        #expect(refusal(serving + ["--allow-unencrypted"]) == nil)
        #expect(refusal(serving + ["--tls-cert", "c", "--tls-key", "k"]) == nil)
    }

    @Test(arguments: [
        ["serve"], ["serve", "--data", ""], ["serve", "--data", "d", "--nonsense"],
        ["serve", "--data", "d", "--listen", "7420"],
        ["serve", "--data", "d", "--ping-interval", "0"], ["serve", "--data", "d", "--ping-interval", "0.5"],
        ["serve", "--data", "d", "--threads", "0"], ["serve", "--data", "d", "--threads", "65"],
        ["serve", "--data", "d", "--log-level", "loud"], ["serve", "--data", "d", "--image-base-url", "posters"],
        ["serve", "--data", "d", "--speed", "2"], ["serve", "--data", "d", "--replay", "us", "--speed", "0"],
        ["replay", "--data", "d"], ["replay", "us", "--data", "d", "--speed", "-1"],
        ["replay", "us", "--data", "d", "--speed", "nan"], ["replay", "us", "--data", "d", "--speed", "1e300"],
        ["import", "chart", "c.csv", "--data", "d"], ["import", "tmdb5000", "m.csv", "--data", "d"],
        ["import", "nonsense"], ["check"], ["check", "a", "b"], ["nonsense"],
    ])
    func `Wrong arguments end with 64 and one line`(arguments: [String]) throws {
        let refused = try #require(refusal(arguments))
        #expect(refused.code == 64)
        #expect(!refused.message.isEmpty)
        #expect(!refused.message.contains("\n"))
    }

    @Test(arguments: [["--version"], ["--help"], ["serve", "--help"], ["import", "chart", "--help"]])
    func `Help and version are not failures`(arguments: [String]) throws {
        let end = try #require(throws: (any Error).self) {
            var command = try MarqueeServerCommand.parseAsRoot(arguments)
            try command.run()
        }
        #expect(MarqueeServerCommand.exitCode(for: end) == .success)
    }

    @Test func `A refusal points to the intended command's help`() {
        #expect(
            MarqueeServerCommand.helpCall(for: ["ms", "import", "chart", "serve"]) == "marquee-server import chart")
        #expect(MarqueeServerCommand.helpCall(for: ["ms", "nonsense"]) == "marquee-server")
    }

    @Test func `An option with one value isn't given twice, and a server's has one`() {
        func complaint(_ arguments: String...) -> String? { MarqueeServerCommand.complaint(about: arguments) }
        #expect(complaint("serve", "--data", "a", "--data=b") == "--data is given twice, and takes one value")
        #expect(
            complaint("import", "records", "f", "--type", "a", "--type", "b")?.hasPrefix("--type is given twice")
                == true)
        // Repeatable options, flags, values that look like options, and words after two dashes.
        #expect(complaint("serve", "--data", "a", "--jwt-scope", "read *", "--jwt-scope", "search") == nil)
        #expect(complaint("serve", "--open", "--open", "--data", "--listen", "--listen", "a:1") == nil)
        #expect(complaint("import", "records", "--type", "a", "--", "--type", "b") == nil)
        #expect(complaint("serve", "--data", "a", "--jwt-issuer", "") == "--jwt-issuer is empty")
        #expect(complaint("serve", "--data", "a", "--tokens=") == "--tokens is empty")
        #expect(complaint("import", "records", "f", "--type", "a", "--null", "") == nil)
    }

    @Test func `An option that a command doesn't have is named before what is missing`() {
        func named(_ words: String) -> String? {
            MarqueeServerCommand.unknownOption(in: ["ms"] + words.split(separator: " ").map(String.init))
        }
        #expect(named("serve --dta data") == "there is no option '--dta'; did you mean '--data'?")
        #expect(named("epoch new --stor=x") == "there is no option '--stor'; did you mean '--store'?")
        #expect(named("import records --nothing-like-it x") == "there is no option '--nothing-like-it'")
        #expect(named("serve --data data --config x --help") == nil && named("token new -- --dta") == nil)
    }

    @Test(arguments: [
        ("srve --data d", "there is no command 'marquee-server srve'; did you mean 'serve'?"),
        ("import recrods a.csv", "there is no command 'marquee-server import recrods'; did you mean 'records'?"),
        ("help serv", "there is no command 'marquee-server serv'; did you mean 'serve'?"), ("help import records", nil),
        ("check p.yaml", nil), ("--version", nil), ("import --help", nil),
    ])
    func `A command that doesn't exist is refused with the nearest`(words: String, wanted: String?) {
        let arguments = ["marquee-server"] + words.split(separator: " ").map(String.init)
        #expect(MarqueeServerCommand.unknownCommand(in: arguments) == wanted)
    }

    @Test(arguments: ["0.0.0.0/0", "::/0", "10.0.0.0/8, 0.0.0.0/0"])
    func `Load balancers are never everybody`(networks: String) {
        #expect(throws: ValidationError.self) { try ProxyNetworks(parsing: networks) }
        #expect((try? ProxyNetworks(parsing: "10.0.0.0/8, fd00::7"))?.all.count == 2)
    }

    @Test func `The help page explains every exit code`() {
        let help = MarqueeServerCommand.helpMessage()
        for code in CommandFailure.Code.allCases { #expect(help.contains("\(code.rawValue)  ")) }
    }
}

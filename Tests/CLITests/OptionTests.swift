import ArgumentParser
import Foundation
import MarqueeModel
import MarqueeTLS
import Testing

@testable import MarqueeClient
@testable import marquee

struct OptionTests {
    @Test(arguments: [
        ("127.0.0.1:7420", "127.0.0.1", 7420), ("example.org", "example.org", 7420), ("[::1]:80", "::1", 80),
        ("[::1]", "::1", 7420),
    ])
    func `A server is host and port`(_ text: String, _ host: String, _ port: Int) {
        #expect(ServerAddress(argument: text) == ServerAddress(host: host, port: port))
    }

    @Test(arguments: ["", ":7420", "a:0", "a:65536", "a:b", "a:", "::1", "[::1", "[::1]x", "a b:1", "a/b:1"])
    func `Other text is not a server`(_ text: String) {
        #expect(ServerAddress(argument: text) == nil)
    }

    @Test func `Subscribe takes its options`() throws {
        let parsed = try Marquee.parseAsRoot([
            "subscribe", "detail/27205", "--output", "ndjson", "--count", "2", "--timeout", "0.5", "--sort",
            "popular=release",
            "--window", "popular=20", "--window", "genres=12", "--server", "localhost:1", "--user", "ann", "--locale",
            "ko",
        ])
        let command = try #require(parsed as? SubscribeCommand)
        #expect(command.screen.id == .detail(27205))
        #expect(command.output.output == .ndjson)
        #expect(command.count == 2)
        #expect(command.timeout == Seconds(0.5))
        #expect(
            command.choices.options == [
                SectionOptions(section: "popular", sort: "release", window: 20),
                SectionOptions(section: "genres", window: 12),
            ])
        #expect(
            try command.connection.resolved(environment: ["MARQUEE_USER": "bob"])
                == Connection(server: ServerAddress(host: "localhost", port: 1), user: "ann", locale: "ko"))
    }

    @Test(arguments: [
        ["subscribe"], ["subscribe", ""], ["subscribe", "home", "--count", "0"],
        ["subscribe", "home", "--output", "xml"],
        ["get", "home", "--window", "a=0"], ["get", "home", "--sort", "a"], ["get", "home", "--rows", "-1"],
        ["get", "home", "--timeout", "-1"], ["search", ""], ["search", "x", "--page", "0"], ["favorite", "add"],
        ["favorite", "add", "Movie/7"], ["favorite", "add", "xyz"],
        ["favorite", "add", "movie/"], ["publish", "f", "--batch", "0"],
        ["publish", "f", "--each", "--blocks"], ["nothing"],
        ["get", "home", "--server", "a:b"],
    ])
    func `Wrong use ends with 64`(_ arguments: [String]) {
        #expect { try Marquee.parseAsRoot(arguments) } throws: { Marquee.exitCode(for: $0).rawValue == 64 }
    }

    @Test(arguments: [
        ("27205", "movie/27205"), ("007", "movie/7"), ("movie/27205", "movie/27205"), ("movie/heat", "movie/heat"),
        ("person/6193", "person/6193"), ("course/courses/swift/1", "course/courses/swift/1"),
        ("airport/Kai Tak", "airport/Kai Tak"), ("song/ a\tb\n?=#", "song/ a\tb\n?=#"), ("dish/떡볶이", "dish/떡볶이"),
        ("place/Phở".decomposedStringWithCanonicalMapping, "place/Phở"),
    ])
    func `a favorite is any subject, and a number alone is a movie`(
        _ text: String, _ subject: String
    ) throws {
        let command = try #require(try Marquee.parseAsRoot(["favorite", "add", text]) as? FavoriteCommand.Add)
        #expect(command.change.subjects.map { Array($0.subject.name.utf8) } == [Array(subject.utf8)])
    }

    @Test(arguments: [
        ("xyz", "a subject is TYPE/ID"), ("movie/", "a subject is TYPE/ID"), ("Movie/7", "before the slash is a type"),
        ("a b/7", "before the slash is a type"), ("/7", "before the slash is a type"),
        ("song/" + String(repeating: "x", count: 252), "at most 256 bytes, not 257"),
    ])
    func `A text that isn't a subject is refused with the reason`(_ text: String, _ reason: String) {
        for command in [["favorite", "add", text], ["collection", "remove", "later", text]] {
            #expect { try Marquee.parseAsRoot(command) } throws: { Marquee.message(for: $0).contains(reason) }
        }
    }

    @Test func `Screens and sections may have any text in their ids`() throws {
        let parsed = try Marquee.parseAsRoot(["get", "airport/Kai Tak", "--window", "a=b c=12"])
        let command = try #require(parsed as? GetCommand)
        #expect(command.screen.id == "airport/Kai Tak")
        #expect(command.source.choices.options == [SectionOptions(section: "a=b c", window: 12)])
    }

    @Test func `a window or order that the screen doesn't show is reported`() throws {
        let parsed = try Marquee.parseAsRoot([
            "get", "home", "--window", "genres=7", "--window", "rank=3", "--sort", "list=title", "--window", "ok=12",
        ])
        let choices = try #require(parsed as? GetCommand).source.choices
        func section(_ id: String, sort: String = "", windows: [UInt32] = [], window: UInt32 = 0) -> ScreenSection {
            var head = SectionHead(kind: .basic)
            (head.sort, head.windows, head.window) = (sort, windows, window)
            return ScreenSection(id: id, head: head, items: [], placeholders: 0, sum: 0)
        }
        let screen = Screens.screen([
            section("genres", windows: [6, 12], window: 12), section("rank"), section("list", sort: "popularity"),
            section("ok", windows: [6, 12], window: 12),
        ])
        #expect(
            choices.unmet(on: screen) == [
                "the section 'list' is sorted by popularity, not by title",
                "the section 'genres' shows 12, not 7: its windows are 6, 12",
                "the section 'rank' has no windows; all of it is shown",
            ])
        try choices.check(against: screen)
        #expect { try choices.check(against: Screens.screen([section("genres")])) } throws: {
            ($0 as? Failure)?.status == .usage
        }
    }

    @Test(arguments: [
        ("MARQUEE_TLS_PUBLIC_KEYS", "MARQUEE_TLS_PUBLIC_KEY"), ("MARQUEE_TLS_PUBLC_KEY", "MARQUEE_TLS_PUBLIC_KEY"),
        ("MARQUEE_USR", "MARQUEE_USER"), ("MARQUEE_SEVER", "MARQUEE_SERVER"), ("MARQUEE_TOKENS", "MARQUEE_TOKEN"),
        ("marquee_tls_ca", "MARQUEE_TLS_CA"),
    ])
    func `A misspelt variable is refused, and the one that was meant is named`(_ name: String, _ meant: String) {
        #expect { try ConnectionOptions.parse([]).resolved(environment: [name: "x"]) } throws: {
            ($0 as? Failure)?.status == .usage && ($0 as? Failure)?.message.contains("did you mean '\(meant)'?") == true
        }
    }

    @Test func `Empty variables, and those of others, are left alone`() throws {
        let environment = [
            "MARQUEE_USR": "", "MARQUEE_DATA": "d", "MARQUEE_BIN": "b", "MARQUEE_PORT": "tcp://10.0.0.1:7420",
            "MARQUEE_SERVICE_HOST": "10.0.0.1", "MARQUEE_SERVER_X": "y", "MARQUEE_SERVER_OPTIONS": "--open",
            "MARQUEE_RELAY_OPTIONS": "--open", "MARQUEE_USER": "ana",
        ]
        #expect(try ConnectionOptions.parse([]).resolved(environment: environment).user == "ana")
    }

    @Test func `The client's own certificate may come from the environment, with its key`() throws {
        let files = try PEMFiles()
        let both = ["MARQUEE_TLS_CERT": files.certificate, "MARQUEE_TLS_KEY": files.key]
        let connection = try ConnectionOptions.parse(["--tls"]).resolved(environment: both)
        guard case .tls(let options) = connection.security else {
            Issue.record("\(connection.security)")
            return
        }
        #expect(options.certificate == CertificateFiles(chain: files.certificate, key: files.key))
        for name in both.keys {
            #expect { try ConnectionOptions.parse([]).resolved(environment: [name: files.key]) } throws: {
                ($0 as? Failure)?.message == "MARQUEE_TLS_CERT and MARQUEE_TLS_KEY go together"
            }
        }
    }

    @Test func `A file for TLS that can't be used is named, and isn't taken for a server that can't be reached`() throws
    {
        let files = try PEMFiles()
        let missing = files.certificate + "x"
        for (arguments, status, name) in [
            (["--tls-ca", missing], .noInput, "\(missing) can't be read: No such file or directory"),
            (["--tls-ca", "/"], .noInput, "/ can't be read: Is a directory"),
            (["--tls-public-key", "/"], .noInput, "/ can't be read: Is a directory"),
            (["--tls-ca", files.key], .dataError, "\(files.key) holds no certificate"),
            (["--tls-cert", missing, "--tls-key", files.key], .noInput, missing),
            (["--tls-cert", files.certificate, "--tls-key", missing], .noInput, missing),
            (
                ["--tls-cert", files.certificate, "--tls-key", files.certificate], .dataError,
                "\(files.certificate) holds no private key"
            ),
        ] as [([String], ProgramExit, String)] {
            #expect("\(arguments)") { try ConnectionOptions.parse(arguments).resolved(environment: [:]) } throws: {
                ($0 as? Failure)?.status == status && ($0 as? Failure)?.message.hasPrefix(name) == true
            }
        }
        #expect { try ConnectionOptions.parse([]).resolved(environment: ["MARQUEE_TLS_CA": missing]) } throws: {
            ($0 as? Failure)?.status == .noInput
        }
    }

    @Test func `TLS is for other machines, and for this one if something asks for it`() throws {
        func security(_ arguments: [String], _ environment: [String: String] = [:]) throws -> TransportSecurity {
            try ConnectionOptions.parse(arguments).resolved(environment: environment).security
        }
        let (here, there) = (["--server", "127.0.0.1:1"], ["--server", "films.example"])
        #expect(try security(here) == .unencrypted)
        #expect(try security(there) == .tls)
        #expect(try security(here + ["--tls"]) == .tls)
        for word in ["1", "true", "TRUE", "Yes"] {
            #expect(try security(here, ["MARQUEE_TLS": word]) == .tls)
            #expect(try security(there, ["MARQUEE_ALLOW_UNENCRYPTED": word]) == .unencrypted)
        }
        for word in ["", "0", "false", "No"] {
            #expect(try security(here, ["MARQUEE_TLS": word]) == .unencrypted)
            #expect(try security(there, ["MARQUEE_ALLOW_UNENCRYPTED": word]) == .tls)
        }
        for variable in ["MARQUEE_TLS", "MARQUEE_ALLOW_UNENCRYPTED"] {
            #expect { try security(here, [variable: "on"]) } throws: {
                ($0 as? Failure)?.message == "\(variable) is 'on'; write 1, true or yes, or 0, false or no"
            }
        }
        let files = try PEMFiles()
        #expect(
            try security(here + ["--tls-ca", files.certificate]) == .tls(TLSOptions(authorities: files.certificate)))
        #expect(
            try security(here, ["MARQUEE_TLS_CA": files.certificate, "MARQUEE_TLS_NAME": "a.b"])
                == .tls(TLSOptions(authorities: files.certificate, serverName: "a.b")))
        #expect(
            try security(there + ["--tls-cert", files.certificate, "--tls-key", files.key])
                == .tls(TLSOptions(certificate: CertificateFiles(chain: files.certificate, key: files.key))))
        #expect(try security(there + ["--allow-unencrypted"]) == .unencrypted)
        #expect(try security(there, ["MARQUEE_ALLOW_UNENCRYPTED": "1"]) == .unencrypted)
        let path = FileManager.default.temporaryDirectory.appending(path: "marquee-key-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try "-----BEGIN PUBLIC KEY-----\nAAEC\n-----END PUBLIC KEY-----\n".write(
            toFile: path, atomically: true, encoding: .utf8)
        let pinned = TransportSecurity.tls(TLSOptions(publicKeys: [ServerPublicKey(bytes: [0, 1, 2])]))
        #expect(try security(here + ["--tls-public-key", path]) == pinned)
        #expect(try security(here, ["MARQUEE_TLS_PUBLIC_KEY": path]) == pinned)
        #expect { try security(here + ["--tls-public-key", path + "x"]) } throws: {
            ($0 as? Failure)?.status == .noInput
        }
        // An option that asks for TLS wins over the environment.
        #expect(try security(there + ["--tls"], ["MARQUEE_ALLOW_UNENCRYPTED": "1"]) == .tls)
        for wrong in [
            ["--tls-cert", "c"], ["--tls-key", "k"], ["--allow-unencrypted", "--tls"],
            ["--allow-unencrypted", "--tls-public-key", "k"],
        ] {
            #expect(throws: (any Error).self) { try ConnectionOptions.parse(wrong) }
        }
    }

    @Test func `A token comes from a file or from the environment`() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "marquee-token-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        func token(_ arguments: [String]) throws -> String? {
            try ConnectionOptions.parse(arguments).resolved(environment: ["MARQUEE_TOKEN": " t\r\n"]).token?.newest()
        }
        #expect(try token([]) == "t")
        #expect { try token(["--token-file", path]) } throws: { ($0 as? Failure)?.status == .noInput }
        try Data("  abc \nrest\n".utf8).write(to: URL(filePath: path))
        #expect(try token(["--token-file", path]) == "abc")
        try Data("\n".utf8).write(to: URL(filePath: path))
        #expect { try token(["--token-file", path]) } throws: { ($0 as? Failure)?.status == .noInput }
    }

    @Test func `The environment stands in for options`() throws {
        let options = try ConnectionOptions.parse([])
        #expect(
            try options.resolved(environment: ["MARQUEE_SERVER": "h:9", "MARQUEE_USER": "ann", "MARQUEE_LOCALE": "ko"])
                == Connection(server: ServerAddress(host: "h", port: 9), user: "ann", locale: "ko"))
        #expect(
            try options.resolved(environment: ["MARQUEE_USER": ""])
                == Connection(server: .standard, user: nil, locale: "en"))
        #expect { try options.resolved(environment: ["MARQUEE_SERVER": "h:x"]) } throws: {
            ($0 as? Failure)?.status == .usage
        }
        let mirror = try MirrorOptions.parse([])
        let connection = Connection(server: .standard, user: nil, locale: "en")
        let named = try mirror.resolved(for: connection, environment: ["MARQUEE_MIRROR": "/m"])
        #expect(named.path == "/m" && named.isExplicit)
        let standard = try mirror.resolved(for: connection, environment: ["HOME": "/h"])
        #expect(standard.path == "/h/.local/state/marquee/127.0.0.1_7420/-.sqlite" && !standard.isExplicit)
    }

    @Test(arguments: [
        ("ann", "ann"), ("-", "%2D"), ("a/b", "a%2Fb"), ("..", "%2E."), ("앤", "%EC%95%A4"), (".x", "%2Ex"),
    ])
    func `A user's mirror stays in its folder`(_ user: String, _ file: String) throws {
        let path = try MirrorPath.standard(
            server: .standard, user: user, environment: ["XDG_STATE_HOME": "/s", "HOME": "/h"])
        #expect(path == "/s/marquee/127.0.0.1_7420/\(file).sqlite")
    }

    @Test func `A mirror needs a home and a short name`() {
        #expect {
            try MirrorPath.standard(server: .standard, user: nil, environment: ["XDG_STATE_HOME": "relative"])
        } throws: {
            ($0 as? Failure)?.status == .usage
        }
        let long = String(repeating: "x", count: 300)
        #expect { try MirrorPath.standard(server: .standard, user: long, environment: ["HOME": "/h"]) } throws: {
            ($0 as? Failure)?.status == .usage
        }
    }

    @Test func `A terminal is as wide as it says`() {
        #expect(Terminal(isTerminal: true, measured: 132, environment: ["COLUMNS": "50"]).columns == 132)
        #expect(Terminal(isTerminal: true, measured: 0, environment: ["COLUMNS": "50"]).columns == 50)
        #expect(Terminal(isTerminal: true, measured: nil, environment: [:]).columns == 80)
        #expect(Terminal(isTerminal: false, measured: nil, environment: [:]).columns == 100)
        #expect(Terminal(isTerminal: false, measured: nil, environment: ["COLUMNS": "-5"]).columns == 100)
    }

    @Test func `Colours need a terminal that wants them`() {
        #expect(
            Terminal(isTerminal: true, measured: 80, environment: ["NO_COLOR": "", "TERM": "xterm"]).style.bold("a")
                == "\u{1B}[1ma\u{1B}[0m")
        #expect(
            Terminal(isTerminal: true, measured: 80, environment: ["NO_COLOR": "1", "TERM": "xterm"]).style.bold("a")
                == "a")
        for kind in [["TERM": "dumb"], ["TERM": ""], [:]] {
            #expect(Terminal(isTerminal: true, measured: 80, environment: kind).style.bold("a") == "a")
        }
        #expect(Terminal(isTerminal: false, measured: 80, environment: ["TERM": "xterm"]).style.bold("a") == "a")
    }
}

import Foundation
import MarqueeModel
import Testing

@testable import marquee_server

@Suite struct SettingsTests {
    private static let options = ServeSettings.options

    private static func settings(
        _ yaml: String = "", _ environment: [String: String] = [:], _ arguments: [String] = []
    ) throws -> Settings {
        try Settings(
            options, file: (try ConfigurationFile.values(yaml, path: "m.yaml"), "m.yaml"), environment: environment,
            arguments: arguments)
    }

    private static func parsed(_ settings: Settings) throws -> ServeCommand {
        let command = try MarqueeServerCommand.parseAsRoot(["serve"] + settings.arguments)
        return try #require(command as? ServeCommand)
    }

    @Test(arguments: [
        ("MARQUEE_NO_ANONYMOUS", "MARQUEE_SERVER_NO_ANONYMOUS"),
        ("MARQUEE_SERVR_NO_ANONYMOUS", "MARQUEE_SERVER_NO_ANONYMOUS"),
        ("MARQUEE_NO_ANONYMUS", "MARQUEE_SERVER_NO_ANONYMOUS"), ("MARQUEE_JWT_KEYS", "MARQUEE_SERVER_JWT_KEYS"),
        ("marquee_server_no_anonymous", "MARQUEE_SERVER_NO_ANONYMOUS"),
        ("MARQUEE-SERVER-OPEN", "MARQUEE_SERVER_OPEN"), ("Marquee_No_Anonymous", "MARQUEE_SERVER_NO_ANONYMOUS"),
    ])
    func `A setting whose variable begins otherwise is refused by serve, config and check`(
        variable: String, meant: String
    ) throws {
        for command in ["serve", "config", "check"] {
            let failure = #expect(throws: CommandFailure.self) {
                try ServeSettings.expand([command, "--data", "d"], environment: [variable: "true"])
            }
            #expect(failure?.message.contains("did you mean '\(meant)'") == true, "\(failure?.message ?? "")")
        }
        _ = try ServeSettings.expand(["relay"], environment: [variable: "true"])
        _ = try ServeSettings.expand(["serve", "--help"], environment: [variable: "true"])
        _ = try ServeSettings.expand(["serve"], environment: [variable: ""])
    }

    @Test func `Variables of other programs are nothing to the server`() throws {
        var environment = Dictionary(
            (KnownVariables.client + KnownVariables.others).map { ($0, "1") }, uniquingKeysWith: { first, _ in first })
        environment["MARQUEE_SOMETHING_OF_OURS"] = "1"
        environment["KUBERNETES_SERVICE_HOST"] = "10.0.0.1"
        environment["MARQUEE_PORT"] = "tcp://10.0.0.2:7420"
        #expect(try ServeSettings.expand(["serve"], environment: environment).arguments == ["serve"])
    }

    @Test(arguments: [("TRUE", true), ("Yes", true), ("1", true), ("False", false), ("NO", false), ("0", false)])
    func `A flag is on or off in letters of any case`(word: String, isOn: Bool) throws {
        #expect(try Self.settings("data: d", ["MARQUEE_SERVER_OPEN": word]).values["open"]?.isOn == isOn)
        #expect(throws: CommandFailure.self) { try Self.settings("data: d", ["MARQUEE_SERVER_OPEN": word + "x"]) }
    }

    @Test func `Arguments override the environment, and that the file`() throws {
        let yaml = "{data: /file, listen: '127.0.0.1:1', ping-interval: 7, threads: 2, open: true}"
        let settings = try Self.settings(
            yaml, ["MARQUEE_SERVER_LISTEN": "127.0.0.1:2", "MARQUEE_SERVER_PING_INTERVAL": "8", "MARQUEE_TOKEN": "x"],
            ["--ping-interval", "9", "--log-level=debug"])
        #expect(settings.values["data"]?.source == .file("m.yaml"))
        #expect(settings.values["listen"]?.source == .variable("MARQUEE_SERVER_LISTEN"))
        #expect(settings.values["ping-interval"] == Settings.Setting(values: ["9"], source: .argument))
        let options = try Self.parsed(settings).serving
        #expect(
            options.store.place == .folder("/file") && options.listen.port == 2 && options.running.pingInterval == 9)
        #expect(options.running.threadCount == 2 && options.open && options.logging.level == .debug)
    }

    @Test func `What may be repeated is replaced as a whole`() throws {
        let yaml = "data: d\nrotate: [a=1, b=2]\nno-anonymous: false\n"
        #expect(try Self.parsed(Self.settings(yaml)).serving.rotations.map(\.pool) == ["a", "b"])
        let byVariable = try Self.settings(yaml, ["MARQUEE_SERVER_ROTATE": "c=1,d=2"])
        #expect(try Self.parsed(byVariable).serving.rotations.map(\.pool) == ["c", "d"])
        let byArgument = try Self.settings(yaml, [:], ["--rotate", "e=1", "--rotate=f=2"])
        #expect(try Self.parsed(byArgument).serving.rotations.map(\.pool) == ["e", "f"])
        #expect(byArgument.values["rotate"]?.values == ["e=1", "f=2"])
    }

    @Test func `A flag is turned off by what comes later`() throws {
        let settings = try Self.settings("{data: d, open: true}", ["MARQUEE_SERVER_OPEN": "0"])
        #expect(try !Self.parsed(settings).serving.open)
        #expect(settings.values["open"]?.source == .variable("MARQUEE_SERVER_OPEN"), "so 'config' names it")
        #expect(settings.values["open"]?.isOn == false)
        #expect(settings.changes(in: try Self.settings("data: d")).isEmpty)
    }

    @Test func `A variable that no option knows is refused`() throws {
        let failure = #expect(throws: CommandFailure.self) {
            try Self.settings("data: d", ["MARQUEE_SERVER_NO_ANONYMUS": "true"])
        }
        #expect(failure?.code == .configuration)
        #expect(failure?.message.contains("did you mean 'MARQUEE_SERVER_NO_ANONYMOUS'") == true)
        #expect(throws: CommandFailure.self) { try Self.settings("data: d", ["MARQUEE_SERVER_LISTEN_PORT": "7420"]) }
    }

    @Test func `A misspelt variable for the token of an import or a relay is refused`() throws {
        let options = try PublishingOptions.parse([])
        let failure = #expect(throws: CommandFailure.self) { try options.token(environment: ["MARQUEE_TOKN": "x"]) }
        #expect(failure?.message.contains("did you mean 'MARQUEE_TOKEN'?") == true)
        #expect(try options.token(environment: ["MARQUEE_TOKEN": "x\n", "MARQUEE_TOKENS": "y"]) == "x")
        #expect(try options.token(environment: ["MARQUEE_TLS": "1", "MARQUEE_USER": "ana", "MARQUEE_TOKN": ""]) == nil)
    }

    @Test func `Variables of others are left alone`() throws {
        let others = [
            "MARQUEE_SERVER": "a", "MARQUEE_SERVER_BIN": "/bin/x", "MARQUEE_SERVER_OPTIONS": "--open",
            "MARQUEE_SERVER_CONFIG": "m.yaml", "MARQUEE_SERVER_NOTHING": "",
        ]
        #expect(Set(try Self.settings("data: d", others).values.keys) == ["data"])
        let links = [
            "KUBERNETES_SERVICE_HOST": "10.0.0.1", "MARQUEE_SERVER_SERVICE_HOST": "10.0.0.2",
            "MARQUEE_SERVER_SERVICE_PORT_ADMIN": "7421", "MARQUEE_SERVER_PORT": "tcp://10.0.0.2:7420",
            "MARQUEE_SERVER_PORT_7420_TCP_ADDR": "10.0.0.2",
        ]
        #expect(Set(try Self.settings("data: d", links).values.keys) == ["data"])
        #expect(
            ServeSettings.ignored(others.merging(["MARQUEE_SERVER_LISTEN": "x"]) { $1 }) == ["MARQUEE_SERVER_LISTEN"])
    }

    @Test func `A value with dashes, spaces or an equals sign stays one`() throws {
        let settings = try Self.settings("{data: '--odd = folder', image-base-url: 'https://a.example/?x=--y'}")
        let options = try Self.parsed(settings).serving
        #expect(options.store.place == .folder("--odd = folder") && options.imageBaseURL == "https://a.example/?x=--y")
    }

    @Test(arguments: [
        ("lisen: a", "did you mean 'listen'"), ("open: 5", "true or false"), ("listen: [a, b]", "one value"),
        ("listen: {a: b}", "a text, a number"), ("[a]", "list of options"), ("a: [", "not YAML"),
        ("data: a\ndata: b", "data"), ("config: other.yaml", "no option 'config'"),
    ])
    func `A mistake is named`(yaml: String, words: String) throws {
        let failure = #expect(throws: CommandFailure.self) { try Self.settings(yaml) }
        #expect(
            failure?.code == .configuration && failure?.message.contains(words) == true, "\(failure?.message ?? "")")
    }

    @Test func `An option that the command refuses is traced to where it was set`() throws {
        let settings = try Self.settings("{data: d, threads: 900}", ["MARQUEE_SERVER_PING_INTERVAL": "0"])
        #expect(settings.origin(of: "--threads is a number") == "; threads is set in m.yaml")
        #expect(settings.origin(of: "--ping-interval is …") == "; ping-interval is set in MARQUEE_SERVER_PING_INTERVAL")
        #expect(settings.origin(of: "something else") == "")
    }

    @Test func `What differs is known by name`() throws {
        let before = try Self.settings("{data: d, log-level: info, open: true}")
        let after = try Self.settings("{data: d, log-level: debug}")
        #expect(before.changes(in: after) == ["log-level", "open"])
    }

    @Test func `All options of serve but the file's own can be set`() throws {
        let names = Self.options.options.map(\.name)
        #expect(names.contains("data") && names.contains("tls-cert") && names.contains("max-variants"))
        #expect(!names.contains("config") && !names.contains("help") && !names.contains("version"))
        #expect(Self.options.named("listen")?.standard == "127.0.0.1:7420")
        #expect(Self.options.named("rotate")?.isRepeating == true && Self.options.named("open")?.isFlag == true)
    }

    @Test func `What prints the settings takes all options of serve`() {
        #expect(OptionList(description: ConfigCommand._dumpHelp()).options == Self.options.options)
    }

    @Test func `The file is where the arguments say, or else the environment`() {
        let environment = ["MARQUEE_SERVER_CONFIG": "e.yaml"]
        #expect(ConfigurationFile.path(arguments: ["--config", "a.yaml"], environment: environment) == "a.yaml")
        #expect(ConfigurationFile.path(arguments: ["--config=b.yaml"], environment: environment) == "b.yaml")
        #expect(ConfigurationFile.path(arguments: [], environment: environment) == "e.yaml")
        #expect(ConfigurationFile.path(arguments: [], environment: [:]) == nil)
    }
}

import ArgumentParser

/// `marquee-server serve`
struct ServeCommand: AsyncParsableCommand, ServingCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve the screens of a data folder, or of a database that several servers share.",
        discussion: """
            Prints one line when it is ready, then serves until Ctrl-C or SIGTERM. The --programme file is applied again \
            whenever it changes, and on SIGHUP; mistakes in it are reported and change nothing.

              marquee-server serve --data data --open
              marquee-server serve --data data --listen 0.0.0.0:7420 --tls-cert cert.pem --tls-key key.pem
              marquee-server serve --store postgres://marquee@db.example/marquee --tokens tokens.yaml
              marquee-server serve --data data --programme programme.yaml --log-level info
              marquee-server serve --data data --open --replay chart/boxoffice --speed 2
              marquee-server serve --config marquee.yaml
            """)

    @OptionGroup var file: ConfigurationOptions

    @OptionGroup var store: PlaceOptions

    @OptionGroup var service: ServiceOptions

    @OptionGroup var jwt: JWTOptions

    @OptionGroup var protection: ServerProtectionOptions

    @OptionGroup var limits: LimitOptions

    @OptionGroup var logging: LoggingOptions

    @OptionGroup var running: RunningOptions

    @OptionGroup var admin: AdminOptions

    @OptionGroup var web: WebOptions

    @OptionGroup var replaying: ReplayOptions

    func run() async throws {
        try await Serving(
            options: serving, replay: replaying.request,
            settings: ServeSettings.hasFile() ? try ServeSettings.current() : nil
        ).run()
    }
}

/// The file of settings of `serve`, which `ConfigurationFile` finds and reads before arguments are parsed.
struct ConfigurationOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            A YAML file of these options: their names with their values. Environment variables override it, \
            arguments override both; '\(MarqueeServerCommand.name) config' says what comes from where.
            """, valueName: "file"))
    var config: String?
}

/// Options for the replay that `serve` plays.
struct ReplayOptions: ParsableArguments {
    @Option(
        name: .customLong("replay"),
        help: ArgumentHelp("Play the stored editions of this list while serving.", valueName: "list"))
    var list: String?

    @Option(
        help: ArgumentHelp("Editions a second of --replay. (default: 1)", valueName: "n"),
        transform: { try ReplayRequest.speed($0) })
    var speed: Double?

    func validate() throws {
        if speed != nil, list == nil { throw ValidationError("--speed needs --replay") }
    }

    var request: ReplayRequest? {
        list.map { ReplayRequest(list: $0, speed: speed ?? ReplayRequest.standardSpeed, exits: false) }
    }
}

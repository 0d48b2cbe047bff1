import ArgumentParser

/// `marquee-server replay`
struct ReplayCommand: AsyncParsableCommand, ServingCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Serve, and show the stored editions of a list one after another.",
        discussion: """
            Every edition is a commit, so screens with that list change live. Editions follow one another by name, as days \
            do. After the last one the server keeps running until Ctrl-C or SIGTERM.

              marquee-server replay chart/boxoffice --data data --open
              marquee-server replay chart/boxoffice --data data --open --speed 10 --exit
            """)

    @OptionGroup var store: PlaceOptions

    @OptionGroup var service: ServiceOptions

    @OptionGroup var jwt: JWTOptions

    @OptionGroup var protection: ServerProtectionOptions

    @OptionGroup var limits: LimitOptions

    @OptionGroup var logging: LoggingOptions

    @OptionGroup var running: RunningOptions

    @OptionGroup var admin: AdminOptions

    @OptionGroup var web: WebOptions

    @Argument(help: "The name of the list, such as chart/boxoffice.")
    var list: String

    @Option(
        help: ArgumentHelp("Editions a second. (default: 1)", valueName: "n"),
        transform: { try ReplayRequest.speed($0) })
    var speed = ReplayRequest.standardSpeed

    @Flag(name: .customLong("exit"), help: "Shut down after the last edition.")
    var exits = false

    func run() async throws {
        try await Serving(options: serving, replay: ReplayRequest(list: list, speed: speed, exits: exits)).run()
    }
}

/// The list to replay, and how fast.
struct ReplayRequest: Hashable {
    static let standardSpeed = 1.0
    /// Editions a second; the bounds keep the pause between two of them sensible.
    static let speeds = 0.001...1_000

    var list: String
    /// Editions a second.
    var speed: Double
    /// Whether the server ends after the last edition.
    var exits: Bool

    /// - Throws: `ValidationError` for anything but a speed.
    static func speed(_ text: String) throws -> Double {
        guard let speed = Double(text), speeds.contains(speed) else {
            throw ValidationError("a speed is a number of editions a second from \(speeds.lowerBound) to 1000")
        }
        return speed
    }
}

import ArgumentParser

/// `marquee-server replay`
struct ReplayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Serve, and show the stored days of a chart one after another.",
        discussion: """
            Every day is a commit, so screens with that chart change live. After the last day the server keeps running until \
            Ctrl-C or SIGTERM.

              marquee-server replay boxoffice --data data --open
              marquee-server replay boxoffice --data data --open --speed 10 --exit
            """)

    @OptionGroup var options: ServingOptions

    @Argument(help: "The id of the chart.")
    var chart: String

    @Option(
        help: ArgumentHelp("Days a second. (default: 1)", valueName: "n"), transform: { try ReplayRequest.speed($0) })
    var speed = ReplayRequest.standardSpeed

    @Flag(name: .customLong("exit"), help: "Shut down after the last day.")
    var exits = false

    func run() async throws {
        try await Serving(options: options, replay: ReplayRequest(chart: chart, speed: speed, exits: exits)).run()
    }
}

/// What to show, and how fast.
struct ReplayRequest: Hashable {
    static let standardSpeed = 1.0
    /// Days a second; the bounds keep the pause between two days sensible.
    static let speeds = 0.001...1_000

    var chart: String
    /// Days a second.
    var speed: Double
    /// Whether the server ends after the last day.
    var exits: Bool

    /// - Throws: `ValidationError` for anything but a speed.
    static func speed(_ text: String) throws -> Double {
        guard let speed = Double(text), speeds.contains(speed) else {
            throw ValidationError("a speed is a number of days a second from \(speeds.lowerBound) to 1000")
        }
        return speed
    }
}

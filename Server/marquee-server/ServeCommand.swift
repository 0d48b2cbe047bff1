import ArgumentParser

/// `marquee-server serve`
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve the screens of a data folder.",
        discussion: """
            Prints one line when it is ready, then serves until Ctrl-C or SIGTERM. The --programme file is applied again \
            whenever it changes, and on SIGHUP; mistakes in it are reported and change nothing.

              marquee-server serve --data data --open
              marquee-server serve --data data --listen 0.0.0.0:7420
              marquee-server serve --data data --programme programme.yaml --log-level info
              marquee-server serve --data data --open --replay chart/boxoffice --speed 2
            """)

    @OptionGroup var options: ServingOptions

    @Option(
        name: .customLong("replay"),
        help: ArgumentHelp("Show the stored editions of this list meanwhile.", valueName: "list"))
    var list: String?

    @Option(
        help: ArgumentHelp("Editions a second of --replay. (default: 1)", valueName: "n"),
        transform: { try ReplayRequest.speed($0) })
    var speed: Double?

    func validate() throws {
        if speed != nil, list == nil { throw ValidationError("--speed needs --replay") }
    }

    func run() async throws {
        let replay = list.map { ReplayRequest(list: $0, speed: speed ?? ReplayRequest.standardSpeed, exits: false) }
        try await Serving(options: options, replay: replay).run()
    }
}

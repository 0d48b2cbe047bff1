import ArgumentParser
import MarqueeConformance

struct ConformServerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "server",
        abstract: "Checks a server.",
        discussion: """
            It needs a screen, of any catalogue. Without --user and --publish-allowed nothing
            is written, and the checks that need that are not applicable. The server has to
            accept connections without TLS, and some of the checks break their connections.

            EXAMPLES
              marquee conform server 127.0.0.1:7420
              marquee conform server 127.0.0.1:7420 --screen detail/27205 --only 13
              marquee conform server 127.0.0.1:7420 --user conform --publish-allowed
            """)

    @Argument(help: ArgumentHelp("The server.", valueName: "host:port"))
    var server: ServerAddress?

    @Option(help: "The screen that the checks look at.")
    var screen = ScreenName.home

    @Option(
        help: ArgumentHelp(
            "A user whose favorites the checks may set and remove.", valueName: "name"), completion: .none)
    var user: String?

    @Option(
        name: .customLong("token-file"),
        help: ArgumentHelp("The file with the token that proves who you are, on its first line.", valueName: "path"),
        completion: .file())
    var tokenFile: String?

    @Flag(help: "Let the checks publish: changes that name records which don't exist, so nothing changes.")
    var publishAllowed = false

    @OptionGroup var options: ConformOptions

    func validate() throws {
        if server == nil, !options.list { throw ValidationError("Missing expected argument '<host:port>'") }
        if let user, user.isEmpty { throw ValidationError("--user needs a name") }
    }

    func run() async throws {
        try await options.run(ServerChecks.all) {
            let server = server ?? .standard
            var subject = ServerSubject(
                host: server.host, port: server.port, screen: screen.id.name, user: user,
                token: try TokenText(file: tokenFile, environment: [:])?.newest(), mayPublish: publishAllowed)
            subject.deadlines = Deadlines(answer: options.deadline.duration)
            do {
                try await subject.reach()
            } catch let error as PeerUnreachable {
                throw Failure(.unavailable, error.message)
            }
            return subject.runner(width: options.jobs)
        }
    }
}

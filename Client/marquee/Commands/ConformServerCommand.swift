import ArgumentParser
import MarqueeConformance

struct ConformServerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "server",
        abstract: "Checks a server.",
        discussion: """
            It needs a screen of any catalogue. Without --user and --publish-allowed nothing
            is written, and the checks that need that are not applicable. The server has to
            accept connections without TLS, and some of the checks break their connections.
            With ws:// the same frames travel in WebSocket messages.

            EXAMPLES
              marquee conform server 127.0.0.1:7420
              marquee conform server 127.0.0.1:7420 --screen detail/27205 --only 13
              marquee conform server 127.0.0.1:7420 --user conform --publish-allowed
              marquee conform server ws://127.0.0.1:7422/v1/connect
            """)

    @Argument(help: ArgumentHelp("The server, or its WebSocket: ws://host:port/path.", valueName: "host:port"))
    var server: ConformTarget?

    @Option(help: "The screen that the checks use.")
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

    @Flag(help: "Let the checks publish: changes to records that don't exist, so nothing changes.")
    var publishAllowed = false

    @OptionGroup var options: ConformOptions

    func validate() throws {
        if server == nil, !options.list { throw ValidationError("Missing expected argument '<host:port>'") }
        if let user, user.isEmpty { throw ValidationError("--user needs a name") }
    }

    func run() async throws {
        try await options.run(ServerChecks.all) {
            let target = server ?? ConformTarget(server: .standard)
            let server = target.server
            var subject = ServerSubject(
                host: server.host, port: server.port, screen: screen.id.name, user: user,
                token: try TokenText(file: tokenFile, environment: [:])?.newest(), mayPublish: publishAllowed)
            subject.webSocketPath = target.webSocketPath
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

/// The server that `conform` checks: `127.0.0.1:7420`, or `ws://127.0.0.1:7422/v1/connect`.
struct ConformTarget: Hashable, Sendable, ExpressibleByArgument {
    private static let webSocketScheme = "ws://"
    private static let webSocketPort = 80

    var server: ServerAddress
    /// `nil` for TCP.
    var webSocketPath: String?

    init(server: ServerAddress) { self.server = server }

    init?(argument: String) {
        guard argument.hasPrefix(Self.webSocketScheme) else {
            guard let server = ServerAddress(argument: argument) else { return nil }
            self.init(server: server)
            return
        }
        let rest = argument.dropFirst(Self.webSocketScheme.count)
        let slash = rest.firstIndex(of: "/") ?? rest.endIndex
        let hasPort = rest[..<slash].last != "]" && rest[..<slash].contains(":")
        let address = hasPort ? String(rest[..<slash]) : "\(rest[..<slash]):\(Self.webSocketPort)"
        guard let server = ServerAddress(argument: address),
            rest[slash...].utf8.allSatisfy({ (0x21..<0x7F).contains($0) })
        else { return nil }
        self.init(server: server)
        webSocketPath = slash == rest.endIndex ? "/" : String(rest[slash...])
    }
}

import ArgumentParser
import MarqueeConformance

struct ConformClientCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "client",
        abstract: "Checks a client, starting it again for each check.",
        discussion: """
            The command after -- starts the client; in each of its words {host} and {port} are
            replaced by the address of a scripted server, {screen} by the screen to subscribe
            to and {mirror} by a file for the client's data. The client has to reconnect
            after a break. It is killed when its check ends.

            EXAMPLES
              marquee conform client -- marquee subscribe {screen} \\
                --server {host}:{port} --mirror {mirror}
              marquee conform client --only 14 -- ./my-client {host} {port} {screen}
            """)

    @Option(help: "The screen that the client is told to subscribe to.")
    var screen = ScreenName.home

    @OptionGroup var options: ConformOptions

    @Argument(help: ArgumentHelp("The client and its arguments, after --.", valueName: "command"))
    var command: [String] = []

    func validate() throws {
        guard !options.list else { return }
        if command.isEmpty { throw ValidationError("Missing the client's command after --") }
        if !CommandTemplate(command).namesPort {
            throw ValidationError("The client's command needs {port}, to find the scripted server")
        }
    }

    func run() async throws {
        try await options.run(ClientChecks.all) {
            let template = CommandTemplate(command)
            var subject = ClientSubject(screen: screen.id.name, keepsMirror: template.namesMirror) { launch in
                try SpawnedClient(template.filled(with: launch), folder: launch.folder)
            }
            subject.deadlines = Deadlines(answer: options.deadline.duration)
            return subject.runner(width: options.jobs)
        }
    }
}

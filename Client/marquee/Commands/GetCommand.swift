import ArgumentParser
import MarqueeClient
import MarqueeModel

struct GetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get",
        abstract: "Prints a screen as it is now.",
        discussion: """
            EXAMPLES
              marquee get home
              marquee get detail/27205 --locale ko
              marquee get home --window genres=12 --rows 0
              marquee get home --output ndjson | jq '.sections[].items[].content.title'
            """)

    @Argument(help: "The screen, such as home or detail/27205.", completion: ScreenName.completion)
    var screen: ScreenName

    @OptionGroup(title: "What to show") var choices: SectionChoices
    @OptionGroup(title: "Output") var output: OutputOptions

    @Option(help: ArgumentHelp("How long to wait for the answer, in seconds.", valueName: "seconds"))
    var timeout = Seconds(10)

    @OptionGroup(title: "Connection") var connection: ConnectionOptions

    func validate() throws { try timeout.checkTimeout() }

    func run() async throws {
        let answer = try await ServerCall.run(connection.resolved(), timeout: timeout) {
            try await $0.get(screen.id, options: choices.options)
        }
        switch output.format {
        case .lines: try Output.standard.write(output.printer.lines(of: answer))
        case .ndjson: try Output.standard.write(NDJSONWriter.snapshot(answer, status: nil).line())
        }
    }
}

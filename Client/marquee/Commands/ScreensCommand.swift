import ArgumentParser
@_spi(Admin) import MarqueeClient

struct ScreensCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "screens",
        abstract: "Lists the screens that the server offers, with their sections, sorts and windows.",
        discussion: """
            EXAMPLES
              marquee screens
              marquee screens --locale ko --server 127.0.0.1:7420
            """)

    @Option(help: ArgumentHelp("How long to wait for the answer, in seconds.", valueName: "seconds"))
    var timeout = Seconds(10)

    @OptionGroup(title: "Connection") var connection: ConnectionOptions

    func validate() throws { try timeout.checkTimeout() }

    func run() async throws {
        let offer = try await ServerCall.run(connection.resolved(), timeout: timeout) { try await $0.describe() }
        let terminal = Terminal.standardOutput()
        try Output.standard.write(
            ScreensCommand.lines(of: offer, columns: terminal.columns, style: terminal.style))
    }

    static func lines(of offer: ServerOffer, columns: Int, style: TextStyle) -> [String] {
        var lines: [String] = []
        for screen in offer.screens {
            let pattern = Sanitizer.line(screen.pattern)
            var facts = Sanitizer.line(screen.title)
            if let example = screen.example, example.name != screen.pattern {
                facts += " (such as \(Sanitizer.line(example.name)))"
            }
            let room = max(0, columns - TextWidth.columns(pattern) - 2)
            lines.append("\(style.bold(pattern))  \(TextWidth.truncate(facts, to: room))")
            let width = screen.sections.map { TextWidth.columns(Sanitizer.line($0.id)) }.max() ?? 0
            for section in screen.sections {
                var line = "  \(TextWidth.pad(Sanitizer.line(section.id), to: width))  \(section.kind.name)"
                if !section.sorts.isEmpty { line += "  sorts: \(section.sorts.map(\.id).joined(separator: ", "))" }
                if !section.windows.isEmpty {
                    line += "  windows: \(section.windows.map { String($0) }.joined(separator: ", "))"
                }
                if section.anywhere > 0 { line += "  windows: anywhere, \(section.anywhere) rows" }
                lines.append(TextWidth.truncate(Sanitizer.line(line), to: columns))
            }
        }
        lines.append(Sanitizer.line("locales: \(offer.locales.joined(separator: ", "))"))
        return lines
    }
}

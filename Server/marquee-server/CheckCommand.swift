import ArgumentParser
import MarqueeScreens

/// `marquee-server check`
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check a programme file.",
        discussion: """
            Prints every problem with its line and ends with \(CommandFailure.Code.badData.rawValue) when there is \
            one. Warnings are printed too and are no failure: a screen whose layouts leave no room for its title, a \
            pool that stands for two different choices.

              marquee-server check programme.yaml
            """)

    @Argument(help: ArgumentHelp("The programme file.", valueName: "programme"))
    var file: String

    func run() throws {
        let source = try ProgrammeSource(file: file, wrong: .badData)
        let screens = source.programme.screens
        let sections = screens.reduce(0) { $0 + $1.sections.count }
        for warning in source.warnings { Console.show("\(warning.file):\(warning.line): warning: \(warning.reason)\n") }
        let warnings = source.warnings.isEmpty ? "" : ", \(counted(source.warnings.count, "warning"))"
        Console.say("ok: \(counted(screens.count, "screen")), \(counted(sections, "section"))\(warnings)")
    }
}

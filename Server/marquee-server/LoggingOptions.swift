import ArgumentParser
import Logging
import MarqueeAdmin

/// Options for the log of a process that serves clients: its level and its format.
struct LoggingOptions: ParsableArguments {
    enum Format: String, CaseIterable, ExpressibleByArgument {
        /// Text on a terminal, JSON otherwise.
        case auto
        case text
        case json
    }

    @Option(
        name: .customLong("log-level"),
        help: ArgumentHelp("The log level on standard error: \(LogLevel.names). (default: notice)", valueName: "level"),
        transform: { text in
            guard let level = Logger.Level(rawValue: text) else {
                throw ValidationError("a level is one of \(LogLevel.names)")
            }
            return level
        })
    var level = Logger.Level.notice

    @Option(
        name: .customLong("log-format"),
        help: ArgumentHelp(
            "The log's format: text, json (an object on each line), or auto: text on a terminal, json otherwise.",
            valueName: "format"))
    var format = Format.auto

    /// The log, on standard error.
    func log() -> ServerLog {
        let isText = format == .text || format == .auto && Console.showsProgress
        return ServerLog(level: level, format: isText ? .text : .json) { Console.show($0) }
    }
}

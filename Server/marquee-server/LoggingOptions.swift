import ArgumentParser
import Logging
import MarqueeAdmin

/// In which form the server logs.
struct LoggingOptions: ParsableArguments {
    enum Format: String, CaseIterable, ExpressibleByArgument {
        /// Text on a terminal, JSON otherwise.
        case auto
        case text
        case json
    }

    @Option(
        name: .customLong("log-format"),
        help: ArgumentHelp(
            "How to log: text, json (an object on each line), or auto: text on a terminal, json otherwise.",
            valueName: "format"))
    var format = Format.auto

    /// The log, on standard error.
    func log(_ level: Logger.Level) -> ServerLog {
        let isText = format == .text || format == .auto && Console.showsProgress
        return ServerLog(level: level, format: isText ? .text : .json) { Console.show($0) }
    }
}

import ArgumentParser
import Foundation
import MarqueeModel

/// How results are written.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable, Sendable {
    /// For people.
    case lines
    /// For programs: one JSON object per line.
    case ndjson
}

struct OutputOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            lines for people, or ndjson for programs: one JSON object per line. The default is lines; in a terminal, \
            `subscribe` shows the screen itself.
            """))
    var output: OutputFormat?

    var format: OutputFormat { output ?? .lines }

    @Option(help: ArgumentHelp("The most rows per section in lines; 0 for all.", valueName: "n"))
    var rows = 10

    func validate() throws {
        guard rows >= 0 else { throw ValidationError("--rows must be 0 or more") }
    }

    /// A printer for the terminal as it is now.
    /// - Parameter records: reads the records that items carry.
    func printer(_ records: RecordReader? = nil) -> ScreenPrinter {
        let terminal = Terminal.standardOutput()
        return ScreenPrinter(columns: terminal.columns, rows: rows, style: terminal.style, records: records)
    }
}

/// How records that items carry are read.
struct RecordOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Print the records that items carry, field by field: a descriptor set, or the declaration of types that \
            names one.
            """, valueName: "file"), completion: .file(extensions: ["desc", "yaml", "yml"]))
    var descriptors: String?

    /// - Throws: `Failure` when the file can't be used.
    func reader() throws -> RecordReader? { try descriptors.map { try RecordReader(path: $0) } }
}

/// A time span in seconds, such as `3` or `0.5`.
struct Seconds: ExpressibleByArgument, Hashable, Sendable {
    /// A year; more is a mistake.
    static let maximum = 31_536_000.0

    var value: Double

    init(_ value: Double) { self.value = value }

    init?(argument: String) {
        guard let value = Double(argument), value.isFinite, (0...Seconds.maximum).contains(value) else { return nil }
        self.value = value
    }

    /// - Throws: `ValidationError` for a zero timeout, in which no server can answer.
    func checkTimeout() throws {
        guard value > 0 else { throw ValidationError("--timeout must be more than 0: a server needs time to answer") }
    }

    var duration: Duration { .seconds(value) }
    var defaultValueDescription: String { value == value.rounded() ? "\(Int(value))" : "\(value)" }
}

/// The name of a screen, as an argument. After a slash it holds an id, which may be any text.
struct ScreenName: ExpressibleByArgument, Hashable, Sendable {
    var id: ScreenID

    init?(argument: String) {
        let name = argument.precomposedStringWithCanonicalMapping
        guard (1...ScreenID.maximumLength).contains(name.utf8.count) else { return nil }
        id = ScreenID(name)
    }

    static let home = ScreenName(id: .home)

    private init(id: ScreenID) { self.id = id }

    /// For shells: the screens that most servers have.
    static let completion = CompletionKind.list(["home", "favorites", "detail/", "genre/"])

    var defaultValueDescription: String { id.name }
}

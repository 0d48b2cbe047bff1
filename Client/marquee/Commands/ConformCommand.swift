import ArgumentParser
import MarqueeConformance
import MarqueeScreenJSON
import UnixSignals

struct ConformCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conform",
        abstract: "Checks whether a server or a client follows the protocol's specification.",
        discussion: """
            It talks to the program under test through scripted connections, valid and
            invalid, and judges it by its answers. Each check cites a chapter of
            Proto/PROTOCOL.md; Docs/conformance.md describes them.

            EXAMPLES
              marquee conform server 127.0.0.1:7420
              marquee conform server 127.0.0.1:7420 --user conform --publish-allowed
              marquee conform client -- marquee subscribe {screen} \\
                --server {host}:{port} --mirror {mirror}
              marquee conform client --only 14 -- ./my-client {host} {port} {screen}
              marquee conform server --list

            EXIT STATUS
              0 when no check failed; 76 when one did; 69 when no server can be reached.
            """,
        subcommands: [ConformServerCommand.self, ConformClientCommand.self])
}

/// The options that both subcommands share.
struct ConformOptions: ParsableArguments {
    @Flag(help: "List the checks instead of running them.")
    var list = false

    @Option(
        help: ArgumentHelp(
            "Run only these checks: a chapter's number, or a check's name. May be repeated.",
            valueName: "chapter|name"))
    var only: [String] = []

    @Option(help: "lines for people, or ndjson for programs.")
    var output = OutputFormat.lines

    @Option(help: ArgumentHelp("How many checks run at once.", valueName: "n"))
    var jobs = 4

    @Option(
        help: ArgumentHelp(
            "How long to wait for an answer before a check fails, in seconds.", valueName: "seconds"))
    var deadline = Seconds(30)

    func validate() throws {
        if !(1...64).contains(jobs) { throw ValidationError("--jobs must be 1 to 64") }
        if deadline.value <= 0 { throw ValidationError("--deadline must be more than 0") }
    }

    /// The checks that were asked for.
    func selected<Stage>(from checks: [Check<Stage>]) throws -> [Check<Stage>] {
        for selection in only where !checks.contains(where: { $0.matches(selection) }) {
            let hint = CommandSuggestion.nearest(to: selection, among: checks.map(\.name))
            throw Failure(
                .usage,
                "there is no check '\(selection)'; " + (hint.map { "did you mean '\($0)'?" } ?? "--list shows them"))
        }
        return only.isEmpty ? checks : checks.filter { check in only.contains { check.matches($0) } }
    }

    /// Lists the checks, or runs them and reports the results.
    func run<Stage>(_ checks: [Check<Stage>], with makeRunner: () async throws -> CheckRunner<Stage>) async throws {
        let checks = try selected(from: checks)
        let report = ConformReport(style: Terminal.standardOutput().style)
        guard !list else { return try Output.standard.write(report.list(checks, as: output)) }
        let runner = try await makeRunner()
        let results = try await ConformOptions.untilStopped { [output] in
            try await runner.run(checks) { result in
                if output == .ndjson { try Output.standard.write(report.document(of: result).line()) }
            }
        }
        switch output {
        case .lines: try Output.standard.write(report.lines(of: results))
        case .ndjson: try Output.standard.write(report.summary(of: results).line())
        }
        guard results.failures.isEmpty else {
            throw Failure(.protocolError, "\(results.failures.count) of \(Words.count(checks.count, "check")) failed")
        }
    }

    /// Runs the checks until they are done or the program is stopped. Before it returns, it ends the processes
    /// that they have started.
    private static func untilStopped(
        _ run: @escaping @Sendable () async throws -> ConformanceReport
    ) async throws -> ConformanceReport {
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
        return try await withThrowingTaskGroup(of: ConformanceReport?.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await run() }
            group.addTask {
                for await signal in signals {
                    throw Failure(signal == .sigint ? .interrupted : .terminated, "")
                }
                return nil
            }
            for try await report in group {
                if let report { return report }
            }
            throw Failure(.terminated, "")
        }
    }
}

import ArgumentParser
import Foundation
@_spi(Admin) import MarqueeClient
import MarqueeScreenJSON

struct HealthCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "health",
        abstract:
            "Shows the state of the server. Exits with 69 if none answers, and with 75 while it is shutting down.",
        discussion: """
            Sources are those that the token may publish for. One that is silent, behind or failing is shown with the
            reason and since when, and changes no exit code: the server goes on showing what was published.

            EXAMPLES
              marquee health
              until marquee health >/dev/null 2>&1; do sleep 1; done     wait for a server
            """)

    @Option(help: "lines for people, or ndjson for programs.")
    var output = OutputFormat.lines

    @Option(help: ArgumentHelp("How long to wait for the answer, in seconds.", valueName: "seconds"))
    var timeout = Seconds(5)

    @Flag(
        name: .customLong("accept-refusal"),
        help: """
            Also succeed if the server answers but refuses this client, for example for lack of a token.
            """)
    var acceptsRefusal = false

    @OptionGroup(title: "Connection") var connection: ConnectionOptions

    func validate() throws { try timeout.checkTimeout() }

    func run() async throws {
        let answer: (health: ServerHealth, sources: SourceHealth)
        do {
            answer = try await ServerCall.run(connection.resolved(), timeout: timeout) { client in
                (try await client.health(), await SourceHealth.ask(client))
            }
        } catch  where acceptsRefusal && HealthCommand.isRefusal(error) {
            try Output.standard.write(["answers, and refuses this client"])
            return
        }
        let (health, sources) = answer
        switch output {
        case .lines:
            let now = Date().timeIntervalSince1970
            try Output.standard.write(HealthCommand.lines(of: health) + sources.lines(now: now))
        case .ndjson: try Output.standard.write(HealthCommand.document(of: health, sources).line())
        }
        guard health.state == "serving" else { throw Failure(.tryAgain, "the server is \(health.state)") }
    }

    private static func isRefusal(_ error: any Error) -> Bool {
        let status = (error as? Failure)?.status ?? (error as? ClientError).map { ProgramExit($0) }
        return status == .noPermission
    }

    static func lines(of health: ServerHealth) -> [String] {
        [
            Sanitizer.line("\(health.state), \(health.version), up \(up(health))"),
            Sanitizer.line(
                (["revision \(health.revision.catalogueRevision)"] + holdings(health)).joined(separator: ", ")),
        ] + counts(health)
            + (health.staleness.map { ["stale: what is shown may be \(span($0)) old"] } ?? [])
            + (health.unwritable.map { ["not writable: no change could be stored for \(span($0))"] } ?? [])
    }

    private static func counts(_ health: ServerHealth) -> [String] {
        guard health.hasCounts else { return ["it shows counts only to those who may see every screen"] }
        return [
            "\(Words.count(health.sessions, "session")), \(Words.count(health.subscriptions, "subscription"))",
            "\(Words.count(health.encodes, "patch encode")) for \(Words.number(health.deliveries)) frames delivered",
        ]
    }

    static func document(of health: ServerHealth, _ sources: SourceHealth) -> JSONValue {
        .object([
            "type": .string("health"), "state": .string(health.state), "version": .string(health.version),
            "uptimeMilliseconds": .integer(Words.milliseconds(health.uptime)),
            "revision": .unsigned(health.revision.catalogueRevision),
            "sessions": health.hasCounts ? .integer(health.sessions) : nil,
            "subscriptions": health.hasCounts ? .integer(health.subscriptions) : nil,
            "encodes": health.hasCounts ? .unsigned(health.encodes) : nil,
            "deliveries": health.hasCounts ? .unsigned(health.deliveries) : nil,
            "records": health.records.isEmpty
                ? nil
                : .object(Dictionary(health.records.map { ($0.type, .unsigned($0.count)) }) { first, _ in first }),
            "staleMilliseconds": health.staleness.map { .integer(Words.milliseconds($0)) },
            "unwritableMilliseconds": health.unwritable.map { .integer(Words.milliseconds($0)) },
            "sources": sources.documents, "sourcesError": sources.error,
        ])
    }

    /// `movie 120`, `show 2`, `episode 12`; types without any are left out.
    private static func holdings(_ health: ServerHealth) -> [String] {
        health.records.map { "\($0.type) \(Words.number($0.count))" }
    }

    private static func up(_ health: ServerHealth) -> String { span(health.uptime) }

    private static func span(_ duration: Duration) -> String { Words.span(seconds: duration / .seconds(1)) }
}

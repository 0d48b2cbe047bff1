import Foundation
@_spi(Admin) import MarqueeClient
import MarqueeModel

/// A server's answer about its sources, for `marquee health`.
enum SourceHealth: Hashable, Sendable {
    /// All that the client may publish for; none from servers that know of no sources.
    case known([FollowedSource])
    /// The server answers, but not this, for example as a relay that has lost its own.
    case unknown(String)

    static func ask(_ client: MarqueeClient) async -> SourceHealth {
        do throws(ClientError) {
            return .known(try await client.sources())
        } catch {
            return error.status?.code == .unimplemented ? .known([]) : .unknown("\(error)")
        }
    }

    /// - Parameter now: seconds since 1970.
    func lines(now: Double) -> [String] {
        switch self {
        case .known(let sources): sources.flatMap { Self.lines(of: $0, now: now) }.map { Sanitizer.line($0) }
        case .unknown(let reason): [Sanitizer.line("sources: unknown: \(reason)")]
        }
    }

    private static func lines(of source: FollowedSource, now: Double) -> [String] {
        let facts = [
            source.position.map { "at \($0)" } ?? "no position yet",
            source.moved.map { "moved \(Words.ago($0.timeIntervalSince1970, now: now))" },
            source.report.map { report in
                report.age < fresh ? report.state : "\(report.state) (\(span(report.age)) ago)"
            },
            source.report?.lag.map { "\(Words.number(Words.milliseconds($0))) ms behind" },
        ]
        let line = "source \(source.name): \(facts.compactMap { $0 }.joined(separator: ", "))"
        return [line] + (source.trouble.map { ["  for \(span($0.age)): \($0.reason)"] } ?? [])
    }

    /// Sources report every 10 s.
    private static let fresh = Duration.seconds(20)

    private static func span(_ duration: Duration) -> String { Words.span(seconds: duration / .seconds(1)) }

    /// An object for each; `nil` if there are none.
    var documents: JSONValue? {
        guard case .known(let sources) = self, !sources.isEmpty else { return nil }
        return .array(sources.map(Self.document))
    }

    /// Why they are unknown.
    var error: JSONValue? {
        guard case .unknown(let reason) = self else { return nil }
        return .string(reason)
    }

    private static func document(of source: FollowedSource) -> JSONValue {
        .object([
            "source": .string(source.name), "position": source.position.map { .string($0) },
            "moved": source.moved.map { .number($0.timeIntervalSince1970) },
            "state": source.report.map { .string($0.state) }, "error": source.report?.error.map { .string($0) },
            "lagMilliseconds": source.report?.lag.map { .integer(Words.milliseconds($0)) },
            "reportAgeMilliseconds": source.report.map { .integer(Words.milliseconds($0.age)) },
            "trouble": source.trouble.map { .string($0.reason) },
            "troubleMilliseconds": source.trouble.map { .integer(Words.milliseconds($0.age)) },
        ])
    }
}

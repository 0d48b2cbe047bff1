import Foundation
import MarqueeWire
import Testing
import Yams

@testable import MarqueeAdmin
@testable import MarqueeServer

struct MetricListTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Docs/operations")

    private func document(_ name: String) throws -> String {
        try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8)
    }

    /// A server's figures with something in each place.
    private static var reading: Reading {
        var figures = ServerFigures()
        figures.connections.ended = ["CLIENT_LEFT": 3]
        figures.calls = ["search": CallFigures()]
        figures.lanes = [LaneFigures(name: "hub", waiting: 1, done: 2, dropped: 3)]
        figures.commits = ["catalogue": CommitFigures(), "users": CommitFigures()]
        figures.budgets = [BudgetFigures(name: "answers", bytes: 1, limit: 2)]
        figures.limitHits = ["connections": 5]
        figures.records = ["movie": 120]
        figures.sources = [
            SourceState(
                source: "shop", position: "16/B3", movedMilliseconds: 2_500,
                report: SourceReport(state: "follows", lagMilliseconds: 1_500), reportAgeMilliseconds: 500),
            SourceState(source: "till", trouble: SourceTrouble(reason: "is silent", ageMilliseconds: 2_000)),
        ]
        figures.clockTrouble = ClockTrouble(reason: "has leapt", aheadMilliseconds: -7_200_500, ageMilliseconds: 1)
        var reading = Reading(
            state: .serving, process: .now(), server: figures, lag: Histogram(bounds: MetricList.lagBounds))
        let files = FileHealth()
        files.isFine("tls", ends: Date(timeIntervalSince1970: 2e9))
        files.isUnusable("tokens", "gone", now: Date(timeIntervalSince1970: 1_000))
        reading.files = files.figures
        return reading
    }

    @Test func `Names follow Prometheus' conventions, and each is used once`() {
        var names: Set<String> = []
        for metric in MetricList.all {
            #expect(names.insert(metric.name).inserted, "\(metric.name)")
            #expect(metric.name.wholeMatch(of: /(marquee|process)_[a-z][a-z0-9_]*[a-z0-9]/) != nil, "\(metric.name)")
            #expect((metric.kind == .counter) == metric.name.hasSuffix("_total"), "\(metric.name)")
            for unit in ["milliseconds", "ms", "kilobytes", "megabytes", "minutes"] {
                #expect(!metric.name.split(separator: "_").contains(Substring(unit)), "\(metric.name): base units")
            }
            if metric.kind == .histogram { #expect(metric.name.hasSuffix("_seconds"), "\(metric.name)") }
            #expect(metric.help.hasSuffix(".") || metric.help.hasSuffix("reading"), "\(metric.name)")
        }
    }

    @Test func `All of a server's metrics are text that can be read back`() throws {
        let text = MetricList.exposition(of: Self.reading)
        var types: [String: String] = [:]
        var seen: Set<String> = []
        for line in text.split(separator: "\n") {
            if line.hasPrefix("#") {
                let words = line.split(separator: " ", maxSplits: 3)
                if words[1] == "TYPE" { types[String(words[2])] = String(words[3]) }
                continue
            }
            let sample = try #require(
                line.wholeMatch(of: /([a-z_]+)(\{([a-z]+="[^"]*",?)+\})? [0-9.e+-]+/), "\(line)")
            #expect(seen.insert(String(line.prefix { $0 != " " })).inserted, "twice: \(line)")
            let name = String(sample.1)
            let family = ["_bucket", "_sum", "_count"].filter(name.hasSuffix).map { String(name.dropLast($0.count)) }
                .first { types[$0] == "histogram" }
            #expect(types[family ?? name] != nil, "no type before \(line)")
        }
        #expect(types.count == MetricList.all.count)
        #expect(text.contains("marquee_state{state=\"serving\"} 1\n"))
        #expect(text.contains("marquee_limit_hits_total{limit=\"connections\"} 5\n"))
        #expect(text.contains("marquee_file_unusable_timestamp_seconds{file=\"tls\"} 0"))
        #expect(text.contains("marquee_followed_lag_seconds{source=\"shop\"} 1.5\n"))
        #expect(text.contains("marquee_followed_moved_timestamp_seconds{source=\"shop\"} 2.5\n"))
        #expect(text.contains("marquee_followed_failing{source=\"shop\"} 0\n"))
        #expect(!text.contains("marquee_followed_lag_seconds{source=\"till\""), "nothing is known of it")
        #expect(text.contains("marquee_followed_trouble_seconds{source=\"till\"} 2\n"))
        #expect(text.contains("marquee_clock_off_seconds -7200.5\n"))
        #expect(text.contains("marquee_followed_trouble_seconds{source=\"shop\"} 0\n"))
        #expect(text.contains("marquee_file_unusable_timestamp_seconds{file=\"tokens\"} 1000"))
        #expect(text.contains("marquee_file_end_timestamp_seconds{file=\"tls\"} 2"))
    }

    @Test func `A node says for how long it has been without what it gets its content from`() {
        var reading = Self.reading
        #expect(MetricList.exposition(of: reading).contains("\nmarquee_source_up 1\n"))
        #expect(MetricList.exposition(of: reading).contains("\nmarquee_source_away_seconds 0\n"))
        #expect(MetricList.exposition(of: reading).contains("\nmarquee_stale_seconds 0\n"))
        reading.server?.outage = SourceOutage(age: 42_500, reason: "it is away")
        reading.server?.stale = 42_500
        reading.server?.commits["users"]?.failing = SourceOutage(age: 3_000, reason: "it is away")
        let text = MetricList.exposition(of: reading)
        #expect(text.contains("\nmarquee_source_up 0\n"))
        #expect(text.contains("\nmarquee_source_away_seconds 42.5\n"))
        #expect(text.contains("\nmarquee_stale_seconds 42.5\n"))
        #expect(text.contains("\nmarquee_writes_failing_seconds{log=\"users\"} 3\n"))

        var waiting = Reading(
            state: .starting, process: .now(), server: nil, lag: Histogram(bounds: MetricList.lagBounds))
        #expect(!MetricList.exposition(of: waiting).contains("\nmarquee_source_up "))
        waiting.waiting = SourceOutage(age: 7_000, reason: "it is away")
        #expect(MetricList.exposition(of: waiting).contains("\nmarquee_source_up 0\n"))
        #expect(MetricList.exposition(of: waiting).contains("\nmarquee_source_away_seconds 7\n"))
    }

    @Test func `A node that doesn't serve yet still tells about its process`() {
        let text = MetricList.exposition(
            of: Reading(state: .starting, process: .now(), server: nil, lag: Histogram(bounds: [1])))
        #expect(text.contains("marquee_state{state=\"starting\"} 1\n"))
        #expect(text.contains("\nprocess_cpu_seconds_total "))
        #expect(!text.contains("\nmarquee_sessions "))
    }

    @Test func `The process knows how much it uses`() throws {
        let figures = ProcessFigures.now()
        #expect(figures.processorSeconds > 0)
        #expect(try #require(figures.residentBytes) > 1 << 20)
        #expect(try #require(figures.openDescriptors) >= 3)
        let age = Date().timeIntervalSince1970 - figures.startTime
        #expect(0...86_400 ~= age, "\(age)")
    }

    // MARK: - Dashboards and alerts

    /// Every series that the metrics above have.
    private static let series: Set<String> = {
        var names: Set<String> = []
        for metric in MetricList.all {
            if metric.kind == .histogram {
                for suffix in ["_bucket", "_sum", "_count"] { names.insert(metric.name + suffix) }
            } else {
                names.insert(metric.name)
            }
        }
        return names
    }()

    private func expectKnown(_ expression: String, _ place: String) {
        let used = expression.matches(of: /\b(marquee|process)_[a-z0-9_]+/).map { String($0.0) }
        #expect(!used.isEmpty, "\(place) uses no metric: \(expression)")
        for name in used { #expect(Self.series.contains(name), "\(place) uses \(name), which doesn't exist") }
    }

    @Test func `Every alert uses metrics that exist, and says what it means`() throws {
        let page = try document("../runbook.md")
        let rules = try #require(try Yams.load(yaml: document("alerts.yaml")) as? [String: Any])
        let groups = try #require(rules["groups"] as? [[String: Any]])
        var count = 0
        for rule in groups.flatMap({ $0["rules"] as? [[String: Any]] ?? [] }) {
            let name = try #require(rule["alert"] as? String)
            expectKnown(try #require(rule["expr"] as? String), name)
            let notes = try #require(rule["annotations"] as? [String: String])
            #expect(notes["summary"]?.isEmpty == false, "\(name)")
            #expect(page.contains("### \(name)\n"), "Docs/runbook.md has no section \(name)")
            let severity = (rule["labels"] as? [String: String])?["severity"] ?? ""
            #expect(["page", "ticket"].contains(severity), "\(name)")
            count += 1
        }
        #expect(count >= 8)
        #expect(
            page.split(separator: "\n").count { $0.hasPrefix("### Marquee") } == count, "a section without an alert")
    }

    @Test func `Every panel of the dashboard uses metrics that exist`() throws {
        let data = try Data(contentsOf: Self.folder.appending(path: "grafana-dashboard.json"))
        let board = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let panels = try #require(board["panels"] as? [[String: Any]])
        var ids: Set<Int> = []
        for panel in panels {
            let title = try #require(panel["title"] as? String)
            #expect(ids.insert(try #require(panel["id"] as? Int)).inserted, "\(title)")
            guard panel["type"] as? String != "row" else { continue }
            let targets = try #require(panel["targets"] as? [[String: Any]], "\(title)")
            #expect(!targets.isEmpty, "\(title)")
            for target in targets { expectKnown(try #require(target["expr"] as? String), title) }
        }
        #expect(panels.count >= 12)
    }
}

import Foundation
import MarqueeServer
import MarqueeWire
import NIOCore
import Synchronization

/// Queries a node for operators. However often they ask, the server is queried at most once a second. Thread safe.
final class NodeReader: Sendable {
    /// How long figures are reused.
    private static let freshness = Duration.seconds(1)

    private struct Held {
        var figures: (value: ServerFigures, at: ContinuousClock.Instant)?
        var lag = Histogram(bounds: MetricList.lagBounds)
        var sentBytes: UInt64 = 0
    }

    private let node: AdminNode
    private let log: ServerLog
    private let bound: AnswerBound
    private let held = Mutex(Held())
    /// The query that the hub has yet to answer. There is one at a time, as they would accumulate if the hub hung.
    private let asked = Mutex<EventLoopFuture<Void>?>(nil)

    init(node: AdminNode, log: ServerLog, bound: AnswerBound) {
        self.node = node
        self.log = log
        self.bound = bound
    }

    /// Returns the server's counters and gauges; `nil` if there is no server to query.
    /// - Throws: `AnswerBound.Passed` if it doesn't answer in time.
    func figures() async throws -> ServerFigures? {
        guard let server = node.serving?.server else { return nil }
        let now = ContinuousClock.now
        if let last = held.withLock({ $0.figures }), last.at.duration(to: now) < Self.freshness { return last.value }
        let figures = try await server.figures(within: bound)
        held.withLock { held in
            held.figures = (figures, now)
            for session in figures.sessions where session.state == .live { held.lag.add(Double(session.lag) / 1_000) }
            // A session that ends while the others are being counted may be missed once.
            held.sentBytes = max(held.sentBytes, figures.sentBytes)
        }
        return figures
    }

    /// Returns the values that metrics are computed from.
    func reading() async throws -> Reading {
        let server = try await figures()
        let (lag, sentBytes) = held.withLock { ($0.lag, $0.sentBytes) }
        var reading = Reading(state: node.state, process: .now(), server: server, lag: lag)
        reading.waiting = node.waiting
        reading.sentBytes = sentBytes
        reading.unloggedLines = log.unloggedLines
        reading.files = node.files.figures
        return reading
    }

    /// How long a relay that has lost its server still reports that it can be sent clients, although it refuses new
    /// ones, in milliseconds. Otherwise a balancer would take out all relays at once whenever that server restarts.
    static let upstreamGrace: UInt64 = 60_000

    func readiness() async -> Readiness {
        switch node.state {
        case .starting:
            guard let waiting = node.waiting else { return Readiness(state: "starting: the catalogue is being read") }
            return Readiness(state: "starting: \(waiting.reason)", seconds: waiting.seconds)
        case .draining: return Readiness(state: "draining: clients are being asked to leave")
        case .stopped: return Readiness(state: "the server has ended")
        case .serving: break
        }
        guard let serving = node.serving else { return Readiness(state: "the server has ended") }
        let server = serving.server
        var problems = Self.problems(from: serving.origin, server.outage, server.writeFailure)
        problems.merge(Self.problems(of: server.sources)) { first, _ in first }
        problems.merge(Self.problems(of: server.clockTrouble)) { first, _ in first }
        if let end = serving.end() { problems[serving.origin.rawValue] = Readiness.Problem(end, .nobody) }
        for (name, file) in node.files.figures where file.nothingHolds {
            problems[name] = Readiness.Problem(file.reason ?? "", .nobody, seconds: file.unusableSeconds(now: Date()))
        }
        if !server.isAccepting { problems["accepting"] = Readiness.Problem("no connections are accepted", .nobody) }
        do {
            try await hubTurn(of: server).value(within: bound)
        } catch is AnswerBound.Passed {
            problems["hub"] = Readiness.Problem(
                "the thread that makes all screens has not answered for \(bound.limit.seconds) seconds", .nobody)
        } catch {
            problems["hub"] = Readiness.Problem("the thread that makes all screens has ended", .nobody)
        }
        return Readiness(problems: problems, of: serving.origin)
    }

    /// The problems of a node's source of content.
    static func problems(
        from origin: AdminNode.Origin, _ outage: SourceOutage?, _ writeFailure: SourceOutage?
    ) -> [String: Readiness.Problem] {
        var problems: [String: Readiness.Problem] = [:]
        if let outage {
            let isLong = origin == .upstream && outage.age >= upstreamGrace
            problems[origin.rawValue] = Readiness.Problem(
                outage.reason, isLong ? .nobody : .readers, seconds: outage.seconds)
        }
        problems["writes"] = writeFailure.map { Readiness.Problem($0.reason, .readers, seconds: $0.seconds) }
        return problems
    }

    /// The problems of sources that publish from elsewhere: no other node would serve clients better.
    static func problems(of sources: [SourceState]) -> [String: Readiness.Problem] {
        var problems: [String: Readiness.Problem] = [:]
        for state in sources {
            problems["source:\(state.source)"] = state.trouble.map {
                Readiness.Problem($0.reason, .everybody, seconds: $0.ageMilliseconds / 1_000)
            }
        }
        return problems
    }

    /// The problem of a clock that isn't believed. Clients are still shown what the log says.
    static func problems(of trouble: ClockTrouble?) -> [String: Readiness.Problem] {
        trouble.map { ["clock": Readiness.Problem($0.reason, .everybody, seconds: $0.ageMilliseconds / 1_000)] } ?? [:]
    }

    private func hubTurn(of server: MarqueeServer) -> EventLoopFuture<Void> {
        asked.withLock { asked in
            if let asked { return asked }
            let turn = server.hubTurn()
            asked = turn
            turn.whenComplete { [weak self] _ in self?.asked.withLock { $0 = nil } }
            return turn
        }
    }

    /// Ends sessions.
    /// - Returns: how many; `nil` if there is no server.
    /// - Throws: `AnswerBound.Passed` if the server doesn't answer in time.
    func end(_ chosen: ChosenSessions) async throws -> Int? {
        try await node.serving?.server.end(chosen, within: bound)
    }

    /// - Throws: `AnswerBound.Passed` if the hub doesn't answer in time.
    func variants(_ page: PageQuery) async throws -> VariantPage? {
        guard let server = node.serving?.server else { return nil }
        let counts = try await server.variantCounts(within: bound)
        let handles = counts.subscribers.sorted { ($1.count, $0.handle) < ($0.count, $1.handle) }.map(\.handle)
        let reports = try await server.variantReports(page.rows(of: handles), within: bound)
        return VariantPage(counts, reports, page)
    }
}

extension SourceOutage {
    fileprivate var seconds: UInt64 { age / 1_000 }
}

extension TimeAmount {
    fileprivate var seconds: Int64 { nanoseconds / 1_000_000_000 }
}

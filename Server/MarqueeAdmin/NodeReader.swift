import MarqueeServer
import NIOCore
import Synchronization

/// Asks a node for what operators want to know. However often they do, the server is asked at most once a second.
/// Thread safe.
final class NodeReader: Sendable {
    /// How long figures are good for.
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
    /// The question to the hub that has no answer yet. There is one at a time: a hub that is stuck would gather them.
    private let asked = Mutex<EventLoopFuture<Void>?>(nil)

    init(node: AdminNode, log: ServerLog, bound: AnswerBound) {
        self.node = node
        self.log = log
        self.bound = bound
    }

    /// What the server counts and holds; `nil` if there is none to ask.
    /// - Throws: `AnswerBound.Passed` if it doesn't answer in time.
    func figures() async throws -> ServerFigures? {
        guard let server = node.serving?.server else { return nil }
        let now = ContinuousClock.now
        if let last = held.withLock({ $0.figures }), last.at.duration(to: now) < Self.freshness { return last.value }
        let figures = try await server.figures(within: bound)
        held.withLock { held in
            held.figures = (figures, now)
            for session in figures.sessions where session.state == .live { held.lag.add(Double(session.lag) / 1_000) }
            // A session that ends between two slices of a walk may be missed once.
            held.sentBytes = max(held.sentBytes, figures.sentBytes)
        }
        return figures
    }

    /// Everything that metrics are read from.
    func reading() async throws -> Reading {
        let server = try await figures()
        let (lag, sentBytes) = held.withLock { ($0.lag, $0.sentBytes) }
        var reading = Reading(state: node.state, process: .now(), server: server, lag: lag)
        reading.sentBytes = sentBytes
        reading.unloggedLines = log.unloggedLines
        return reading
    }

    func readiness() async -> Readiness {
        switch node.state {
        case .starting: return Readiness(state: "starting: the catalogue is being read")
        case .draining: return Readiness(state: "draining: clients are being asked to leave")
        case .stopped: return Readiness(state: "the server has ended")
        case .serving: break
        }
        guard let serving = node.serving else { return Readiness(state: "the server has ended") }
        var problems: [String: String] = [:]
        problems["store"] = serving.storeProblem()
        if !serving.server.isAccepting { problems["accepting"] = "no connections are accepted" }
        do {
            try await hubTurn(of: serving.server).value(within: bound)
        } catch is AnswerBound.Passed {
            problems["hub"] = "the thread that makes all screens has not answered for \(bound.limit.seconds) seconds"
        } catch {
            problems["hub"] = "the thread that makes all screens has ended"
        }
        return Readiness(problems: problems)
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

    /// - Throws: `AnswerBound.Passed` if the hub doesn't answer in time.
    func variants(_ page: PageQuery) async throws -> VariantPage? {
        guard let server = node.serving?.server else { return nil }
        let counts = try await server.variantCounts(within: bound)
        let handles = counts.subscribers.sorted { ($1.count, $0.handle) < ($0.count, $1.handle) }.map(\.handle)
        let reports = try await server.variantReports(page.rows(of: handles), within: bound)
        return VariantPage(counts, reports, page)
    }
}

extension TimeAmount {
    fileprivate var seconds: Int64 { nanoseconds / 1_000_000_000 }
}

import MarqueeModel
package import MarqueeWire
package import NIOCore

// Queries by operators. Each visits the state it needs on the thread that owns it, in slices, and gives up after a
// bound, so that an operator never waits for a stuck thread.

extension MarqueeServer {
    /// Returns the server's counts since start, and the amounts that it holds now.
    /// - Throws: `AnswerBound.Passed`, or the error of an event loop that has ended.
    package func figures(within bound: AnswerBound) async throws -> ServerFigures {
        let services = services
        var figures = ServerFigures()
        (figures.sessions, figures.connections.ended, figures.sentBytes) = try await services.sessionReports(
            within: bound)
        figures.connections.open = services.connections.count
        figures.connections.limit = services.connections.limit
        figures.connections.accepted = services.connections.accepted
        figures.subscriptions = services.counts.subscriptions.load(ordering: .relaxed)
        figures.eventReaders = services.counts.feedReaders.load(ordering: .relaxed)
        figures.deliveries = deliveries
        figures.library = counters
        figures.libraryBytes = libraryBytes
        figures.events = services.library.events.counts
        figures.calls = services.counts.calls.figures
        let hits = limitHits
        for limit in Limit.allCases { figures.limitHits[limit.rawValue] = hits[limit] ?? 0 }
        figures.welcomes = services.counts.welcomes.load(ordering: .relaxed)
        figures.lanes = services.source.laneFigures
        figures.commits = services.source.commitFigures
        figures.sources = sources
        figures.outage = services.source.outage
        figures.clockTrouble = clockTrouble
        figures.stale = services.source.staleMilliseconds
        figures.budgets = services.budgets.figures
        figures.revision = services.source.revision
        for count in services.source.records { figures.records[count.type] = Int(clamping: count.count) }
        figures.uptime = services.now() - services.started
        return figures
    }

    /// How many variants the hub remembers, and how many subscribers each has.
    package func variantCounts(within bound: AnswerBound) async throws -> VariantCounts {
        try await services.source.variantCounts(within: bound)
    }

    /// The variants with these handles that still exist, in this order.
    package func variantReports(_ handles: [UInt64], within bound: AnswerBound) async throws -> [VariantReport] {
        try await services.source.variantReports(handles, within: bound)
    }

    /// Whether new connections are accepted.
    package var isAccepting: Bool { listener.isActive }

    /// Completes once the publishing thread has done all it had to do before.
    package func hubTurn() -> EventLoopFuture<Void> { services.source.turn() }

    /// The reason why the source can't reach its store, or the server upstream, and since when; `nil` if it can.
    package var outage: SourceOutage? { services.source.outage }

    /// The sources that publish here from elsewhere, sorted by name.
    package var sources: [SourceState] { services.source.sources }

    /// Why the time of day isn't believed; `nil` if it is, or if nothing here depends on it.
    package var clockTrouble: ClockTrouble? { services.source.clockTrouble }

    /// The age of the content shown, in milliseconds; `nil` if it is current.
    package var staleMilliseconds: UInt64? { services.source.staleMilliseconds }

    /// The reason why nothing can be stored, and since when; `nil` if writes succeed, or nobody has tried recently.
    package var writeFailure: SourceOutage? { services.source.writeFailure }
}

extension ServerServices {
    /// The most sessions visited in one job, so that their deliveries don't wait for long.
    private static let reportedAtOnce = 128

    /// Every session, the number of ended connections by reason, and the bytes of data sent to all of them.
    func sessionReports(
        within bound: AnswerBound
    ) async throws -> (sessions: [SessionReport], ended: [String: UInt64], sentBytes: UInt64) {
        var sessions: [SessionReport] = []
        var ended: [String: UInt64] = [:]
        var bytes: UInt64 = 0
        for (loop, registry) in loops.all {
            let (all, ends) = try await loop.submit { (registry.value.sessionIDs, registry.value.ends) }
                .value(within: bound)
            ended.merge(ends.reasons) { $0 + $1 }
            bytes += ends.sentBytes
            for start in stride(from: 0, to: all.count, by: Self.reportedAtOnce) {
                let some = all[start..<min(start + Self.reportedAtOnce, all.count)]
                let reports = try await loop.submit { [self] in registry.value.reports(of: some, now: now()) }
                    .value(within: bound)
                sessions += reports
            }
        }
        let (newest, time) = (source.revision, now())
        for index in sessions.indices {
            bytes += sessions[index].load.sentBytes
            guard let revision = sessions[index].revision, revision < newest else { continue }
            sessions[index].lag = loops.age(after: revision, now: time)
        }
        return (sessions, ended, bytes)
    }
}

extension SessionBudgets {
    fileprivate var figures: [BudgetFigures] {
        [
            ("answers", answers), ("publications", publications), ("whole_publications", wholePublications),
            ("manifests", manifests),
        ].map { BudgetFigures(name: $0, bytes: $1.bytes, limit: $1.limit) }
    }
}

extension EventLoopFuture where Value: Sendable {
    /// The future's value, unless it takes too long.
    /// - Throws: `AnswerBound.Passed`, or the future's own error.
    package func value(within bound: AnswerBound) async throws -> Value {
        let first = bound.loop.makePromise(of: Value.self)
        let timer = bound.loop.scheduleTask(in: bound.limit) { first.fail(AnswerBound.Passed()) }
        whenComplete { result in
            timer.cancel()
            first.completeWith(result)
        }
        return try await first.futureResult.get()
    }
}

extension MarqueeServer {
    /// Ends sessions. Their clients will reconnect unless something prevents it, such as a revoked token.
    /// - Returns: the number of sessions ended.
    /// - Throws: `AnswerBound.Passed`, or the error of an event loop that has ended.
    package func end(_ chosen: ChosenSessions, within bound: AnswerBound) async throws -> Int {
        var ended = 0
        for (loop, registry) in services.loops.all {
            ended += try await loop.submit { registry.value.end(chosen) }.value(within: bound)
        }
        services.logger.notice(
            "an operator ended sessions", metadata: ["chosen": "\(chosen)", "ended": .stringConvertible(ended)])
        return ended
    }
}

import MarqueeCatalogue
import MarqueeModel
import MarqueeWire

/// The newest report of each source, by its name.
struct SourceReports {
    /// The most sources that are remembered; beyond that, the one silent for longest is forgotten.
    static let maximum = 256

    /// The positions of sources, as far as the log has been read.
    var positions: [String: SourcePosition] = [:]
    private struct Heard {
        var report: SourceReport
        var heard: UInt64
        /// Since when it has told of errors, and of being behind.
        var failing: UInt64?
        var behind: UInt64?
    }

    private var reports: [String: Heard] = [:]
    /// When the server was started, by its clock; `nil` if sources may tell others of the same store instead.
    private let started: UInt64?

    init(expectedSince started: UInt64?) { self.started = started }

    /// - Parameter now: the server's monotonic clock, in milliseconds.
    mutating func hear(_ report: SourceReport, of source: String, now: UInt64) {
        let last = reports[source]
        let isBehind = (report.lagMilliseconds ?? 0) >= Self.behind
        reports[source] = Heard(
            report: report, heard: now, failing: report.error == nil ? nil : last?.failing ?? now,
            behind: isBehind ? last?.behind ?? now : nil)
        guard reports.count > Self.maximum, let oldest = reports.min(by: { $0.value.heard < $1.value.heard }) else {
            return
        }
        reports[oldest.key] = nil
    }

    /// All that is known of sources, sorted by name.
    /// - Parameters:
    ///   - positions: the sources' positions.
    ///   - now: the server's monotonic clock, in milliseconds.
    ///   - time: milliseconds since 1970.
    func states(_ positions: [SourcePosition], now: UInt64, time: UInt64) -> [SourceState] {
        var states = positions.map { position in
            SourceState(
                source: position.source, position: position.position,
                movedMilliseconds: position.moved.map { UInt64(max(0, $0.milliseconds)) })
        }
        let known = Set(positions.map(\.source))
        states += reports.keys.filter { !known.contains($0) }.map { SourceState(source: $0) }
        for index in states.indices {
            if let heard = reports[states[index].source] {
                states[index].report = heard.report
                states[index].reportAgeMilliseconds = now - min(now, heard.heard)
            }
            states[index].trouble = trouble(states[index], now: now, time: time)
        }
        return states.sorted { $0.source < $1.source }
    }

    // MARK: - Troubles

    /// Sources tell how they are every 10 s.
    static let silence: UInt64 = 45_000
    /// How far behind a source may be.
    static let behind: UInt64 = 60_000
    /// A server that was started waits so long for those that it knows, if they have moved so lately.
    static let patience: UInt64 = 90_000
    static let lately: UInt64 = 7 * 86_400_000

    private func trouble(_ state: SourceState, now: UInt64, time: UInt64) -> SourceTrouble? {
        func trouble(_ reason: String, since: UInt64) -> SourceTrouble {
            SourceTrouble(
                reason: "the source '\(state.source)' \(reason)", ageMilliseconds: now - min(now, since))
        }
        let sinceMove = state.movedMilliseconds.map { time - min(time, $0) }
        guard let heard = reports[state.source] else {
            guard let started, let sinceMove, sinceMove < Self.lately, now - min(now, started) >= Self.patience,
                sinceMove >= now - min(now, started)
            else { return nil }
            return trouble("hasn't been heard of since this server was started", since: started)
        }
        let silent = now - min(now, heard.heard)
        if silent >= Self.silence {
            // If it has moved since, it tells another server how it is.
            if let sinceMove, sinceMove + Self.silence / 2 < silent { return nil }
            let last = heard.report.error.map { "\(heard.report.state): \($0)" } ?? heard.report.state
            return trouble("is silent; the last that it said: \(last)", since: heard.heard)
        }
        if let failing = heard.failing, let error = heard.report.error {
            return trouble("\(heard.report.state): \(error)", since: failing)
        }
        guard let behind = heard.behind else { return nil }
        return trouble("is \((heard.report.lagMilliseconds ?? 0) / 1_000) s behind", since: behind)
    }
}

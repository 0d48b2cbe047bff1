import Foundation
import MarqueeMirror
import MarqueeModel
import MarqueeWire
import NIOCore

/// Observations of what people see and tap: stored immediately, and reported in batches while there is a connection.
extension ClientEngine {
    /// The state of reporting.
    struct Reporting {
        /// Whether observations may be waiting in the mirror.
        var mayWait = true
        /// Whether to send them now, rather than together with later ones.
        var isDue = true
        var timer: Scheduled<Void>?
        /// The report on the wire.
        var sent: (call: UInt32, number: UInt64, isNew: Bool)?
        var counted = CountedItems()
        /// Observations stored since the last report.
        var fresh = 0
        /// Whether the server has said that it has no room for them.
        var isHeldUp = false
    }

    /// How long an observation waits for others to join it.
    static let reportPause = TimeAmount.seconds(10)
    /// How long they wait when the server has no room for them.
    static let fullReportPause = TimeAmount.seconds(60)

    /// Stores what was seen or tapped in a section, as far as its head asks for it.
    func observed(_ observations: [ItemEvent], in section: String, of screen: ScreenID, _ counting: Counting) {
        guard !isStopped, !isSuspended, !mirror.isCompanion else { return }
        let now = environment.uptime()
        let entries = observations.filter { observation in
            guard counting.asks(for: observation.kind) else { return false }
            guard observation.kind == .seen, let impressions = counting.impressions else { return true }
            let key = CountedItems.Key(screen: screen.name, section: section, item: observation.item)
            return reporting.counted.admits(key, again: impressions.again, now: now)
        }.map { ObservationEntry(screen: screen.name, section: section, observation: $0) }
        if entries.isEmpty { return }
        do throws(MirrorError) {
            counters.droppedObservations += try mirror.add(entries)
        } catch {
            // Observations aren't worth keeping in memory when they can't be stored.
            counters.droppedObservations += entries.count
            return mirrorFailed(error)
        }
        reporting.mayWait = true
        reporting.fresh += entries.count
        if reporting.fresh >= ItemEvent.perReport, !reporting.isHeldUp { return reportNow() }
        if !reporting.isDue { reportLater(after: Self.reportPause) }
    }

    /// Sends waiting observations, if there is a connection.
    func reportNow() {
        reporting.timer?.cancel()
        reporting.timer = nil
        reporting.isDue = true
        reporting.isHeldUp = false
        sendChanges()
    }

    private func reportLater(after pause: TimeAmount) {
        guard reporting.timer == nil, core.isLive else { return }
        reporting.isDue = false
        let me = NIOLoopBound(self, eventLoop: loop)
        reporting.timer = loop.scheduleTask(in: pause) {
            me.value.reporting.timer = nil
            me.value.reportNow()
        }
    }

    /// Called when the connection has ended. The next one reports immediately.
    func endReporting() {
        reporting.timer?.cancel()
        reporting.timer = nil
        reporting.sent = nil
        reporting.isDue = true
        reporting.isHeldUp = false
    }

    /// Sends the next report, unless an entry of the outbox has a lower number: numbers must rise.
    /// - Parameter entry: the number of the first waiting entry.
    /// - Returns: whether a report was sent, or waits for room among the calls.
    func sendReport(before entry: UInt64?) throws(MirrorError) -> Bool {
        guard reporting.mayWait else { return false }
        let waiting = try mirror.waitingReports()
        reporting.mayWait = waiting.any
        guard waiting.any else {
            reporting.isDue = false
            return false
        }
        if let entry {
            guard let first = waiting.first, first < entry else { return false }
        } else {
            guard waiting.first != nil || reporting.isDue else { return false }
        }
        guard let report = try mirror.freezeReport() else { return false }
        let body = CallBodyCodec.encode(
            ReportRequest(
                number: report.number, answeredThrough: answeredThrough, screen: report.screen,
                section: report.section, observations: report.observations))
        guard let (call, action) = core.call(.report, body: body, deadlineMilliseconds: nil) else {
            sendChangesLater(after: Self.fullCallsPause)
            return true
        }
        reporting.sent = (call, report.number, report.isNew)
        run([action])
        return true
    }

    func reportAnswered(_ number: UInt64, isNew: Bool, _ result: Result<[UInt8], Status>) {
        do throws(MirrorError) {
            switch MutationVerdict(result) {
            case .confirmed(let answer):
                try mirror.reportAnswered(number: number, kept: answer.changed)
                outboxBackoff.reset()
                provedUseful()
                reporting.fresh = 0
                // The server has no room for them now, so they are sent later under another number.
                if !answer.changed {
                    reporting.isHeldUp = true
                    reportLater(after: Self.fullReportPause)
                }
            case .refused(let status):
                drop(try mirror.dropReport(number: number), ClientError(status).message)
            case .later(let status): sendChangesLater(as: status)
            case .cloned: try continueUnderNewID(Self.cloned)
            case .forgotten:
                // A report that no server can have seen before has certainly not been kept.
                if !isNew { drop(try mirror.dropReport(number: number), Renumbering.rollbackReason) }
                try continueUnderNewID(Self.unknownToServer)
            case .unreadable: end(.retry("an answer can't be read"))
            }
        } catch {
            mirrorFailed(error)
            sendChangesLater(after: Self.retryPause)
        }
        sendChanges()
    }

    /// Counts and notes observations that were dropped.
    func drop(_ count: Int, _ reason: String) {
        guard count > 0 else { return }
        counters.droppedObservations += count
        note(.collection, "\(count) observations were dropped: \(reason)")
    }

    /// Whether there are observations that no server has confirmed. Sends them now, if there is a connection.
    func flushObservations() throws(ClientError) -> Bool {
        do throws(MirrorError) {
            let any = try mirror.waitingReports().any
            if any, !reporting.isDue, !reporting.isHeldUp { reportNow() }
            return any
        } catch {
            throw ClientError(mirror: error)
        }
    }
}

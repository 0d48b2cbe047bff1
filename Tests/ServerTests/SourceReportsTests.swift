import MarqueeCatalogue
import MarqueeModel
import MarqueeWire
import Testing

@testable import MarqueeServer

/// How sources are that publish from elsewhere, as a server tells of them.
@Suite struct SourceReportsTests {
    private static let epoch: UInt64 = 1_700_000_000_000
    private var reports = SourceReports(expectedSince: 0)

    /// - Parameter moved: when the source moved last, by the server's clock, which begins at `epoch`.
    private mutating func heard(_ report: SourceReport?, at now: UInt64 = 0, moved: Int64 = 0) {
        reports.positions["shop"] = SourcePosition(
            "shop", at: "1", moved: Moment(milliseconds: Int64(Self.epoch) + moved))
        if let report { reports.hear(report, of: "shop", now: now) }
    }

    private func trouble(at now: UInt64) -> SourceTrouble? {
        reports.states(Array(reports.positions.values), now: now, time: Self.epoch + now).first?.trouble
    }

    @Test mutating func `A source that follows is no trouble, and one that falls silent is`() {
        heard(SourceReport(state: "follows", lagMilliseconds: 5))
        #expect(trouble(at: SourceReports.silence - 1) == nil)
        let silent = trouble(at: SourceReports.silence)
        #expect(silent?.reason == "the source 'shop' is silent; the last that it said: follows")
        #expect(silent?.ageMilliseconds == SourceReports.silence)
    }

    @Test mutating func `An error is told since when it began, until it is over`() {
        heard(SourceReport(state: "follows", error: "a"), at: 1_000)
        heard(SourceReport(state: "follows", error: "b"), at: 11_000)
        #expect(
            trouble(at: 12_000) == SourceTrouble(reason: "the source 'shop' follows: b", ageMilliseconds: 11_000))
        heard(SourceReport(state: "follows"), at: 21_000)
        #expect(trouble(at: 22_000) == nil)
    }

    @Test mutating func `A source that is far behind is trouble`() {
        heard(SourceReport(state: "follows", lagMilliseconds: 59_999), at: 1_000)
        #expect(trouble(at: 1_000) == nil)
        heard(SourceReport(state: "follows", lagMilliseconds: 70_000), at: 11_000)
        heard(SourceReport(state: "follows", lagMilliseconds: 80_000), at: 21_000)
        #expect(trouble(at: 21_000)?.reason == "the source 'shop' is 80 s behind")
        #expect(trouble(at: 21_000)?.ageMilliseconds == 10_000)
    }

    @Test mutating func `A source that moves without a word tells another server`() {
        heard(SourceReport(state: "follows"), moved: 100_000)
        #expect(trouble(at: 120_000) == nil)
    }

    @Test mutating func `A server that was started waits for a source that it knows`() {
        heard(nil, moved: -1_000)
        #expect(trouble(at: SourceReports.patience - 1) == nil)
        #expect(trouble(at: SourceReports.patience)?.reason.contains("since this server was started") == true)
        #expect(trouble(at: SourceReports.lately) == nil, "it has ended for good")
        reports = SourceReports(expectedSince: nil)
        heard(nil, moved: -1_000)
        #expect(trouble(at: SourceReports.patience) == nil, "it may tell another server")
        heard(nil, moved: 5_000)
        #expect(trouble(at: SourceReports.patience) == nil, "it is there, and tells another server")
    }
}

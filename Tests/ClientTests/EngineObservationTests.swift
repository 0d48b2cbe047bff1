import MarqueeMirror
import MarqueeModel
import MarqueeWire
import Testing

@testable import MarqueeClient

/// Observations on their way to a server.
@Suite("Observations of an engine")
struct EngineObservationTests {
    private static let counting = Counting(impressions: Counting.Impressions(), taps: true)

    private func see(_ items: String..., in section: String = "row", to test: TestEngine) {
        let events = items.map { ItemEvent(.seen, item: $0, place: 1, at: 5, duration: 1_000, revision: 7) }
        test.engine.observed(events, in: section, of: "home", Self.counting)
    }

    /// The reports that were sent on all connections: number, section and items.
    private func sent(_ test: TestEngine) -> [String] {
        test.world.everSent.compactMap { message in
            guard case .request(let request) = message, request.method == .report,
                let report = try? CallBodyCodec.decodeReportRequest(request.body)
            else { return nil }
            return "\(report.number) \(report.section): \(report.observations.map(\.item).joined(separator: " "))"
        }
    }

    private func answer(_ test: TestEngine, kept: Bool = true, refusal: Status? = nil) throws {
        for message in test.world.sent.reversed() {
            guard case .request(let request) = message, request.method == .report else { continue }
            let report = try CallBodyCodec.decodeReportRequest(request.body)
            let body = CallBodyCodec.encode(MutationAnswer(number: report.number, cut: CutChange(), changed: kept))
            return test.say(.answer(Answer(call: request.call, status: refusal, body: refusal == nil ? body : [])))
        }
        Issue.record("no report was sent")
    }

    /// Time passes on a connection on which the server speaks now and then.
    private func wait(_ seconds: Int, _ test: TestEngine) {
        for _ in 0..<seconds / 10 {
            test.advance(10)
            test.say(.progress(CutChange(TestEngine.cut(10, 3))))
        }
    }

    @Test func `What was seen offline is reported with the next connection, a section at a time`() throws {
        let test = try TestEngine()
        _ = test.watch()
        see("a", "b", to: test)
        see("c", in: "other", to: test)
        #expect(sent(test).isEmpty)
        test.connect()
        #expect(sent(test) == ["1 row: a b"])
        try answer(test)
        #expect(sent(test) == ["1 row: a b", "2 other: c"])
        try answer(test)
        #expect(try test.engine.mirror.waitingReports().any == false)
        test.world.end()
    }

    @Test func `A report whose answer is lost is sent again unchanged, before anything newer`() throws {
        let test = try TestEngine()
        _ = test.watch()
        see("a", to: test)
        test.connect()
        see("b", to: test)
        try test.favorite(1)
        test.world.connections[0].reader.closed("the connection was closed")
        test.advance(10)
        test.connect(last: 1)
        #expect(sent(test) == ["1 row: a", "1 row: a"])
        #expect(test.sentChanges.isEmpty, "its number is higher")
        try answer(test)
        #expect(test.sentChanges == ["2 +movie/1"])
        try test.answer(userRevision: 4)
        #expect(sent(test).last == "3 row: b")
        test.world.end()
    }

    @Test func `With a connection, what is seen waits for more, and goes in one report`() throws {
        let test = try TestEngine()
        _ = test.watch()
        test.connect()
        see("a", to: test)
        see("b", to: test)
        #expect(sent(test).isEmpty)
        test.advance(10)
        #expect(sent(test) == ["1 row: a b"])
        test.world.end()
    }

    @Test func `A server without room leaves them here, and they go under another number later`() throws {
        let test = try TestEngine()
        _ = test.watch()
        see("a", to: test)
        test.connect()
        try answer(test, kept: false)
        #expect(try test.engine.mirror.waitingReports().any)
        wait(50, test)
        test.advance(9)
        #expect(sent(test) == ["1 row: a"])
        test.advance(1)
        #expect(sent(test) == ["1 row: a", "2 row: a"])
        try answer(test)
        #expect(try test.engine.mirror.waitingReports().any == false)
        #expect(test.engine.counters.droppedObservations == 0)
        test.world.end()
    }

    @Test func `What a server doesn't ask for any more is dropped and counted, and nothing else is`() throws {
        let test = try TestEngine()
        _ = test.watch()
        see("a", to: test)
        see("b", in: "other", to: test)
        test.connect()
        try answer(
            test, refusal: Status(.failedPrecondition, reason: "NOT_ASKED", remedy: .fatal, message: "not asked"))
        #expect(test.engine.counters.droppedObservations == 1)
        #expect(sent(test).last == "2 other: b")
        test.world.end()
    }

    @Test func `After a server has forgotten the client, what may have arrived isn't sent again`() throws {
        let test = try TestEngine()
        _ = test.watch()
        see("a", to: test)
        test.connect()
        try answer(test)
        see("b", to: test)
        test.advance(10)
        see("c", to: test)
        test.world.connections[0].reader.closed("the connection was closed")
        test.advance(10)
        // The last number that it knows is below one that it has answered.
        test.accept()
        test.welcome(last: nil)
        test.advance(60)
        test.connect()
        #expect(sent(test).filter { $0.hasSuffix(": b") }.count == 1)
        #expect(sent(test).last?.hasSuffix(": c") == true)
        #expect(test.engine.counters.droppedObservations == 1)
        test.world.end()
    }

    @Test func `What isn't asked for, or was counted lately, isn't stored`() throws {
        let test = try TestEngine()
        _ = test.watch()
        test.engine.observed(
            [ItemEvent(.tap, item: "a", place: 1, at: 5, revision: 7)], in: "row", of: "home",
            Counting(impressions: Counting.Impressions()))
        #expect(try test.engine.mirror.waitingReports().any == false)
        see("a", to: test)
        see("a", to: test)
        test.connect()
        #expect(sent(test) == ["1 row: a"])
        test.world.end()
    }
}

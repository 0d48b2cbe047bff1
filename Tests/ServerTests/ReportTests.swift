import MarqueeModel
import MarqueeScreens
import MarqueeStore
import MarqueeWire
import Testing

@testable import MarqueeServer

/// The reports that a server takes from clients.
@Suite struct ReportTests {
    private static let programme = """
        audiences:
          plus: {plan: plus}
        identity: true
        screens:
          home:
            title: Home
            sections:
              - {id: seen, kind: list, impressions: true, source: {items: [{id: a, text: {text: A}}]}}
              - {id: tapped, kind: list, taps: true, audience: plus, source: {items: [{id: a, text: {text: A}}]}}
              - {id: neither, kind: list, source: {items: [{id: a, text: {text: A}}]}}
        """

    private func report(
        _ kinds: ItemEvent.Kind..., in section: String = "seen", of screen: String = "home", number: UInt64 = 1
    ) -> ReportRequest {
        ReportRequest(
            number: number, answeredThrough: 0, screen: screen, section: section,
            observations: kinds.map {
                ItemEvent($0, item: "a", place: 1, at: 5, action: $0 == .action ? "play" : "", revision: 3)
            })
    }

    /// The reason of a refusal; `nil` if there is none.
    private func refusal(_ report: ReportRequest) throws -> String? {
        let programme = try Programme.parse(text: Self.programme, file: "p.yaml")
        do throws(Status) {
            _ = try report.batch(by: Identity(user: "ana", scopes: .everything), programme, revision: 9)
            return nil
        } catch {
            return error.reason
        }
    }

    @Test func `Only what the programme asks for is taken, and all of a report or nothing`() throws {
        #expect(try refusal(report(.seen)) == nil)
        #expect(try refusal(report(.tap, .action, in: "tapped")) == nil)
        for wrong in [
            report(.tap), report(.seen, .tap), report(.seen, in: "tapped"), report(.seen, in: "neither"),
            report(.tap, in: "neither"), report(.seen, in: "nowhere"), report(.seen, of: "nowhere"),
        ] {
            #expect(try refusal(wrong) == "NOT_ASKED", "\(wrong)")
        }
    }

    @Test func `A report gets the reader's audiences, and the reader's name only on request`() throws {
        var programme = try Programme.parse(text: Self.programme, file: "p.yaml")
        let grant = Grant(.readOnly, from: .open, claims: Claims(["plan": .text("plus")]))
        let reader = Identity(user: "ana", grant: grant)
        let batch = try report(.seen).batch(by: reader, programme, revision: 9)
        #expect(batch.audiences == ["plus"] && batch.revision == 9 && batch.namesUser && batch.user == "ana")
        programme.namesReaders = false
        #expect(try report(.seen).batch(by: reader, programme, revision: 9).namesUser == false)
    }

    @Test func `A report is made by a client that may read the screen, with a number, and by no other`() throws {
        func answered(_ report: ReportRequest, _ scopes: Scopes) throws -> (did: [String], said: [String]) {
            var session = TestSession()
            session.receive(.hello(TestSession.hello()))
            session.authenticate(.success(Identity(user: "ana", scopes: scopes)))
            _ = session.frames()
            let did = session.receive(
                .request(Request(call: 1, method: .report, body: CallBodyCodec.encode(report))))
            return (did, session.frames())
        }
        #expect(try answered(report(.seen), Scopes(["read home"])).did.count == 1)
        #expect(try answered(report(.seen), Scopes(["read other"])).said == ["answer 1 0 bytes UNKNOWN_SCREEN"])
        #expect(try answered(report(.seen, number: 0), .everything).said == ["answer 1 0 bytes NUMBER_INVALID"])
        let many = report(.seen)
        var long = many
        long.observations = Array(repeating: many.observations[0], count: ItemEvent.perReport + 1)
        #expect(try answered(long, .everything).said == ["answer 1 0 bytes BODY_INVALID"])
    }
}

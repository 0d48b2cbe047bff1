import Foundation
import MarqueeClient
import MarqueeModel
import MarqueePresetRecords
import MarqueeScreens
import MarqueeServer
import MarqueeTypes
import MarqueeWire
import NIOCore
import Synchronization
import Testing

/// Sections that only some readers see, over real connections.
@Suite struct AudienceTests {
    private static let programme = """
        locales: [en]
        audiences:
          premium: {plan: plus}
        screens:
          home:
            title: Home
            sections:
              - id: rank
                kind: rank
                header: [{audience: premium, use: For members}, {use: Popular}]
                source: {records: {type: movie, sort: -popularity, limit: 3}}
              - {id: member-area, kind: text, audience: premium, source: {items: [{id: a, text: {text: Welcome back}}]}}
              - {id: upsell, kind: text, audience: {not: premium}, source: {items: [{id: a, text: {text: Join now}}]}}
        """

    /// Tokens that name the plan of their reader, ana: free, and plus in those made after `isRenewed` is set.
    private final class Plans: Authenticator {
        private let made = Atomic<Int>(0)
        let isRenewed = Atomic<Bool>(false)

        func make() -> String {
            let plan = isRenewed.load(ordering: .relaxed) ? "plus" : "free"
            return "\(plan) \(made.add(1, ordering: .relaxed).newValue)"
        }

        func authenticate(_ credentials: Credentials) async throws(Status) -> Identity {
            let plan = String((credentials.token ?? "").prefix { $0 != " " })
            let claims = Claims(["plan": .text(plan)])
            return Identity(
                user: "ana", grant: Grant(.readOnly, from: .token(credentials.token ?? ""), claims: claims))
        }

        let canRevoke = true

        /// Soon, so that clients renew; they really last longer.
        func standing(of identity: Identity) -> Standing { .until(2_000) }
    }

    private static func client(_ port: Int, _ plans: Plans) -> MarqueeClient {
        var configuration = ClientConfiguration(
            host: "127.0.0.1", port: port, user: "ana", locale: "en", mirror: .memory)
        configuration.token = { plans.make() }
        configuration.tokenTimeout = .seconds(300)
        configuration.callTimeout = .seconds(300)
        return MarqueeClient(configuration)
    }

    @Test func `A renewed token with another plan switches a live view, and nothing of its sections came before`()
        async throws
    {
        let programme = try Programme.parse(
            text: Self.programme, file: "programme.yaml", types: TypeSet(PresetCatalogue.types, file: "types.yaml"))
        let plans = Plans()
        let harness = try await Harness(programme: programme, authenticator: plans)
        let received = Mutex<[UInt8]>([])
        let wire = try await Relay.start(to: harness.server.summary.port) { frame in
            received.withLock { $0 += frame.body.readableBytesView }
            return frame
        }
        func hasReceived(_ text: String) -> Bool {
            received.withLock { Data($0).range(of: Data(text.utf8)) != nil }
        }
        let client = Self.client(wire.port, plans)
        let events = client.events
        var home = client.screen(.home).makeAsyncIterator()
        let first = try await home.first { $0.origin == .live }
        #expect(first.screen.sections.map(\.id) == ["rank", "upsell"])
        #expect(hasReceived("Join now"))
        #expect(!hasReceived("Welcome back") && !hasReceived("member-area") && !hasReceived("For members"))
        #expect(first.screen.sections[0].title == "Popular")
        plans.isRenewed.store(true, ordering: .relaxed)
        let second = try await home.first { $0.screen.sections.contains { $0.id == "member-area" } }
        #expect(second.screen.sections.map(\.id) == ["rank", "member-area"])
        #expect(second.screen.sections[0].title == "For members")
        #expect(second.origin == .live && hasReceived("Welcome back"))
        await client.close()
        // On a busy machine the first connection may take more than one attempt.
        var attempts: [ConnectionState] = []
        for await event in events { if case .state(let state) = event { attempts.append(state) } }
        let connected = try #require(attempts.firstIndex { if case .connected = $0 { true } else { false } })
        #expect(!attempts[connected...].contains { if case .connecting = $0 { true } else { false } })
        await wire.stop()
        await harness.stop()
    }
}

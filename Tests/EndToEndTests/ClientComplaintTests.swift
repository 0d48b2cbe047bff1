import Foundation
import MarqueeCatalogue
import MarqueeModel
import MarqueeServer
import MarqueeWire
import Synchronization
import Testing

@_spi(Admin) @testable import MarqueeClient

/// Public complaints of other systems' users, and proof over real sockets that the same doesn't happen here.
@Suite("Complaints about clients, over real sockets", .timeLimit(.minutes(10)))
struct ClientComplaintTests {
    /// Waits for an event that meets the condition.
    private func first<Value: Sendable>(
        of events: ClientSequence<ClientEvent, Never>, _ value: @Sendable (ClientEvent) -> Value?
    ) async throws -> Value {
        for await event in events {
            if let value = value(event) { return value }
        }
        throw ClientError(.closed, "the events ended")
    }

    private func configuration(_ harness: Harness, port: Int? = nil) -> ClientConfiguration {
        var configuration = ClientConfiguration(
            host: "127.0.0.1", port: port ?? harness.server.summary.port, mirror: .memory)
        configuration.backoff = .milliseconds(10)...(.milliseconds(100))
        return configuration
    }

    // istio/istio#41494
    @Test func `What was deleted while the client was offline leaves the screen and the mirror`() async throws {
        let harness = try await Harness()
        let client = try harness.client(mirror: "m.sqlite")
        var updates = client.screen(.home).makeAsyncIterator()
        let before = try await updates.first { $0.origin == .live }
        let movie = try #require(before.screen.sections.first { $0.kind == .rank }?.items.first?.subject)
        await client.close()
        try await harness.commit([.remove(try #require(movie.record))])
        let again = try harness.client(mirror: "m.sqlite")
        var later = again.screen(.home).makeAsyncIterator()
        let shown = try await later.first { $0.origin == .live }
        #expect(shown.screen.sections.allSatisfy { $0.items.allSatisfy { $0.kind != .movie || $0.subject != movie } })
        let asked = try await again.fetchScreen(.home)
        #expect(shown.screen.sections.map(\.sum) == asked.sections.map(\.sum))
        await again.close()
        #expect(try MirrorInspection.verify(at: harness.folder.appending(path: "m.sqlite").path).isEmpty)
        await harness.stop()
    }

    // centrifugal/centrifuge-js#399, supabase/supabase-js#1732
    @Test func `Each connection uses a fresh token, after waking and on resume too`() async throws {
        let (made, shown) = (Seen(), TokenGate())
        let harness = try await Harness(authenticator: shown)
        let relay = try await Relay.start(to: harness.server.summary.port)
        var configuration = configuration(harness, port: relay.port)
        configuration.token = { made.next() }
        let client = MarqueeClient(configuration)
        var updates = client.screen(.home).makeAsyncIterator()
        _ = try await updates.first { $0.origin == .live }
        for round in 2...4 {
            await relay.cut()
            client.networkChanged()
            try await eventually("connection \(round)") { shown.tokens.count >= round }
            _ = try await updates.first { $0.origin == .live }
        }
        #expect(shown.refusals == 0)
        #expect(Set(shown.tokens).count == shown.tokens.count, "each was shown once")
        await client.close()
        await relay.stop()
        await harness.stop()
    }

    /// Admits anyone with a token that was not used before.
    private final class TokenGate: Authenticator {
        static let refusal = "no fresh token"
        private let refused: String?

        init(refusing refused: String? = nil) { self.refused = refused }

        private let state = Mutex((tokens: [String](), refusals: 0))
        var tokens: [String] { state.withLock { $0.tokens } }
        var refusals: Int { state.withLock { $0.refusals } }

        func authenticate(_ credentials: Credentials) async throws(Status) -> Identity {
            let token = credentials.token
            let isFresh = state.withLock { state in
                guard let token, token != refused, !state.tokens.contains(token) else {
                    state.refusals += 1
                    return false
                }
                state.tokens.append(token)
                return true
            }
            guard isFresh else {
                throw Status(.unauthenticated, reason: "TOKEN", remedy: .reauthenticate, message: Self.refusal)
            }
            return Identity(user: credentials.user, scopes: .readOnly)
        }
    }

    private final class Seen: Sendable {
        private let state = Mutex(0)
        var count: Int { state.withLock { $0 } }
        func next() -> String {
            state.withLock { state in
                state += 1
                return "token \(state)"
            }
        }
    }

    @Test func `A refused token isn't used again; the app is asked until it has another`() async throws {
        let (asked, shown) = (Seen(), TokenGate(refusing: "old"))
        let harness = try await Harness(authenticator: shown)
        var configuration = configuration(harness)
        configuration.token = {
            let new = asked.next()
            return asked.count <= 3 ? "old" : new
        }
        let client = MarqueeClient(configuration)
        let events = client.events
        var updates = client.screen(.home).makeAsyncIterator()
        _ = try await updates.first { $0.origin == .live }
        // The answers that the client got count: an attempt that a busy machine answers too late is repeated with the
        // same token.
        var reasons: [String] = []
        for await event in events {
            if case .state(.connected) = event { break }
            if case .state(.waiting(let reason, _)) = event { reasons.append(reason.message) }
        }
        #expect(reasons.filter { $0 == TokenGate.refusal }.count == 1, "the old token was refused once: \(reasons)")
        #expect(asked.count >= 4)
        #expect(shown.refusals >= 1 && !shown.tokens.contains("old"))
        await client.close()
        await harness.stop()
    }

    @Test func `An app with a token but no user that opens favorites loses only that screen`() async throws {
        let harness = try await Harness(authenticator: TokenGate())
        let made = Seen()
        var configuration = configuration(harness)
        configuration.token = { made.next() }
        let client = MarqueeClient(configuration)
        var updates = client.screen(.home).makeAsyncIterator()
        let before = try await updates.first { $0.origin == .live }
        // On a busy machine the first connection may take more than one attempt.
        let attempts = made.count
        let error = await #expect(throws: ClientError.self) {
            for try await _ in client.screen(.favorites) {}
        }
        #expect(error?.status?.reason == "USER_REQUIRED")
        let movie = try #require(before.screen.sections.first { $0.kind == .rank }?.items.first?.subject?.record)
        try await harness.commit([.remove(movie)])
        _ = try await updates.first { $0.screen.revision.catalogueRevision > before.screen.revision.catalogueRevision }
        #expect(made.count == attempts, "it never connected again")
        await client.close()
        await harness.stop()
    }

    // get-convex/convex-js#181
    @Test func `A token that never comes ends the attempt and doesn't pile up; the next one is used`() async throws {
        let harness = try await Harness()
        let asked = Seen()
        var configuration = configuration(harness)
        configuration.tokenTimeout = .milliseconds(50)
        configuration.token = {
            _ = asked.next()
            // It doesn't even react to being cancelled.
            if asked.count <= TokenSource.maximumHanging {
                await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
            }
            return "late"
        }
        let client = MarqueeClient(configuration)
        let events = client.events
        var updates = client.screen(.home).makeAsyncIterator()
        let reason = try await first(of: events) { event in
            if case .state(.waiting(let reason, _)) = event { reason.message } else { nil }
        }
        // On a busy machine all attempts may be over before the first is read of.
        #expect(reason.contains("no token") || reason.contains("have not been answered"))
        let many = try await first(of: events) { event -> String? in
            if case .state(.waiting(let reason, _)) = event, reason.message.contains("have not been answered") {
                reason.message
            } else {
                nil
            }
        }
        #expect(many.hasPrefix("\(TokenSource.maximumHanging) "))
        #expect(asked.count <= TokenSource.maximumHanging)
        #expect(try await client.mirrorStatus().lastError?.kind == "connection")
        await client.close()
        #expect(try await updates.next()?.screen.id == nil)
        await harness.stop()
    }

    @Test func `A token that fails once or comes too late costs one attempt and no more`() async throws {
        let harness = try await Harness()
        let asked = Seen()
        var configuration = configuration(harness)
        configuration.tokenTimeout = .seconds(1)
        configuration.token = {
            switch asked.next() {
            case "token 1": throw ClientError(.unavailable, "not signed in yet")
            case "token 2":
                try await Task.sleep(for: .seconds(60))
                return "never"
            default: return "good"
            }
        }
        let client = MarqueeClient(configuration)
        var updates = client.screen(.home).makeAsyncIterator()
        _ = try await updates.first { $0.origin == .live }
        #expect(asked.count >= 3)
        await client.close()
        await harness.stop()
    }

    // supabase/supabase-swift#196, pusher/pusher-websocket-swift#430
    @Test func `After a reconnect each change arrives exactly once`() async throws {
        let harness = try await Harness()
        let relay = try await Relay.start(to: harness.server.summary.port)
        let client = try harness.client(port: relay.port)
        var updates = client.screen(.home).makeAsyncIterator()
        _ = try await updates.first { $0.origin == .live }
        for _ in 0..<3 {
            await relay.interrupt()
            _ = try await updates.first { $0.origin == .store }
            await relay.restore()
            _ = try await updates.first { $0.origin == .live }
        }
        try await eventually("the end of the sessions of before") { harness.server.connectionCount == 1 }
        var seen: [UInt64] = []
        for day in 2...5 {
            try await harness.showChart("2024-05-0\(day)")
            let update = try await updates.first { !$0.changes.isEmpty }
            seen.append(update.screen.revision.catalogueRevision)
        }
        #expect(seen == seen.sorted() && Set(seen).count == 4)
        #expect(try await client.health().subscriptions == 1)
        await client.close()
        await relay.stop()
        await harness.stop()
    }

    // grpc/grpc-swift#1592, #1842
    @Test func `A connection that died in the background is replaced within seconds of coming back`() async throws {
        let harness = try await Harness()
        let proxy = try await ChaosProxy.start(to: harness.server.summary.port, seed: nil)
        let client = try harness.client(port: proxy.port)
        var updates = client.screen(.home).makeAsyncIterator()
        _ = try await updates.first { $0.origin == .live }
        proxy.strike(.halfOpen)
        try await harness.showChart("2024-05-02")
        let begun = ContinuousClock.now
        client.enteredForeground()
        let revision = try harness.store.catalogueHead().revision
        _ = try await updates.first { $0.origin == .live && $0.screen.revision.catalogueRevision == revision }
        // The ping interval is 20 s; the rest is for a loaded machine.
        #expect(ContinuousClock.now - begun < .seconds(19))
        await client.close()
        await proxy.stop()
        await harness.stop()
    }

    // supabase/supabase-swift#1187, #1188
    @Test func `Clients, engines and readers are freed after use, whatever they were doing`() async throws {
        let harness = try await Harness()
        for port in [harness.server.summary.port, 1] {
            let weak = try await use(harness, port: port)
            try await eventually("the end of the client (port \(port))") { weak.client == nil }
            try await eventually("the end of the engine (port \(port))") { weak.engine == nil }
            try await eventually("the end of the reader (port \(port))") { weak.mailbox == nil }
        }
        try await eventually("the sessions' end") { harness.server.connectionCount == 0 }
        await harness.stop()
    }

    private final class Weak: @unchecked Sendable {
        // Written once, before it is shared.
        weak var client: MarqueeClient?
        weak var engine: ClientEngine?
        weak var mailbox: ScreenMailbox?
    }

    private func use(_ harness: Harness, port: Int) async throws -> Weak {
        let weak = Weak()
        let client = try harness.client(user: "mina", mirror: "weak-\(port).sqlite", port: port)
        let events = client.events
        var updates = client.screen(.home).makeAsyncIterator()
        weak.client = client
        weak.mailbox = updates.registration.mailbox
        weak.engine = try await client.onLoop(throwing: { Unchecked(value: $0) }).value
        if port == 1 {
            _ = try await first(of: events) { event -> Bool? in
                if case .state(.waiting) = event { true } else { nil }
            }
        } else {
            _ = try await updates.first { $0.origin == .live }
            try await client.setFavorite(true, for: .movie(27_205))
        }
        client.enteredForeground()
        return weak
    }

    private struct Unchecked: @unchecked Sendable {
        // Taken out on one thread to be held weakly; never used.
        let value: ClientEngine
    }

    // pusher/pusher-websocket-swift#430
    @Test func `A view that goes away takes its subscription with it`() async throws {
        let harness = try await Harness()
        let client = try harness.client()
        try await showAndForget(client)
        try await eventually("the subscription's end") { try await client.health().subscriptions == 0 }
        await client.close()
        await harness.stop()
    }

    private final class ViewModel {
        private var updates: ScreenUpdates.Iterator
        init(_ client: MarqueeClient) { updates = client.screen(.home).makeAsyncIterator() }
        func load() async throws { _ = try await updates.first { $0.origin == .live } }
    }

    private func showAndForget(_ client: MarqueeClient) async throws {
        let model = ViewModel(client)
        try await model.load()
        #expect(try await client.health().subscriptions == 1)
    }
}

import Foundation
import Logging
@_spi(Admin) import MarqueeClient
import MarqueeModel
import MarqueeServer
import MarqueeStore
import MarqueeWire
import Testing

/// Limits of a server that others reach, over real connections.
@Suite struct LimitTests {
    private static func server(_ adjust: (inout ServerLimits) -> Void) async throws -> MarqueeServer {
        let store = MemoryStore()
        try Harness.fill(store)
        var configuration = MarqueeServer.Configuration(host: "127.0.0.1", port: 0)
        adjust(&configuration.limits)
        configuration.adjustSettings = Harness.bearSilence
        return try await MarqueeServer.start(
            configuration, store: store, programme: Harness.programme(),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        ).server
    }

    private static func client(_ server: MarqueeServer, user: String? = nil) throws -> MarqueeClient {
        var configuration = ClientConfiguration(
            host: "127.0.0.1", port: server.summary.port, user: user, locale: "en", mirror: .memory)
        configuration.callTimeout = .seconds(300)
        return MarqueeClient(configuration)
    }

    @Test func `A user's connections are limited, and one that ends makes room for another`() async throws {
        let server = try await Self.server { $0.connectionsPerUser = 2 }
        let clients = try (0..<3).map { _ in try Self.client(server, user: "ana") }
        #expect(try await clients[0].health().state == "serving")
        #expect(try await clients[1].health().state == "serving")
        let events = clients[2].events
        let call = Task { try await clients[2].health() }
        for await event in events {
            if case .state(.waiting(let reason, _)) = event {
                #expect(reason.message.contains("too many connections"))
                break
            }
        }
        #expect(try await Self.client(server, user: "ben").health().state == "serving")
        #expect(server.limitHits[.connectionsPerUser] == 1)
        call.cancel()
        await clients[2].close()
        await clients[0].close()
        try await eventually("ana's place to be free") {
            let next = try Self.client(server, user: "ana")
            let isFree = (try? await next.health()) != nil
            await next.close()
            return isFree
        }
        await server.drain(grace: .milliseconds(100))
    }

    @Test func `Connections without a hello make room for those with one`() async throws {
        let server = try await Self.server { $0.unauthenticated = 3 }
        let client = try Self.client(server)
        #expect(try await client.health().state == "serving")
        var silent: [RawConnection] = []
        for _ in 0..<10 { silent.append(try await RawConnection.open(port: server.summary.port)) }
        try await eventually("the oldest to be closed") { server.limitHits[.unauthenticated] ?? 0 >= 7 }
        #expect(try await Self.client(server).health().state == "serving")
        #expect(try await client.health().state == "serving")
        for connection in silent { await connection.close() }
        await server.drain(grace: .milliseconds(100))
    }

    @Test func `Clients are told the limits that operators set, and held to them`() async throws {
        let server = try await Self.server { limits in
            limits.subscriptions = 1
            limits.calls = 1
            limits.publicationBytes = 100
            limits.answerBytes = 100
        }
        let raw = try await RawConnection.open(port: server.summary.port)
        let welcome = try #require(try await raw.greet())
        #expect(welcome.limits.subscriptions == 1)
        #expect(welcome.limits.calls == 1)
        let screen = CallBodyCodec.encode(GetScreenRequest(screen: "home"))
        let part = PublishRequest(
            number: 1, answeredThrough: 0, key: nil, index: 0, last: false,
            changes: [[UInt8](repeating: 32, count: 101)])
        let messages: [Message] = [
            .subscribe(Subscribe(subscription: 1, screen: "home")),
            .subscribe(Subscribe(subscription: 2, screen: "favorites")),
            .request(Request(call: 1, method: .getScreen, body: screen)),
        ]
        for message in messages { try await raw.send(message) }
        var refusals: Set<String> = []
        for await message in raw.messages {
            switch message {
            case .subscriptionError(let error): refusals.insert(error.status.reason)
            case .answer(let answer):
                if let status = answer.status { refusals.insert(status.reason) }
                guard answer.call == 1 else { break }
                try await raw.send(.request(Request(call: 2, method: .publish, body: CallBodyCodec.encode(part))))
            default: break
            }
            if refusals.count == 3 { break }
        }
        #expect(refusals == ["TOO_MANY_SUBSCRIPTIONS", "TOO_MANY_ANSWERS", "TOO_MANY_PUBLICATIONS"])
        for limit in [Limit.subscriptions, .answers, .publications] {
            #expect(server.limitHits[limit] == 1, "\(limit)")
        }
        await raw.close()
        await server.drain(grace: .milliseconds(100))
    }

    @Test func `A connection that doesn't authenticate in time is closed`() async throws {
        let store = MemoryStore()
        var configuration = MarqueeServer.Configuration(host: "127.0.0.1", port: 0)
        configuration.limits.helloSeconds = 1
        let server = try await MarqueeServer.start(
            configuration, store: store, programme: Harness.programme(),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        ).server
        let raw = try await RawConnection.open(port: server.summary.port)
        var reason: String?
        for await message in raw.messages {
            if case .close(let status) = message { reason = status.reason }
        }
        #expect(reason == "HELLO_TIMEOUT")
        #expect(server.limitHits[.hello] == 1)
        await server.drain(grace: .milliseconds(100))
    }

    @Test func `A connection that renews its identity too often waits for the answer`() async throws {
        let server = try await Self.server { $0.renewals = 2 }
        let raw = try await RawConnection.open(port: server.summary.port)
        _ = try #require(try await raw.greet())
        var messages = raw.messages.makeAsyncIterator()
        var call: UInt32 = 0
        while server.limitHits[.renewals] == nil {
            call += 1
            let body = CallBodyCodec.encodeRenewRequest(token: "token \(call)")
            try await raw.send(.request(Request(call: call, method: .renew, body: body)))
            while let message = await messages.next() {
                if case .answer(let answer) = message, answer.call == call { break }
            }
        }
        #expect(call >= 3, "two were saved up")
        await raw.close()
        await server.drain(grace: .milliseconds(100))
    }

    @Test func `New variants are refused when too much is shown, and the views of others stay`() async throws {
        let server = try await Self.server { $0.variants = 12 }
        let client = try Self.client(server)
        var home = client.screen(.home).makeAsyncIterator()
        _ = try await home.first { $0.origin == .live }
        let raw = try await RawConnection.open(port: server.summary.port)
        _ = try #require(try await raw.greet())
        let found = try await client.search("a").items.compactMap(\.subject).prefix(20)
        for (index, movie) in found.enumerated() {
            let screen = "detail/\(movie.record?.id ?? "")"
            try await raw.send(.subscribe(Subscribe(subscription: UInt32(index) + 1, screen: screen)))
        }
        for await message in raw.messages {
            guard case .subscriptionError(let error) = message else { continue }
            #expect(error.status.reason == "TOO_MANY_VARIANTS")
            break
        }
        #expect(server.limitHits[.variants] ?? 0 > 0)
        // A variant that is shown already costs nothing.
        let second = try Self.client(server)
        var again = second.screen(.home).makeAsyncIterator()
        _ = try await again.first { $0.origin == .live }
        await raw.close()
        await server.drain(grace: .milliseconds(100))
    }
}

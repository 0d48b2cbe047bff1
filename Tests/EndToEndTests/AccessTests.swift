import Foundation
import MarqueeAccess
import MarqueeCatalogue
@_spi(Admin) import MarqueeClient
import MarqueeModel
import MarqueeServer
import MarqueeWire
import Synchronization
import Testing

/// Notes whether anybody has shown a token, and believes everybody.
final class SeenTokens: Authenticator {
    private let tokens = Atomic<Int>(0)
    var count: Int { tokens.load(ordering: .relaxed) }

    func authenticate(_ credentials: Credentials) async throws(Status) -> Identity {
        if credentials.token != nil { tokens.add(1, ordering: .relaxed) }
        return Identity(user: credentials.user, grant: .everything)
    }
}

/// Tokens and their scopes, over real connections.
@Suite struct AccessTests {
    private static func authenticator(
        _ name: String, user: String? = nil, _ scopes: String...
    ) throws -> (AccessAuthenticator, TokenRegister, String) {
        let (token, hash) = Token.make()
        var file = TokenFile()
        try file.add(TokenFile.Entry(name: name, user: user, hash: hash, scopes: Scopes(scopes), expires: nil))
        let register = TokenRegister(file)
        return (AccessAuthenticator(register, anonymous: .readOnly), register, token)
    }

    @Test func `A view that may not be seen ends like one that doesn't exist, and no other does`() async throws {
        let (authenticator, _, token) = try Self.authenticator("phone", user: "ana", "read home", "favorites")
        let harness = try await Harness(authenticator: authenticator)
        let client = try harness.client(user: "ana", token: token)
        var home = client.screen(.home).makeAsyncIterator()
        _ = try await home.first { $0.origin == .live }
        for screen in ["detail/1", "nonsense"] {
            let error = await #expect(throws: ClientError.self) {
                for try await _ in client.screen(ScreenID(screen)) {}
            }
            #expect(error?.status?.reason == "UNKNOWN_SCREEN")
            #expect(error?.status?.message == "there is no screen '\(screen)'")
        }
        let fetched = await #expect(throws: ClientError.self) { try await client.fetchScreen(ScreenID("detail/1")) }
        #expect(fetched?.status?.message == "there is no screen 'detail/1'")
        #expect(try await client.describe().screens.map(\.pattern) == ["home"])
        // The first view goes on.
        try await harness.commit([.remove(RecordID(type: "movie", id: "680"))])
        _ = try await home.first { $0.status.revision.catalogueRevision >= 2 }
        await harness.stop()
    }

    @Test func `A request outside a token's scope is refused, and the connection stays`() async throws {
        let (authenticator, _, token) = try Self.authenticator("phone", user: "ana", "read *", "collection watched")
        let harness = try await Harness(authenticator: authenticator)
        let client = try harness.client(user: "ana", token: token)
        let published = await #expect(throws: ClientError.self) {
            try await client.publish([Harness.update(680, #""title": "x""#)])
        }
        #expect(published?.status?.reason == "PUBLISH_DENIED")
        let found = await #expect(throws: ClientError.self) { try await client.search("love") }
        #expect(found?.status?.reason == "SCOPE_TOO_SMALL")
        #expect(try await client.health().state == "serving")
        await harness.stop()
    }

    @Test func `A publisher publishes what its token covers`() async throws {
        let (authenticator, _, token) = try Self.authenticator("importer", "publish movie")
        let harness = try await Harness(authenticator: authenticator)
        let client = try harness.client(token: token)
        _ = try await client.publish([Harness.update(680, #""popularity": 2.5"#)])
        let refused = await #expect(throws: ClientError.self) {
            try await client.publish([Harness.update(680, #""popularity": 3.5"#), #"{"removePage": {"id": "home"}}"#])
        }
        #expect(refused?.status?.reason == "SCOPE_TOO_SMALL")
        #expect(try await client.health().revision.catalogueRevision == 2, "all of it or nothing")
        await harness.stop()
    }

    @Test func `A command whose token is refused says so, and ends with 77`() async throws {
        let (authenticator, _, _) = try Self.authenticator("phone", user: "ana", "read *")
        let harness = try await Harness(authenticator: authenticator)
        let address = "127.0.0.1:\(harness.server.summary.port)"
        let favorite = ["--user", "ana", "--mirror", harness.folder.appending(path: "f.sqlite").path]
        for command in [["get", "home"], ["health"], ["favorite", "add", "movie/680"] + favorite] {
            let process = try RunningProcess(
                "marquee", command + ["--server", address], in: harness.folder,
                variables: ["MARQUEE_TOKEN=\(Token.make().0)"])
            #expect(try await process.ended() == 77)
            #expect(process.errors.contains("the token is not known here, has ended or was revoked (UNAUTHENTICATED)"))
            #expect(!process.errors.contains("can't reach"))
            #expect(process.output.isEmpty)
        }
        // The favorite is in the mirror, so there is something to list.
        let list = try RunningProcess(
            "marquee", ["favorite", "list", "--server", address] + favorite, in: harness.folder,
            variables: ["MARQUEE_TOKEN=\(Token.make().0)"])
        #expect(try await list.ended() == 0)
        #expect(list.errors.contains("refuses the token") && list.errors.contains("this is what is stored"))
        #expect(list.output.contains("movie/680"))
        await harness.stop()
    }

    @Test func `A command that leaves out its user, or whose token no server takes, doesn't blame the connection`()
        async throws
    {
        let (authenticator, _, token) = try Self.authenticator("phone", user: "ana", "read *")
        let harness = try await Harness(authenticator: authenticator)
        let address = "127.0.0.1:\(harness.server.summary.port)"
        let cases: [(token: String, exit: Int32, words: String)] = [
            (token, 77, "as 'ana'; name that user (UNAUTHENTICATED); give your user name with --user"),
            (String(repeating: "x", count: WireLimits.tokenBytes + 1), 69, "the token has more than 12288 bytes"),
        ]
        for (token, exit, words) in cases {
            let process = try RunningProcess(
                "marquee", ["get", "home", "--server", address], in: harness.folder,
                variables: ["MARQUEE_TOKEN=\(token)"])
            #expect(try await process.ended() == exit)
            #expect(process.errors.contains(words) && !process.errors.contains("can't reach"), "\(process.errors)")
        }
        await harness.stop()
    }

    @Test func `A revoked token is out within seconds, and an open view is shown from the mirror`() async throws {
        let (authenticator, register, token) = try Self.authenticator("phone", user: "ana", "read *", "favorites")
        let harness = try await Harness(authenticator: authenticator)
        let client = try harness.client(user: "ana", token: token)
        let events = client.events
        var home = client.screen(.home).makeAsyncIterator()
        _ = try await home.first { $0.origin == .live }
        register.replace(by: TokenFile())
        var reason = ""
        for await event in events {
            if case .state(.waiting(let why, _)) = event {
                reason = why.message
                break
            }
        }
        #expect(reason.contains("revoked"), "\(reason)")
        #expect(try await !home.first { $0.origin == .store }.screen.sections.isEmpty)
        await harness.stop()
    }

    // MARK: - Tokens that end

    /// Tokens that are said to end soon, and are admitted once. They really last longer, because a client on a
    /// busy machine renews late.
    private final class ShortTokens: Authenticator {
        private static let milliseconds: UInt64 = 2_000

        private struct State {
            var made = 0
            var shown: [String] = []
        }

        private let state = Mutex(State())
        let renewsScopes: Bool

        init(renewsScopes: Bool = true) { self.renewsScopes = renewsScopes }

        /// The tokens shown so far.
        var shown: Int { state.withLock { $0.shown.count } }

        func make() -> String {
            state.withLock { state in
                state.made += 1
                return "\(state.made)"
            }
        }

        func authenticate(_ credentials: Credentials) async throws(Status) -> Identity {
            let token = credentials.token ?? ""
            let isFresh = state.withLock { state in
                guard !state.shown.contains(token) else { return false }
                state.shown.append(token)
                return true
            }
            guard isFresh else {
                throw Status(.unauthenticated, reason: "TOKEN_REFUSED", remedy: .reauthenticate, message: "old")
            }
            let scopes = renewsScopes || token == "1" ? Scopes.everything : try? Scopes(["read detail/*"])
            return Identity(
                user: "ana",
                grant: Grant(scopes ?? .nothing, from: .token(token)))
        }

        let canRevoke = true

        func standing(of identity: Identity) -> Standing { .until(Self.milliseconds) }
    }

    private static func client(_ harness: Harness, _ tokens: ShortTokens) throws -> MarqueeClient {
        var configuration = ClientConfiguration(
            host: "127.0.0.1", port: harness.server.summary.port, user: "ana", locale: "en", mirror: .memory)
        configuration.token = { tokens.make() }
        configuration.tokenTimeout = .seconds(300)
        configuration.callTimeout = .seconds(300)
        return MarqueeClient(configuration)
    }

    @Test func `A client renews its identity before it ends, without a gap`() async throws {
        let tokens = ShortTokens()
        let harness = try await Harness(authenticator: tokens)
        let client = try Self.client(harness, tokens)
        let events = client.events
        var home = client.screen(.home).makeAsyncIterator()
        _ = try await home.first { $0.origin == .live }
        // Four ends of tokens pass.
        try await eventually("five tokens to be shown") { tokens.shown >= 5 }
        try await client.setFavorite(true, for: "movie/1")
        try await harness.commit([.remove(RecordID(type: "movie", id: "680"))])
        _ = try await home.first { $0.status.revision.catalogueRevision >= 2 && $0.origin == .live }
        await client.close()
        var connections = 0
        for await event in events { if case .state(.connecting) = event { connections += 1 } }
        #expect(connections == 1)
        await harness.stop()
    }

    @Test func `A renewed identity that may see less ends what it may not see`() async throws {
        let tokens = ShortTokens(renewsScopes: false)
        let harness = try await Harness(authenticator: tokens)
        let client = try Self.client(harness, tokens)
        let detail = Task {
            await #expect(throws: ClientError.self) { for try await _ in client.screen(ScreenID("detail/680")) {} }
        }
        let error = await #expect(throws: ClientError.self) { for try await _ in client.screen(.home) {} }
        #expect(error?.status?.reason == "UNKNOWN_SCREEN")
        // Another view goes on, until what it shows is gone.
        try await harness.commit([.remove(RecordID(type: "movie", id: "680"))])
        #expect(await detail.value?.status?.reason == "UNKNOWN_RECORD")
        await harness.stop()
    }
}

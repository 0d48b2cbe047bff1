import MarqueeMirror
import MarqueeModel
import Testing

@testable import MarqueeClient

struct ClientErrorTests {
    @Test(
        arguments: [
            ("USER_REQUIRED", .unauthenticated, .notSignedIn), ("TOKEN_REFUSED", .unauthenticated, .tokenRefused),
            ("TOKEN_OF_ANOTHER", .unauthenticated, .tokenRefused), ("SCOPE_TOO_SMALL", .permissionDenied, .notAllowed),
            ("UNKNOWN_SCREEN", .notFound, .notFound), ("UNKNOWN_RECORD", .notFound, .notFound),
            ("UNKNOWN_SORT", .invalidArgument, .unknownOptions), ("VALUE_INVALID", .invalidArgument, .changeRefused),
            ("OTHER_CLUSTER", .failedPrecondition, .mirrorOfAnotherServer),
            ("PROTOCOL_UNSUPPORTED", .failedPrecondition, .updateNeeded), ("DRAINING", .unavailable, .unavailable),
            ("DEADLINE_EXCEEDED", .deadlineExceeded, .timeout), ("NEW_REASON", .invalidArgument, .refused),
        ] as [(String, Status.Code, ClientError.Code)])
    func `A server's answer has the code of how to react`(
        _ reason: String, _ code: Status.Code, _ expected: ClientError.Code
    ) {
        #expect(ClientError(Status(code, reason: reason, remedy: .fatal, message: "no")).code == expected)
    }

    @Test func `A server that is doing as much as it may is busy`() {
        let status = Status(.resourceExhausted, reason: "TOO_MANY_CALLS", remedy: .retrySame, message: "later")
        #expect(ClientError(status).code == .busy)
    }

    @Test func `Another user's mirror, another server's and a damaged one are told apart`() {
        let codes: [MirrorError.Code] = [
            .belongsToOtherUser, .belongsToOtherCluster, .corrupt, .foreignFile, .io, .ownedByOther, .diskFull, .none,
        ]
        let known = codes.map { ClientError(mirror: MirrorError($0, "")).code }
        #expect(Set(known).count == codes.count)
        #expect(known.first == .mirrorOfAnotherUser)
    }

    @Test func `A token that the server refuses is reported, and the screens say why they are stale`() throws {
        let test = try TestEngine(tokens: TokenSource(ready: { "token" }))
        defer { test.world.end() }
        let home = test.watch()
        test.advance(0.001)
        test.connect()
        test.join(TestEngine.home, [("rank", TestEngine.movies([1]))], at: TestEngine.cut(10, 3))
        test.say(.close(Status(.unauthenticated, reason: "TOKEN_ENDED", remedy: .reauthenticate, message: "ended")))
        #expect(home.last?.lastError?.code == .tokenRefused)
        #expect(!home.isFinished)
        #expect(test.events.contains("token: ended"))
    }

    @Test func `A refused token rests, and is used again after that: a server may hear of it later`() throws {
        let test = try TestEngine(tokens: TokenSource(ready: { "token" }))
        defer { test.world.end() }
        _ = test.watch()
        test.advance(0.001)
        test.connect()
        test.say(.close(Status(.unauthenticated, reason: "TOKEN_REFUSED", remedy: .reauthenticate, message: "no")))
        test.advance(Double(Retries.refusedTokenRest) / 1_000 - 1)
        #expect(test.world.attempts == 1)
        test.advance(2 * 64)
        #expect(test.world.attempts == 2)
        #expect(test.events.filter { $0.hasPrefix("token: ") } == ["token: no"], "the server refused it once")
    }

    @Test func `Every code has a sentence for the person, and names itself`() {
        let codes = ClientError.Code.Value.allCases.compactMap { ClientError.Code(name: $0.rawValue) }
        #expect(codes.count == ClientError.Code.Value.allCases.count)
        #expect(Set(codes.map(\.words.description)).count == codes.count)
        #expect(codes.allSatisfy { ClientError.Code(name: $0.description) == $0 })
        #expect(ClientError.Code(name: "unheardOf") == nil)
    }

    @Test func `A person reads the server's own words for a refusal, and the code's sentence for anything else`() {
        let refused: any Error = ClientError(.changeRefused, "at most 10 favorites")
        #expect(refused.localizedDescription == "At most 10 favorites.")
        let denied: any Error = ClientError(
            Status(
                .permissionDenied, reason: Status.Reason.scopeTooSmall, remedy: .fatal,
                message: "this client may not change the collection 'later'"))
        #expect(denied.localizedDescription == "You may not do this.")
        let away = ClientError(.unavailable, "connection refused")
        #expect((away as any Error).localizedDescription == "The server can't be reached.")
        #expect(away.recoverySuggestion?.contains("keeps trying") == true && "\(away)" == "connection refused")
    }

    @Test func `Errors are told apart by what they say, not by what caused them`() {
        struct Lost: Error {}
        #expect(ClientError(.busy, "later", cause: Lost()) == ClientError(.busy, "later"))
        #expect(ClientError(.busy, "later") != ClientError(.busy, "now"))
        let status = Status(.unavailable, reason: "BUSY", remedy: .retrySame, message: "later")
        #expect(ClientError(status).reason == "BUSY" && ClientError(status).cause == nil)
    }

    @Test func `What an app's own closure for tokens throws is the cause of the error`() async throws {
        struct SignedOut: Error, Equatable {}
        var configuration = ClientConfiguration(host: "127.0.0.1", port: 1, user: "mina", mirror: .memory) {
            throw SignedOut()
        }
        // On a busy machine the closure may run long after it was called.
        configuration.tokenTimeout = .seconds(300)
        let client = MarqueeClient(configuration)
        var outbox = client.outbox.makeAsyncIterator()
        #expect(try await outbox.next()?.pending == 0)
        try await client.setFavorite(true, for: "episode/e1")
        #expect(try await outbox.next()?.pending == 1)
        for await event in client.events {
            guard case .state(.waiting(let error, _)) = event else { continue }
            #expect(error.code == .tokenUnavailable && error.cause as? SignedOut == SignedOut())
            #expect(error.localizedDescription == "Your sign-in couldn't be confirmed.")
            break
        }
        await client.close()
        #expect(try await outbox.next() == nil)
    }
}

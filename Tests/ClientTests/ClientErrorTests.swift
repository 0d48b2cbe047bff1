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
}

import MarqueeClient
import MarqueeModel
import MarqueeScreenJSON
import Testing

@testable import marquee

struct ProgramExitTests {
    @Test(arguments: [
        (ClientError.Code.unavailable, ProgramExit.unavailable), (.timeout, .tryAgain), (.refused, .protocolError),
        (.mirrorInUse, .cantCreate), (.mirrorUnusable, .cantCreate), (.diskFull, .ioError), (.notSignedIn, .usage),
        (.limit, .usage),
    ])
    func `An error of the client has its exit code`(_ code: ClientError.Code, _ status: ProgramExit) {
        #expect(ProgramExit(ClientError(code, "")) == status)
    }

    @Test(arguments: [
        (Status.Code.permissionDenied, ProgramExit.noPermission), (.unauthenticated, .noPermission),
        (.unavailable, .unavailable),
        (.resourceExhausted, .tryAgain), (.notFound, .protocolError), (.internalError, .protocolError),
    ])
    func `A refusal has the exit code of its reason`(_ code: Status.Code, _ status: ProgramExit) {
        let refusal = Status(code, reason: "X", remedy: .fatal, message: "no")
        #expect(ProgramExit(ClientError(refusal)) == status)
    }

    @Test(arguments: ["UNKNOWN_SECTION", "UNKNOWN_SORT"])
    func `a section or sort that doesn't exist ends with the same status whoever finds it`(_ reason: String) {
        let refusal = Status(.invalidArgument, reason: reason, remedy: .fatal, message: "no")
        #expect(ProgramExit(ClientError(refusal)) == .usage)
        #expect(Failure.unknownSection("x", of: .home, known: ["a"]).status == .usage)
    }

    @Test func `an error names the server's code in words`() throws {
        let refusal = Status(.notFound, reason: "UNKNOWN_RECORD", remedy: .fatal, message: "there is no movie 1")
        let error = ClientError(refusal)
        #expect(Failure(error).message == "there is no movie 1 (NOT_FOUND)")
        let line = try NDJSONWriter.error(
            error.message, code: refusal.code.name, reason: refusal.reason, screen: .home, shown: nil
        ).line()
        #expect(line.contains(#""code":"NOT_FOUND""#) && line.contains(#""reason":"UNKNOWN_RECORD""#))
        #expect((0...16).allSatisfy { Status.Code(rawValue: $0).map { !$0.name.isEmpty } == true })
    }

    @Test func `A mirror of another server is named`() {
        let refusal = Status(
            .failedPrecondition, reason: "OTHER_CLUSTER", remedy: .fatal, message: "it belongs to another cluster")
        let failure = Failure(ClientError(refusal), mirror: "/s/m.sqlite")
        #expect(failure.status == .cantCreate)
        #expect(
            failure.message == "it belongs to another cluster, or move this one away: /s/m.sqlite (FAILED_PRECONDITION)"
        )
    }

    @Test func `A count that was not reached is reported`() throws {
        try SubscribeCommand.conclude(.counted, wantsCount: true)
        try SubscribeCommand.conclude(.readerGone, wantsCount: true)
        try SubscribeCommand.conclude(.timedOut, wantsCount: false)
        try SubscribeCommand.conclude(.signal(.interrupted), wantsCount: false)
        let endings: [(SubscribeCommand.Ending, ProgramExit)] = [
            (.timedOut, .tryAgain), (.signal(.interrupted), .interrupted), (.signal(.terminated), .terminated),
        ]
        for (ending, status) in endings {
            #expect { try SubscribeCommand.conclude(ending, wantsCount: true) } throws: {
                ($0 as? Failure)?.status == status
            }
        }
    }

    @Test func `A favorite that is not stored must be confirmed`() throws {
        let stored = ChangeOutcome(isConfirmed: false, fallback: nil)
        let promise = "the next command that reaches the server sends it"
        #expect(stored.line(for: "movie/1", on: true) == "♡ movie/1 stored, to be added; \(promise)")
        #expect(stored.line(for: "movie/1", on: false) == "♡ movie/1 stored, to be removed; \(promise)")
        try stored.conclude(server: .standard)
        let companion = ChangeOutcome(isConfirmed: false, fallback: nil, isCompanion: true)
        #expect(
            companion.line(for: "movie/1", on: true)
                == "♡ movie/1 stored, to be added; the owner of the mirror sends it")
        var putOff = stored
        putOff.heard(.changesHeldUp(pending: 1, ClientError(.refused, "its disk is full")))
        #expect(
            putOff.line(for: "movie/1", on: true)
                == "♡ movie/1 stored, to be added; the server postpones it: its disk is full")
        try putOff.conclude(server: .standard)
        let lost = ChangeOutcome(isConfirmed: false, fallback: "in use by process 7")
        #expect(lost.line(for: "movie/1", on: true) == nil)
        #expect { try lost.conclude(server: .standard) } throws: { ($0 as? Failure)?.status == .unavailable }
        // A server that postpones it because its disk is full asks to try again later.
        let full = ClientError(
            Status(.resourceExhausted, reason: "DISK_FULL", remedy: .retrySame, message: "the disk is full"))
        var lostAndPutOff = lost
        lostAndPutOff.heard(.changesHeldUp(pending: 1, full))
        #expect { try lostAndPutOff.conclude(server: .standard) } throws: {
            ($0 as? Failure)?.status == .tryAgain && ($0 as? Failure)?.message.contains("the disk is full") == true
        }
        let confirmed = ChangeOutcome(isConfirmed: true, fallback: "in use by process 7")
        #expect(confirmed.line(for: "movie/1", on: false) == "♡ movie/1 removed")
        try confirmed.conclude(server: .standard)
        var refused = ChangeOutcome(isConfirmed: true, fallback: nil)
        refused.heard(.changeRejected(.favorites, "movie/1", ClientError(.changeRefused, "no such movie")))
        #expect(refused.line(for: "movie/1", on: true) == nil)
        #expect { try refused.conclude(server: .standard) } throws: { ($0 as? Failure)?.status == .protocolError }
    }

    private static let server = ServerInfo(
        cluster: "c", node: "n", user: nil, agent: "test", locales: ["en"], imageBaseURL: nil)

    @Test func `A change that waits for a token is not promised to be sent`() {
        let status = Status(.unauthenticated, reason: "TOKEN", remedy: .reauthenticate, message: "it was revoked")
        for event in [
            ClientEvent.tokenRefused(ClientError(status)), .state(.waiting(ClientError(status), pause: .zero)),
        ] {
            var outcome = ChangeOutcome(isConfirmed: false, fallback: nil)
            outcome.heard(event)
            #expect(outcome.line(for: "movie/1", on: true) == nil)
            #expect { try outcome.conclude(server: .standard, mirror: "m.sqlite") } throws: {
                let failure = $0 as? Failure
                return failure?.status == .noPermission && failure?.message.contains("waiting in m.sqlite") == true
            }
            outcome.heard(.state(.connected(Self.server)))
            #expect(throws: Never.self) { try outcome.conclude(server: .standard) }
        }
    }

    @Test(arguments: [("1", true), ("movie/1", false)])
    func `A number that was taken for a movie is explained if the server refuses it`(
        _ text: String, _ isExplained: Bool
    ) throws {
        var refused = ChangeOutcome(isConfirmed: true, fallback: nil)
        refused.heard(.changeRejected(.favorites, "movie/1", ClientError(.changeRefused, "there is no type 'movie'")))
        let named = try FavoriteSubject(argument: text)
        #expect { try refused.conclude(server: .standard, named: [named]) } throws: {
            ($0 as? Failure)?.message.contains("a number alone is taken for a movie, write TYPE/ID") == isExplained
        }
    }
}

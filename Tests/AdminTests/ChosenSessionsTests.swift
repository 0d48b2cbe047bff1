import MarqueeServer
import Testing

@testable import MarqueeAdmin

@Suite struct ChosenSessionsTests {
    private func chosen(_ parameters: [String: String]) throws -> ChosenSessions {
        try ChosenSessions { parameters[$0] }
    }

    @Test func `Sessions are chosen by one connection, or by a user`() throws {
        #expect(try chosen(["connection": "42"]) == .connection(42))
        #expect(try chosen(["user": "ana"]) == .user("ana"))
    }

    @Test(arguments: [[:], ["connection": "x"], ["connection": "-1"], ["connection": "1", "user": "ana"]])
    func `Anything else ends nobody's session`(parameters: [String: String]) {
        #expect(throws: PageQuery.Mistake.self) { try chosen(parameters) }
    }

    @Test func `Another token is in force at once`() throws {
        let tokens = AdminTokens(AdminToken("0123456789abcdef").map { [$0] })
        let caller = AdminCaller(name: "admin", role: .admin)
        func verdict(_ token: String) -> AdminGate.Verdict {
            AdminGate(tokens: tokens.now).verdict(needing: .admin, host: nil, authorization: "Bearer \(token)")
        }
        #expect(verdict("0123456789abcdef") == .admitted(caller))
        tokens.now = AdminToken("fedcba9876543210").map { [$0] }
        #expect(verdict("0123456789abcdef") == .unauthorised && verdict("fedcba9876543210") == .admitted(caller))
    }
}

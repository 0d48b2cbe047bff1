import ArgumentParser
import Foundation
import MarqueeAdmin
import Testing

@testable import marquee_server

@Suite struct SessionsCommandTests {
    private func end(_ arguments: String...) throws -> SessionsEndCommand {
        try #require(
            try MarqueeServerCommand.parseAsRoot(["sessions", "end"] + arguments) as? SessionsEndCommand)
    }

    private func refusal(_ arguments: String...) -> Int32? {
        do {
            _ = try MarqueeServerCommand.parseAsRoot(["sessions"] + arguments)
            return nil
        } catch {
            return MarqueeServerCommand.exitCode(for: error).rawValue
        }
    }

    @Test func `A session is named by its user or its connection, whatever the name is`() throws {
        #expect(try end("--connection", "42").query == "connection=42")
        #expect(try end("--user", "ana").query == "user=ana")
        #expect(try end("--user", "a&b=c d/한").query == "user=a%26b%3Dc%20d%2F%ED%95%9C")
        #expect(refusal("end") == 64 && refusal("end", "--user", "") == 64)
        #expect(refusal("end", "--user", "a", "--connection", "1") == 64)
    }

    @Test func `Another machine is asked over TLS unless somebody says otherwise`() throws {
        #expect(try end("--user", "a").place.base == "http://127.0.0.1:7421")
        #expect(try end("--user", "a", "--tls").place.base == "https://127.0.0.1:7421")
        #expect(try end("--user", "a", "--tls-ca", "f").place.base == "https://127.0.0.1:7421")
        #expect(try end("--user", "a", "--admin", "[2001:db8::1]:1").place.base == "https://[2001:db8::1]:1")
        #expect(try end("--user", "a", "--admin", "h:1", "--allow-unencrypted").place.base == "http://h:1")
        #expect(refusal("end", "--user", "a", "--allow-unencrypted", "--tls") == 64)
        #expect(refusal("list", "--admin", "h:0") == 64)
        #expect(refusal("list", "--limit", "501") == 64)
    }

    @Test(
        arguments: [
            (401, false, 77, "give --token-file"), (401, true, 77, "doesn't know the token"),
            (403, true, 77, "no, said"),
            (421, false, 77, "its own machine"), (503, true, 75, "no, said; try again"), (400, true, 65, "no, said"),
            (404, true, 69, "admin address"),
        ] as [(UInt, Bool, Int32, String)])
    func `Each refusal has an exit code, and says what to do`(
        status: UInt, hasToken: Bool, code: Int32, words: String
    ) throws {
        let body = Data(#"{"error":"no, said"}"#.utf8)
        let failure = try #require(AdminPlaceOptions.failure(status: status, body, hasToken: hasToken))
        #expect(failure.code.rawValue == code)
        #expect(failure.message.contains(words))
        #expect(AdminPlaceOptions.failure(status: 200, body, hasToken: hasToken) == nil)
    }

    @Test func `The list is a table, in which nothing that a client sent passes for more than a word`() throws {
        let answer = """
            {"limit":2,"offset":0,"revision":9,"sessions":[{"ageSeconds":61.26,"address":"127.0.0.1:50",\
            "answerBytes":0,"bufferedBytes":0,"connection":7,"lagSeconds":0,"publicationBytes":0,"revision":9,"screens":["home",\
            "detail/a b"],"sectionsBehind":0,"sentBytes":10,"state":"live","subscriptions":2,"unacknowledgedBytes":0,\
            "user":"ana\\u001b[2J"}],"sort":"lag","total":3}
            """
        let page = try JSONDecoder().decode(SessionPage.self, from: Data(answer.utf8))
        #expect(
            SessionsListCommand.lines(page) == [
                "CONNECTION  USER            ADDRESS       STATE  AGE     LAG  SCREENS",
                #"7           "ana\u001b[2J"  127.0.0.1:50  live   61.3 s  0 s  home "detail/a b""#,
                "1 of 3 sessions; --limit and --offset show others",
            ])
    }
}

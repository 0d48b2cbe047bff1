import Foundation
import Testing

@testable import MarqueeAdmin

struct AdminGateTests {
    private static let secret = "0123456789abcdef"
    private let open = AdminGate(tokens: nil)
    private let closed = AdminGate(tokens: AdminToken(secret).map { [$0] })
    private let operatorOnly = AdminCaller(name: "admin", role: .admin)
    private let everybody = AdminCaller(name: nil, role: .admin)

    private func basic(_ pair: String) -> String { "Basic \(Data(pair.utf8).base64EncodedString())" }

    @Test(arguments: ["localhost", "localhost:7421", "127.0.0.1:7421", "127.8.8.8", "[::1]:7421", "LOCALHOST:1"])
    func `Without a token, requests for this machine are admitted`(host: String) {
        #expect(open.verdict(needing: .admin, host: host, authorization: nil) == .admitted(everybody))
    }

    @Test(arguments: [
        nil, "", "films.example", "films.example:7421", "127.0.0.1.films.example", "localhost.films.example:80",
        "127.0.0.1.1", "127.0.0.256", "[::2]:1", "[::1", "10.0.0.1",
    ])
    func `A page whose name resolves to this machine sees nothing`(host: String?) {
        #expect(open.verdict(needing: .metrics, host: host, authorization: nil) == .misdirected)
        #expect(open.verdict(needing: nil, host: host, authorization: nil) == .admitted(nil))
    }

    @Test func `With a token, whoever sends it is admitted, under whatever name`() {
        for field in [
            "Bearer \(Self.secret)", "bearer  \(Self.secret)", basic("me:\(Self.secret)"), basic(":\(Self.secret)"),
        ] {
            let verdict = closed.verdict(needing: .admin, host: "films.example", authorization: field)
            #expect(verdict == .admitted(operatorOnly), "\(field)")
        }
    }

    @Test(arguments: [
        nil, "", "Bearer", "Bearer ", "Bearer 0123456789abcde", "Bearer 0123456789abcdefg", "0123456789abcdef",
        "Digest 0123456789abcdef", "Basic 0123456789abcdef", "Basic !", "Bearer 0123456789ABCDEF",
    ])
    func `Anything else is not`(field: String?) {
        #expect(closed.verdict(needing: .metrics, host: "localhost", authorization: field) == .unauthorised)
        #expect(closed.verdict(needing: nil, host: nil, authorization: field) == .admitted(nil), "such as /live")
    }

    @Test func `A password of another kind than the token is none`() {
        #expect(
            closed.verdict(needing: .metrics, host: nil, authorization: basic(Self.secret)) == .unauthorised)
        #expect(
            closed.verdict(needing: .metrics, host: nil, authorization: basic("\(Self.secret):x")) == .unauthorised)
    }

    @Test(arguments: ["", "short", "fifteen letters", "with a space in it", "with\u{7}a bell in it!", "ümläuteümläute"])
    func `A token is visible characters, and enough of them`(text: String) { #expect(AdminToken(text) == nil) }

    @Test func `What a file has around a token doesn't count`() throws {
        #expect(try #require(AdminToken("  \(Self.secret)\r\n")).matches(Self.secret))
        #expect(AdminToken(String(repeating: "a", count: 1_025)) == nil)
    }

    @Test func `A token is good for its role and those before it`() throws {
        let names: [AdminRole] = [.metrics, .read, .admin]
        let tokens = try names.map { role in
            try #require(AdminToken("\(role)-\(Self.secret)", name: "of-\(role)", role: role))
        }
        let gate = AdminGate(tokens: tokens)
        for role in names {
            let caller = AdminCaller(name: "of-\(role)", role: role)
            for needed in names {
                let verdict = gate.verdict(
                    needing: needed, host: nil, authorization: "Bearer \(role)-\(Self.secret)")
                #expect(verdict == (role >= needed ? .admitted(caller) : .forbidden(caller)), "\(role), \(needed)")
            }
        }
        #expect(gate.verdict(needing: .metrics, host: "localhost", authorization: nil) == .unauthorised)
    }
}

import Foundation
import Testing

@testable import MarqueeAdmin

struct AdminGateTests {
    private static let secret = "0123456789abcdef"
    private let open = AdminGate(token: nil)
    private let closed = AdminGate(token: AdminToken(secret))

    private func basic(_ pair: String) -> String { "Basic \(Data(pair.utf8).base64EncodedString())" }

    @Test(arguments: ["localhost", "localhost:7421", "127.0.0.1:7421", "127.8.8.8", "[::1]:7421", "LOCALHOST:1"])
    func `Without a token, requests for this machine are admitted`(host: String) {
        #expect(open.verdict(isOpen: false, host: host, authorization: nil) == .admitted)
    }

    @Test(arguments: [
        nil, "", "films.example", "films.example:7421", "127.0.0.1.films.example", "localhost.films.example:80",
        "127.0.0.1.1", "127.0.0.256", "[::2]:1", "[::1", "10.0.0.1",
    ])
    func `A page whose name resolves to this machine sees nothing`(host: String?) {
        #expect(open.verdict(isOpen: false, host: host, authorization: nil) == .misdirected)
        #expect(open.verdict(isOpen: true, host: host, authorization: nil) == .admitted)
    }

    @Test func `With a token, whoever sends it is admitted, under whatever name`() {
        for field in [
            "Bearer \(Self.secret)", "bearer  \(Self.secret)", basic("me:\(Self.secret)"), basic(":\(Self.secret)"),
        ] {
            #expect(closed.verdict(isOpen: false, host: "films.example", authorization: field) == .admitted, "\(field)")
        }
    }

    @Test(arguments: [
        nil, "", "Bearer", "Bearer ", "Bearer 0123456789abcde", "Bearer 0123456789abcdefg", "0123456789abcdef",
        "Digest 0123456789abcdef", "Basic 0123456789abcdef", "Basic !", "Bearer 0123456789ABCDEF",
    ])
    func `Anything else is not`(field: String?) {
        #expect(closed.verdict(isOpen: false, host: "localhost", authorization: field) == .unauthorised)
        #expect(closed.verdict(isOpen: true, host: nil, authorization: field) == .admitted, "such as /live")
    }

    @Test func `A password of another kind than the token is none`() {
        #expect(
            closed.verdict(isOpen: false, host: nil, authorization: basic(Self.secret)) == .unauthorised)
        #expect(
            closed.verdict(isOpen: false, host: nil, authorization: basic("\(Self.secret):x")) == .unauthorised)
    }

    @Test(arguments: ["", "short", "fifteen letters", "with a space in it", "with\u{7}a bell in it!", "ümläuteümläute"])
    func `A token is visible characters, and enough of them`(text: String) { #expect(AdminToken(text) == nil) }

    @Test func `What a file has around a token doesn't count`() throws {
        #expect(try #require(AdminToken("  \(Self.secret)\r\n")).matches(Self.secret))
        #expect(AdminToken(String(repeating: "a", count: 1_025)) == nil)
    }
}

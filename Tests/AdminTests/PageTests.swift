import Testing

@testable import MarqueeAdmin
@testable import MarqueeServer

struct PageTests {
    private func query(_ parameters: [String: String]) throws(PageQuery.Mistake) -> PageQuery {
        try PageQuery { parameters[$0] }
    }

    @Test func `A page has so many rows, from an offset on`() throws {
        #expect(try query([:]) == PageQuery(offset: 0, limit: 50))
        let page = try query(["limit": "2", "offset": "3", "sort": "sent"])
        #expect(page == PageQuery(offset: 3, limit: 2, sort: "sent"))
        #expect(page.rows(of: Array(0..<10)) == [3, 4])
        #expect(page.rows(of: [1]).isEmpty)
    }

    @Test(arguments: [
        ["limit": "0"], ["limit": "501"], ["limit": "-1"], ["limit": "many"], ["limit": ""], ["offset": "-1"],
        ["offset": "99999999999999999999"], ["offset": "1.5"],
    ])
    func `Pages are bounded`(parameters: [String: String]) {
        #expect(throws: PageQuery.Mistake.self) { try query(parameters) }
    }

    private static var figures: ServerFigures {
        var figures = ServerFigures()
        for (number, lag) in [(1, 0), (2, 500), (3, 9_000), (4, 0)] {
            var load = SessionLoad()
            load.sentBytes = UInt64(number * 100)
            load.acknowledgedBytes = number == 4 ? 0 : load.sentBytes
            var report = SessionReport(
                connection: UInt64(number), state: .live, user: nil, address: "10.0.0.\(number):1", age: 1_000,
                load: load)
            report.lag = UInt64(lag)
            figures.sessions.append(report)
        }
        return figures
    }

    @Test func `The slowest clients come first, then those that have the most to acknowledge`() throws {
        let page = try SessionPage(Self.figures, PageQuery(limit: 3))
        #expect(page.sessions.map(\.connection) == [3, 2, 4])
        #expect(page.sessions.map(\.lagSeconds) == [9, 0.5, 0])
        #expect(page.total == 4)
        #expect(try SessionPage(Self.figures, PageQuery(sort: "sent")).sessions.map(\.connection) == [4, 3, 2, 1])
        #expect(throws: PageQuery.Mistake.self) { try SessionPage(Self.figures, PageQuery(sort: "nonsense")) }
    }

    @Test func `The page runs nothing but its own script, and asks nobody else`() {
        let (html, policy) = AdminPage.document()
        let nonces = html.matches(of: /nonce="([^"]+)"/).map { String($0.1) }
        #expect(nonces.count == 2 && Set(nonces).count == 1)
        #expect(policy.contains("script-src 'nonce-\(nonces[0])'") && policy.contains("default-src 'none'"))
        #expect(!html.contains("%NONCE%") && !html.contains("http://") && !html.contains("https://"))
        #expect(!html.contains("innerHTML"), "text goes in as text")
        #expect(AdminPage.document().policy != policy, "a nonce is used once")
    }
}

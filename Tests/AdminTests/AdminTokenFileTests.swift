import Testing

@testable import MarqueeAdmin

@Suite struct AdminTokenFileTests {
    private static let secret = "0123456789abcdef"
    /// The SHA-256 of `secret`.
    private static let hash = "sha256:9f9f5111f7b27a781f1f1ddde5ebc2dd2b796bfc7365c9c28b548e564176929f"

    private func mistake(_ text: String) throws -> AdminTokenFile.Mistake {
        try #require(throws: AdminTokenFile.Mistake.self) { try AdminTokenFile.tokens(text) }
    }

    @Test func `A line is a name, a role, and a token or its hash`() throws {
        let text = """
            # for the scraper
            prometheus   metrics  \(Self.hash)\r
            \tana read aaaaaaaaaaaaaaaa

              # on call
            jo admin bbbbbbbbbbbbbbbb
            """
        let tokens = try AdminTokenFile.tokens(text)
        #expect(tokens.map(\.caller.name) == ["prometheus", "ana", "jo"])
        #expect(tokens.map(\.caller.role) == [.metrics, .read, .admin])
        #expect(tokens[0].matches(Self.secret) && !tokens[0].matches(Self.hash))
        #expect(tokens[1].matches("aaaaaaaaaaaaaaaa") && !tokens[1].matches(Self.secret))
    }

    @Test(arguments: [
        "\nana metrcs aaaaaaaaaaaaaaaa", "\nana Admin aaaaaaaaaaaaaaaa", "\nana aaaaaaaaaaaaaaaa",
        "\nana aaaaaaaaaaaaaaaa admin", "\nana admin aaaaaaaaaaaaaaaa expires", "\nana admin short",
        "\nana admin sha256:9f9f", "\nana admin sha256:\(String(repeating: "g", count: 64))",
        "ana read aaaaaaaaaaaaaaaa\nana admin bbbbbbbbbbbbbbbb", "ana read aaaaaaaaaaaaaaaa\njo admin aaaaaaaaaaaaaaaa",
    ])
    func `What isn't understood refuses the whole file, by the line and without a token`(text: String) throws {
        let mistake = try mistake(text)
        #expect(mistake.line == 2)
        #expect(!mistake.description.contains("aaaaaaaa") && !mistake.description.contains("9f9f"))
    }

    @Test func `A misspelt role is told from the one that was meant`() throws {
        #expect(try mistake("ana metrcs aaaaaaaaaaaaaaaa").reason.contains("did you mean 'metrics'?"))
    }

    @Test(arguments: ["", "\n\n", "# nothing\n"])
    func `A file without a token is none`(text: String) throws { #expect(try mistake(text).line == nil) }

    @Test func `The same token as text and as its hash is the same`() throws {
        #expect(try mistake("a read \(Self.secret)\nb admin \(Self.hash)").reason.contains("the same token"))
    }
}

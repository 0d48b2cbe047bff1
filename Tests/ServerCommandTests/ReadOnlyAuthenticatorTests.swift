import MarqueeModel
import MarqueeServer
import Testing

@testable import marquee_server

struct ReadOnlyAuthenticatorTests {
    @Test func `An anonymous client may read but not write`() async throws {
        let identity = try await ReadOnlyAuthenticator().authenticate(Credentials(user: nil, token: nil))
        #expect(identity == Identity(user: nil, scopes: .readOnly))
    }

    @Test func `A named user is permanently refused, whatever the token`() async throws {
        let status = try await #require(throws: Status.self) {
            try await ReadOnlyAuthenticator().authenticate(Credentials(user: "ada", token: "secret"))
        }
        #expect(status.code == .unauthenticated)
        #expect(status.remedy == .fatal)
    }
}

import MarqueeClient
import MarqueeModel
import Testing

@testable import marquee

struct ServerAbsenceTests {
    private let server = ServerAddress(host: "films.example", port: 7420)
    private let keys = ClientError(
        Status(
            .unavailable, reason: "KEYS_UNAVAILABLE", remedy: .retryOther,
            message: "the server can't check the token now"))

    @Test func `a server that gives a reason was reached, and its own words are shown`() {
        for error in [keys, ClientError(.unavailable, "it may have been restored", cause: keys)] {
            #expect(
                server.absence(error, then: ", trying again")
                    == "films.example:7420 turns this client away for now, trying again: the server can't check the token now"
            )
        }
    }

    @Test(arguments: [ClientError.Code.tokenRefused, .tokenUnavailable])
    func `a client without a token that is taken isn't connected, and its server may well be reached`(
        code: ClientError.Code
    ) {
        let error = ClientError(code, "the server refused the app's token")
        #expect(
            server.absence(error, then: ", trying again")
                == "not connected to films.example:7420, trying again: the server refused the app's token")
    }

    @Test func `a server that doesn't answer can't be reached`() {
        let error = ClientError(.unavailable, "connection refused")
        #expect(server.absence(error) == "can't reach films.example:7420: connection refused")
    }
}

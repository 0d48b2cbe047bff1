import MarqueeTLS
import Testing

@Suite struct ServerPublicKeyTests {
    private static let key = "-----BEGIN PUBLIC KEY-----\nAAEC\nAwQF\n-----END PUBLIC KEY-----\n"

    @Test func `Keys are read one after the other, with words between them`() throws {
        let text = "the old one\n" + Self.key + "the next one\r\n" + Self.key.replacing("AAEC", with: "  BwgJ ")
        let keys = try ServerPublicKey.keys(pem: text)
        #expect(keys.map(\.bytes) == [[0, 1, 2, 3, 4, 5], [7, 8, 9, 3, 4, 5]])
    }

    @Test(arguments: [
        ("", "no public key"), ("AAEC", "no public key"),
        ("-----BEGIN CERTIFICATE-----\nAAEC\n-----END CERTIFICATE-----\n", "BEGIN CERTIFICATE"),
        ("-----BEGIN PUBLIC KEY-----\nAAEC\n", "no end"),
        ("-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----\n", "isn't Base64"),
        ("-----BEGIN PUBLIC KEY-----\nA*EC\n-----END PUBLIC KEY-----\n", "isn't Base64"),
        (String(repeating: "\n", count: ServerPublicKey.maximumBytes + 1), "more than"),
    ])
    func `Anything else is refused in words`(text: String, reason: String) {
        #expect { try ServerPublicKey.keys(pem: text) } throws: { "\($0)".contains(reason) }
    }
}

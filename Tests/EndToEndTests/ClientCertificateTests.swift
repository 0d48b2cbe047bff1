import Foundation
@_spi(Admin) import MarqueeClient
import MarqueeModel
import MarqueeServer
import Synchronization
import Testing

@testable import MarqueeAccess
@testable import MarqueeTLS

/// Connections that last as long as their client's certificate.
@Suite struct ClientCertificateTests {
    /// A clock that a test moves.
    private final class Clock: Sendable {
        private let ahead = Mutex(TimeInterval(0))
        func move(by seconds: TimeInterval) { ahead.withLock { $0 += seconds } }
        var now: @Sendable () -> Date { { Date(timeIntervalSinceNow: self.ahead.withLock { $0 }) } }
    }

    private static func security(_ certificates: TestCertificates) -> TransportSecurity {
        let files = CertificateFiles(chain: certificates.path("client.pem"), key: certificates.path("client.key"))
        return .tls(TLSOptions(authorities: certificates.path("ca.pem"), certificate: files))
    }

    /// Waits until the client says why it isn't connected.
    private static func waits(_ events: ClientSequence<ClientEvent, Never>, for words: String) async {
        for await event in events {
            if case .state(.waiting(let why, _)) = event, why.message.contains(words) { return }
        }
        Issue.record("the client has ended without '\(words)'")
    }

    @Test func `A connection ends with its certificate, and the client comes back with the next in the same file`()
        async throws
    {
        let certificates = try TestCertificates(days: 30)
        try certificates.issue("client", ends: 86_400)
        let clock = Clock()
        let harness = try await Harness(tls: TLSServer(certificates.server(asksClients: true), now: clock.now))
        let client = try harness.client(user: "ana", security: Self.security(certificates))
        let events = client.events
        #expect(try await client.health().state == "serving")
        clock.move(by: 86_401)
        await Self.waits(events, for: "the client's certificate has expired or was revoked")
        try certificates.issue("client", ends: 5 * 86_400)
        #expect(try await client.health().state == "serving")
        await harness.stop()
    }

    @Test func `A certificate that ends before a token ends the connection, and the client is told when`() async throws
    {
        let certificates = try TestCertificates()
        try certificates.issue("client", ends: 1_000)
        let (token, hash) = Token.make()
        var file = TokenFile()
        try file.add(TokenFile.Entry(name: "a", user: "ana", hash: hash, scopes: .everything, expires: nil))
        let clock = Clock()
        let harness = try await Harness(
            authenticator: AccessAuthenticator(TokenRegister(file), anonymous: nil),
            tls: TLSServer(certificates.server(asksClients: true), now: clock.now))
        let client = try harness.client(user: "ana", security: Self.security(certificates), token: token)
        let events = client.events
        #expect(try await client.health().state == "serving")
        clock.move(by: 1_001)
        await Self.waits(events, for: "certificate has expired")
        await harness.stop()
    }

    @Test func `A revoked certificate ends its connections and is refused from then on`() async throws {
        let certificates = try TestCertificates()
        try certificates.writeList()
        let lists = try RevocationLists(certificates.path("crl.pem"), authorities: certificates.path("ca.pem"))
        let harness = try await Harness(tls: TLSServer(certificates.server(asksClients: true), revoked: lists))
        let client = try harness.client(security: Self.security(certificates))
        let events = client.events
        #expect(try await client.health().state == "serving")
        try certificates.revoke("client")
        try certificates.writeList()
        #expect(try lists.reload() == 1)
        await Self.waits(events, for: "certificate has expired or was revoked")
        await Self.waits(events, for: "closed")
        // Another certificate for the same name isn't.
        try certificates.issue("client", ends: 86_400)
        #expect(try await client.health().state == "serving")
        await harness.stop()
    }

    @Test func `With listed certificates only, one that isn't listed gets nothing, whatever token comes with it`()
        async throws
    {
        let certificates = try TestCertificates()
        let (token, hash) = Token.make()
        var tokens = TokenFile()
        try tokens.add(TokenFile.Entry(name: "a", user: "ana", hash: hash, scopes: .everything, expires: nil))
        var both = try TokenFile(text: "certificates: [{name: app, subject: publisher, scopes: [read *]}]")
        try both.add(TokenFile.Entry(name: "a", user: "ana", hash: hash, scopes: .everything, expires: nil))
        let register = TokenRegister(both)
        let harness = try await Harness(
            authenticator: AccessAuthenticator(register, anonymous: .readOnly, wantsListed: true),
            tls: TLSServer(certificates.server(asksClients: true)))
        let listed = try harness.client(user: "ana", security: Self.security(certificates), token: token)
        let events = listed.events
        #expect(try await listed.health().state == "serving")
        register.replace(by: tokens)
        await Self.waits(events, for: "ended or was revoked")
        let nobody = try harness.client(security: Self.security(certificates))
        let error = await #expect(throws: ClientError.self) { try await nobody.health() }
        #expect(error?.status?.reason == "CERTIFICATE_REFUSED")
        await harness.stop()
    }

    // MARK: - Lists

    private static func id(_ certificates: TestCertificates, _ name: String = "client") throws -> CertificateID {
        let certificate = try #require(try PEMFile.certificates(certificates.path("\(name).pem")).first)
        return try #require(CertificateID(der: certificate.toDERBytes()))
    }

    @Test func `A list is good until the next one is due, and for its own authority`() throws {
        let (certificates, others) = (try TestCertificates(), try TestCertificates())
        try certificates.revoke("server")
        try certificates.writeList(ends: 1_000)
        let clock = Clock()
        let lists = try RevocationLists(
            certificates.path("crl.pem"), authorities: certificates.path("ca.pem"), now: clock.now)
        #expect(try lists.refusal(of: Self.id(certificates)) == nil)
        #expect(try lists.refusal(of: Self.id(certificates, "server")) == "is revoked")
        #expect(try lists.contains(Self.id(certificates, "server")))
        clock.move(by: 1_001)
        #expect(try lists.refusal(of: Self.id(certificates))?.contains("ended at") == true)
        #expect(throws: RevocationProblem.self) { try lists.reload() }
        #expect(try lists.contains(Self.id(certificates, "server")), "what was in force stays")
        #expect(try #require(lists.ends) < clock.now())

        let foreign = #expect(throws: RevocationProblem.self) {
            try RevocationLists(certificates.path("crl.pem"), authorities: others.path("ca.pem"))
        }
        #expect(foreign?.description.contains("not signed by an authority") == true)
        let noList = #expect(throws: RevocationProblem.self) {
            try RevocationLists(certificates.path("ca.pem"), authorities: certificates.path("ca.pem"))
        }
        #expect(noList?.description.contains("BEGIN CERTIFICATE") == true)
    }

    /// All authorities of `certs.sh` have the same name, and a key of their own.
    @Test func `A certificate of an authority without a list is refused`() throws {
        let certificates = try TestCertificates()
        try certificates.writeList()
        let lists = try RevocationLists(certificates.path("crl.pem"), authorities: certificates.path("ca.pem"))
        let other = CertificateID(issuer: [0x30, 0x00], serial: [1])
        #expect(lists.refusal(of: other)?.contains("no list of its authority") == true)
        #expect(!lists.contains(other), "those who are there stay")
    }

    @Test func `A damaged list is refused and never read beyond its end`() throws {
        let certificates = try TestCertificates()
        try certificates.revoke("client")
        try certificates.writeList()
        let text = try String(contentsOfFile: certificates.path("crl.pem"), encoding: .utf8)
        let base64 = text.split(separator: "\n").filter { !$0.hasPrefix("-") }.joined()
        let der = Array(try #require(Data(base64Encoded: base64)))
        let authority = try #require(try PEMFile.certificates(certificates.path("ca.pem")).first?.toDERBytes())
        #expect(try RevocationList.read(Data(der)).first?.isSigned(by: authority) == true)
        for count in der.indices {
            #expect(throws: RevocationProblem.self) { try RevocationList(der: Array(der.prefix(count))) }
        }
        for place in der.indices {
            var damaged = der
            damaged[place] ^= 0x41
            #expect((try? RevocationList(der: damaged))?.isSigned(by: authority) != true, "byte \(place)")
        }
    }

    // MARK: - The server's own

    @Test func `A server's certificate that has expired, or isn't valid yet, is not put in force`() throws {
        let certificates = try TestCertificates()
        try certificates.issue("server", ends: 86_400)
        let tls = try TLSServer(certificates.server())
        let ends = tls.ends
        #expect(abs(ends.timeIntervalSinceNow - 86_400) < 3_600)
        for (begins, end, words) in [(-7_200.0, -3_600.0, "renew it"), (3_600.0, 7_200.0, "not valid before")] {
            try certificates.issue("server", begins: begins, ends: end)
            for attempt in [{ _ = try TLSServer(certificates.server()) }, { try tls.reload() }] {
                let problem = #expect(throws: TLSProblem.self) { try attempt() }
                #expect(problem?.description.contains(words) == true, "\(problem?.description ?? "")")
            }
            #expect(tls.ends == ends, "the previous one stays")
        }
        try certificates.issue("server", ends: 10 * 86_400)
        try tls.reload()
        #expect(tls.ends > ends)
    }
}

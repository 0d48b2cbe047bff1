import Foundation
import MarqueeAccess
@_spi(Admin) import MarqueeClient
import MarqueeHTTP
import MarqueeModel
import MarqueePublisher
import MarqueeServer
import MarqueeTLS
import NIOCore
import Synchronization
import Testing

/// Real connections with TLS, with certificates that `Samples/certs.sh` makes.
@Suite struct TLSTests {
    @Test func `Screens, favorites and publications go through TLS`() async throws {
        let certificates = try TestCertificates()
        let harness = try await Harness(tls: TLSServer(certificates.server()))
        let client = try harness.client(user: "ana", security: certificates.trusting())
        var updates = client.screen(.home).makeAsyncIterator()
        let shown = try await updates.first { $0.origin == .live }
        #expect(!shown.screen.sections.isEmpty)
        try await client.setFavorite(true, for: "movie/1")
        let tls = try TLSClient(TLSOptions(authorities: certificates.path("ca.pem")), host: "127.0.0.1")
        let port = harness.server.summary.port
        let receipt = try await blocking {
            let publisher = MarqueePublisher.Publisher(
                host: "127.0.0.1", port: port, tls: tls, agent: "test", shouldContinue: { true })
            return try publisher.publish([Array(Harness.update(680, #""popularity": 1.5"#).utf8)], key: "k")
        }
        #expect(receipt.isNew)
        _ = try await updates.first { $0.status.revision.catalogueRevision >= receipt.revision }
        await harness.stop()
    }

    @Test func `The web door has the same certificate, and tokens are shown there as in hello`() async throws {
        let certificates = try TestCertificates()
        let folder = FileManager.default.temporaryDirectory.appending(path: "marquee-web-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (tokens, token) = (folder.appending(path: "tokens.yaml"), folder.appending(path: "ana.token"))
        let making = try RunningProcess(
            "marquee-server",
            [
                "token", "new", "ana", "--file", tokens.path, "--user", "ana", "--scope", "read *", "--output",
                token.path,
            ], in: folder)
        #expect(try await making.ended() == 0)
        let server = try ServerProcess(
            in: folder,
            options: [
                "--web", "127.0.0.1:0", "--tls-cert", certificates.path("server.pem"), "--tls-key",
                certificates.path("server.key"), "--tokens", tokens.path, "--no-anonymous",
            ], isOpen: false)
        try await server.start()
        let line = try #require(try await server.running?.line(with: "web on https://"))
        let screen = try HTTPAddress("\(line.dropFirst("web on ".count))/v1/screens/home")
        let client = HTTPClient(
            maximumBytes: 1 << 20, timeout: .seconds(300), authorities: certificates.path("ca.pem"))
        let other = try await client.send(.GET, screen)
        #expect(other.status == .unauthorized)
        #expect(other.text.contains("TOKEN_NEEDED"))
        let secret = try String(contentsOf: token, encoding: .utf8).split(separator: "\n").first ?? ""
        let answer = try await client.send(.GET, screen, headers: ["Authorization": "Bearer \(secret)"])
        #expect(answer.status == .ok)
        #expect(answer.headers["cache-control"] == ["private, no-cache"])
        let publishing = try await client.send(
            .PUT, HTTPAddress(screen.description.replacing("screens/home", with: "records/movie/1")),
            headers: ["Authorization": "Bearer \(secret)", "Content-Type": "application/json"],
            body: ByteBuffer(string: "{}"))
        #expect(publishing.status == .forbidden)
        #expect(try await server.stop() == 0)
    }

    @Test func `An import leaves a server with TLS in an orderly way`() async throws {
        let certificates = try TestCertificates()
        let folder = FileManager.default.temporaryDirectory.appending(path: "marquee-tls-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try ServerProcess(
            in: folder,
            options: [
                "--tls-cert", certificates.path("server.pem"), "--tls-key", certificates.path("server.key"),
                "--log-level", "info",
            ])
        try await server.start()
        let changes = folder.appending(path: "changes.ndjson")
        try Harness.update(680, #""popularity": 1.5"#).write(to: changes, atomically: true, encoding: .utf8)
        let importer = try RunningProcess(
            "marquee-server",
            [
                "import", "ndjson", changes.path, "--to", server.address, "--tls", "--tls-ca",
                certificates.path("ca.pem"),
            ], in: folder)
        #expect(try await importer.ended() == 0)
        try await eventually("that the end is logged") { server.log.contains("a connection ended") }
        #expect(server.log.contains("CLIENT_LEFT") && !server.log.contains("CONNECTION_LOST"))
        #expect(try await server.stop() == 0)
    }

    /// A mistake in the setup, and the reason that the client gives.
    enum Mistake: CaseIterable, Sendable {
        case otherName, otherAuthority, otherKey, expired, noTLS, noCertificate

        var reason: String {
            switch self {
            case .otherName: "not for this name"
            case .otherAuthority, .expired: "trusted authority"
            case .otherKey: "none of the public keys"
            case .noTLS: "doesn't speak TLS"
            case .noCertificate: "client certificate"
            }
        }
    }

    @Test(arguments: Mistake.allCases)
    func `A client says why it doesn't connect, and sends nothing`(mistake: Mistake) async throws {
        let certificates = try TestCertificates()
        let others = try TestCertificates()
        var server: TLSServer?
        var security = certificates.trusting()
        switch mistake {
        case .otherName:
            server = try TLSServer(certificates.server())
            security = certificates.trusting(name: "films.example")
        case .otherAuthority:
            server = try TLSServer(certificates.server())
            security = others.trusting()
        case .otherKey:
            server = try TLSServer(certificates.server())
            security = try certificates.trusting(publicKeys: others.publicKeys())
        case .expired:
            // It was good when the server put it in force.
            try certificates.issue("server", begins: -7_200, ends: -3_600)
            server = try TLSServer(certificates.server(), now: { Date(timeIntervalSinceNow: -5_400) })
        case .noTLS: server = nil
        case .noCertificate: server = try TLSServer(certificates.server(asksClients: true))
        }
        let seen = SeenTokens()
        let harness = try await Harness(authenticator: seen, tls: server)
        let client = try harness.client(security: security, token: "secret")
        let events = client.events
        let task = Task { for try await _ in client.screen(.home) {} }
        var reason = ""
        for await event in events {
            if case .state(.waiting(let why, _)) = event {
                reason = why.message
                break
            }
        }
        #expect(reason.contains(mistake.reason), "\(reason)")
        #expect(seen.count == 0)
        task.cancel()
        await harness.stop()
    }

    @Test func `A client without TLS gets nothing from a server with it`() async throws {
        let certificates = try TestCertificates()
        let seen = SeenTokens()
        let harness = try await Harness(authenticator: seen, tls: TLSServer(certificates.server()))
        let client = try harness.client(security: .unencrypted, token: "secret")
        let events = client.events
        let task = Task { for try await _ in client.screen(.home) {} }
        for await event in events { if case .state(.waiting) = event { break } }
        #expect(seen.count == 0)
        task.cancel()
        await harness.stop()
    }

    @Test func `A client that knows the server's key among others connects`() async throws {
        let certificates = try TestCertificates()
        let others = try TestCertificates()
        let harness = try await Harness(tls: TLSServer(certificates.server()))
        let keys = try certificates.publicKeys().union(others.publicKeys())
        let client = try harness.client(security: certificates.trusting(publicKeys: keys))
        #expect(try await client.health().state == "serving")
        await harness.stop()
    }

    @Test func `A client certificate admits its client`() async throws {
        let certificates = try TestCertificates()
        let harness = try await Harness(tls: TLSServer(certificates.server(asksClients: true)))
        let files = CertificateFiles(chain: certificates.path("client.pem"), key: certificates.path("client.key"))
        let client = try harness.client(
            security: .tls(TLSOptions(authorities: certificates.path("ca.pem"), certificate: files)))
        #expect(try await client.health().state == "serving")
        await harness.stop()
    }

    /// As a ticket would bring it: verified before, and expired since.
    @Test func `A client certificate that has expired since it was verified lets nobody in`() async throws {
        let certificates = try TestCertificates(days: 1)
        let seen = SeenTokens()
        // A server doesn't start with a certificate that has expired, so the days pass when it has.
        let days = Mutex(0.0)
        let now: @Sendable () -> Date = { Date(timeIntervalSinceNow: days.withLock { $0 } * 86_400) }
        let harness = try await Harness(
            authenticator: seen, tls: TLSServer(certificates.server(asksClients: true), now: now))
        days.withLock { $0 = 2 }
        let files = CertificateFiles(chain: certificates.path("client.pem"), key: certificates.path("client.key"))
        let client = try harness.client(
            security: .tls(TLSOptions(authorities: certificates.path("ca.pem"), certificate: files)), token: "secret")
        let events = client.events
        let task = Task { for try await _ in client.screen(.home) {} }
        loop: for await event in events {
            switch event {
            case .state(.connected), .state(.waiting): break loop
            default: continue
            }
        }
        #expect(seen.count == 0)
        task.cancel()
        await harness.stop()
    }

    @Test func `A client certificate is an identity, with its scopes, until the list lacks it`() async throws {
        let certificates = try TestCertificates()
        let file = try TokenFile(
            text: "certificates: [{name: app, subject: publisher, user: ana, scopes: [read home, favorites]}]")
        let register = TokenRegister(file)
        let harness = try await Harness(
            authenticator: AccessAuthenticator(register, anonymous: nil),
            tls: TLSServer(certificates.server(asksClients: true)))
        let files = CertificateFiles(chain: certificates.path("client.pem"), key: certificates.path("client.key"))
        let client = try harness.client(
            user: "ana", security: .tls(TLSOptions(authorities: certificates.path("ca.pem"), certificate: files)))
        try await client.setFavorite(true, for: "movie/1")
        let refused = await #expect(throws: ClientError.self) { try await client.fetchScreen(ScreenID("detail/1")) }
        #expect(refused?.status?.reason == "UNKNOWN_SCREEN")
        let events = client.events
        register.replace(by: TokenFile())
        for await event in events {
            if case .state(.failed(let error)) = event {
                #expect(error.status?.reason == "TOKEN_ENDED")
                break
            }
        }
        await harness.stop()
    }

    @Test func `A new certificate is for new connections; open ones stay`() async throws {
        let (old, new) = (try TestCertificates(), try TestCertificates())
        let tls = try TLSServer(old.server())
        let harness = try await Harness(tls: tls)
        let before = try harness.client(security: old.trusting())
        #expect(try await before.health().state == "serving")
        for name in ["server.pem", "server.key"] {
            try FileManager.default.removeItem(atPath: old.path(name))
            try FileManager.default.copyItem(atPath: new.path(name), toPath: old.path(name))
        }
        try tls.reload()
        let after = try harness.client(security: new.trusting())
        #expect(try await after.health().state == "serving")
        #expect(try await before.health().sessions == 2, "over the connection that it had")
        // A broken file changes nothing.
        try Data("nonsense".utf8).write(to: URL(filePath: old.path("server.pem")))
        #expect(throws: TLSProblem.self) { try tls.reload() }
        let third = try harness.client(security: new.trusting())
        #expect(try await third.health().state == "serving")
        await harness.stop()
    }

    @Test func `A key that isn't the certificate's is refused`() throws {
        let (one, other) = (try TestCertificates(), try TestCertificates())
        let files = CertificateFiles(chain: one.path("server.pem"), key: other.path("server.key"))
        let problem = #expect(throws: TLSProblem.self) { try TLSServer(TLSServer.Files(certificate: files)) }
        #expect(problem?.description.contains("server.key") == true)
    }

    @Test(arguments: [
        ("127.0.0.1", false), ("localhost", false), ("::1", false), ("films.example", true), ("10.0.0.1", true),
    ])
    func `Plain TCP is for this machine alone, unless it is asked for`(host: String, isTLS: Bool) {
        #expect((ClientConfiguration(host: host).security == .tls) == isTLS)
        #expect(ClientConfiguration(host: host, security: .unencrypted).security == .unencrypted)
    }
}

/// A folder of certificates by an authority of their own.
final class TestCertificates: Sendable {
    private let folder: URL

    /// - Parameter days: how long they are valid.
    init(days: Int = 1) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "marquee-certs-\(UUID().uuidString)")
        let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Samples/certs.sh")
        let process = Process()
        process.executableURL = script
        process.arguments = [folder.path]
        process.environment = ProcessInfo.processInfo.environment.merging(["DAYS": "\(days)"]) { $1 }
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "\(script.path) failed; is openssl installed?")
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func path(_ name: String) -> String { folder.appending(path: name).path }

    func server(asksClients: Bool = false) -> TLSServer.Files {
        TLSServer.Files(
            certificate: CertificateFiles(chain: path("server.pem"), key: path("server.key")),
            clientAuthorities: asksClients ? path("ca.pem") : nil)
    }

    func trusting(name: String? = nil, publicKeys: Set<ServerPublicKey> = []) -> TransportSecurity {
        .tls(TLSOptions(authorities: path("ca.pem"), serverName: name, publicKeys: publicKeys))
    }

    /// The server's key, as the documentation says to print it.
    func publicKeys() throws -> Set<ServerPublicKey> {
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["openssl", "x509", "-in", path("server.pem"), "-pubkey", "-noout"]
        process.standardOutput = output
        try process.run()
        let printed = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Set(try ServerPublicKey.keys(pem: String(decoding: printed, as: UTF8.self)))
    }
}

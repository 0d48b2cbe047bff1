import Foundation
import MarqueeAdmin
import Testing

/// An address for operators with roles and TLS, and the commands that ask it.
@Suite(.timeLimit(.minutes(10)), .serialized)
struct AdminRoleTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "marquee-roles-\(UUID().uuidString)")
    private let scraper = "scraper-0123456789"
    private let viewer = "viewer-0123456789"
    private let boss = "boss-0123456789abc"

    /// Writes a file beside the server's data.
    private func write(_ name: String, _ text: String) throws -> String {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appending(path: name)
        try text.write(to: file, atomically: true, encoding: .utf8)
        return file.path
    }

    private func sessions(
        _ arguments: String..., token: String?, at admin: AdminClient
    ) async throws -> (code: Int32?, output: String, errors: String) {
        let tls = admin.authorities.map { ["--tls-ca", $0] } ?? []
        let process = try RunningProcess(
            "marquee-server", ["sessions"] + arguments + ["--admin", "127.0.0.1:\(admin.port)"] + tls, in: folder,
            variables: token.map { ["MARQUEE_ADMIN_TOKEN=\($0)"] } ?? [])
        return (try await process.ended(), process.output, process.errors)
    }

    @Test func `Over TLS each token does what its role allows, and the log says who changed what`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let certificates = try TestCertificates()
        let tokens = try write(
            "admin.tokens", "prometheus metrics \(scraper)\nana read \(viewer)\njo admin \(boss)\n")
        let server = try ServerProcess(
            in: folder,
            options: [
                "--admin", "127.0.0.1:0", "--admin-tokens", tokens, "--log-level", "error", "--admin-tls-cert",
                certificates.path("server.pem"), "--admin-tls-key", certificates.path("server.key"),
            ])
        try await server.start()
        let authorities = certificates.path("ca.pem")
        func admin(_ token: String?) async throws -> AdminClient {
            try await server.admin(token: token, authorities: authorities)
        }
        let paths = ["/metrics", "/sessions", "/variants", "/log-level", "/", "/nonsense"]
        for (token, statuses) in [
            (nil, [401, 401, 401, 401, 401, 401]), (scraper, [200, 403, 403, 403, 403, 403]),
            (viewer, [200, 200, 200, 200, 200, 404]), (boss, [200, 200, 200, 200, 200, 404]),
        ] as [(String?, [UInt])] {
            let client = try await admin(token)
            for (path, status) in zip(paths, statuses) {
                #expect(try await client.get(path).status == status, "\(token ?? "none") \(path)")
            }
            #expect(try await client.get("/ready").status == 200)
        }
        let plain = AdminClient(port: try await admin(nil).port)
        await #expect(throws: (any Error).self, "without TLS nothing is answered") { try await plain.get("/live") }

        let connection = try await RawConnection.open(port: server.port)
        _ = try await connection.greet(user: "mina")
        for token in [scraper, viewer] {
            let client = try await admin(token)
            #expect(try await client.get("/sessions?user=mina", .DELETE).status == 403)
            #expect(try await client.get("/log-level", .PUT, body: "debug").status == 403)
        }
        let place = try await admin(nil)
        // A server counts its sessions at most once a second.
        try await eventually("that the session is listed") {
            let list = try await sessions("list", token: viewer, at: place)
            return list.code == 0 && list.output.contains("mina") && list.output.contains("1 session")
        }
        let refused = try await sessions("end", "--user", "mina", token: viewer, at: place)
        #expect(refused.code == 77 && refused.errors.contains("the role 'admin'"), "\(refused)")
        #expect(try await sessions("end", "--user", "mina", token: nil, at: place).code == 77)
        let ended = try await sessions("end", "--user", "mina", token: boss, at: place)
        #expect(ended.code == 0 && ended.output == "1 session ended\n", "\(ended)")
        #expect(await connection.closingStatus()?.reason == "SESSION_ENDED")
        #expect(try await admin(boss).get("/log-level", .PUT, body: "error").status == 200)

        let lines = server.log.split(separator: "\n").compactMap {
            try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
        }
        let end = try #require(lines.first { $0["message"] as? String == "an operator ended sessions" })
        #expect(end["operator"] as? String == "jo" && end["role"] as? String == "admin")
        #expect(end["user"] as? String == "mina" && end["ended"] as? Int == 1)
        #expect((end["peer"] as? String)?.hasPrefix("127.0.0.1:") == true)
        let level = try #require(lines.first { $0["message"] as? String == "the log's level is now error" })
        #expect(level["operator"] as? String == "jo")

        _ = try write("admin.tokens", "prometheus metrcs \(scraper)\n")
        server.running?.signal(SIGHUP)
        try await eventually("that the mistake is said; there was \(server.log)") {
            server.log.contains("admin.tokens:1: the second word is a role")
        }
        #expect(try await admin(boss).get("/sessions").status == 200, "the previous tokens stay in force")
        _ = try write("admin.tokens", "jo metrics \(boss)\n")
        server.running?.signal(SIGHUP)
        try await eventually("that a role was taken away") { try await admin(boss).get("/sessions").status == 403 }
        #expect(try await admin(scraper).get("/metrics").status == 401)
        #expect(try await server.stop() == 0)
        for token in [scraper, viewer, boss] { #expect(!server.log.contains(token)) }
    }

    @Test func `The certificate of the address for operators is replaced, and new connections see the new one`()
        async throws
    {
        defer { try? FileManager.default.removeItem(at: folder) }
        let (old, new) = (try TestCertificates(), try TestCertificates())
        let (certificate, key) = (
            try write("admin.pem", try String(contentsOfFile: old.path("server.pem"), encoding: .utf8)),
            try write("admin.key", try String(contentsOfFile: old.path("server.key"), encoding: .utf8))
        )
        let server = try ServerProcess(
            in: folder,
            options: ["--admin", "127.0.0.1:0", "--admin-tls-cert", certificate, "--admin-tls-key", key])
        try await server.start()
        #expect(try await server.admin(authorities: old.path("ca.pem")).get("/live").status == 200)
        _ = try write("admin.pem", try String(contentsOfFile: new.path("server.pem"), encoding: .utf8))
        _ = try write("admin.key", try String(contentsOfFile: new.path("server.key"), encoding: .utf8))
        server.running?.signal(SIGHUP)
        let client = try await server.admin(authorities: new.path("ca.pem"))
        try await eventually("that the new certificate is shown") { (try? await client.get("/live"))?.status == 200 }
        let metrics = try await client.get("/metrics").body
        #expect(metrics.contains("marquee_file_end_timestamp_seconds{file=\"admin-tls\"}"))
        #expect(try await server.stop() == 0)
    }
}

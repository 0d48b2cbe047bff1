import Foundation
import MarqueeAdmin
import Testing

/// A server process as operators see it.
@Suite(.timeLimit(.minutes(10)), .serialized)
struct AdminProcessTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "marquee-admin-\(UUID().uuidString)")

    private func start(_ options: String...) async throws -> ServerProcess {
        let server = try ServerProcess(in: folder, options: ["--admin", "127.0.0.1:0"] + options)
        try await server.start()
        return server
    }

    private func marquee(_ server: ServerProcess, _ arguments: String...) async throws {
        let process = try RunningProcess("marquee", arguments + ["--server", server.address], in: folder)
        #expect(try await process.ended() == 0, "\(process.errors)")
    }

    @Test func `A node is live and ready, and while its clients leave it is live and not ready`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try await start()
        let admin = try await server.admin()
        #expect(try await admin.get("/live").status == 200)
        let ready = try await admin.get("/ready")
        #expect(ready.status == 200, "\(ready.body)")
        #expect(ready.headers.first(name: "Content-Type") == "application/json; charset=utf-8")

        // A client that stays although it is asked to leave.
        let connection = try await RawConnection.open(port: server.port)
        _ = try await connection.greet()
        server.running?.signal(SIGTERM)
        try await eventually("that the node says it drains") {
            let answer = try await admin.get("/ready")
            let state = (answer.object["checks"] as? [String: [String: Any]])?["state"]?["reason"] as? String
            return answer.status == 503 && state == "draining: clients are being asked to leave"
        }
        #expect(try await admin.get("/live").status == 200)
        let metrics = try await admin.get("/metrics")
        #expect(metrics.metric("marquee_state{state=\"draining\"}") == 1)
        #expect(metrics.metric("marquee_connections{state=\"live\"}") == 1)
        #expect(try await server.running?.ended() == 0)
        await #expect(throws: (any Error).self, "nobody listens any more") {
            try await HTTPSocket.open(port: admin.port)
        }
    }

    @Test func `Metrics count what clients do`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try await start()
        let admin = try await server.admin()
        let connection = try await RawConnection.open(port: server.port)
        _ = try await connection.greet(user: "mina")
        try await marquee(server, "get", "home", "--mirror", folder.appending(path: "a.sqlite").path)
        try await marquee(
            server, "favorite", "add", "27205", "--user", "ana", "--mirror", folder.appending(path: "b.sqlite").path)
        // Figures are at most a second old, and ends are noticed a moment later.
        var metrics = try await admin.get("/metrics")
        try await eventually("that both ends are counted") {
            metrics = try await admin.get("/metrics")
            return metrics.metric("marquee_connections_ended_total{reason=\"CLIENT_LEFT\"}") == 2
        }
        #expect(metrics.status == 200)
        #expect(metrics.headers.first(name: "Content-Type") == "text/plain; version=0.0.4; charset=utf-8")
        #expect(metrics.metric("marquee_welcomes_total") == 3)
        #expect(metrics.metric("marquee_sessions") == 1)
        #expect(metrics.metric("marquee_connections_accepted_total") == 3)
        #expect(metrics.metric("marquee_calls_total{method=\"collection\"}") == 1)
        #expect(metrics.metric("marquee_commit_seconds_count{log=\"users\"}") == 1)
        #expect(metrics.metric("marquee_writes_failed_total{log=\"users\"}") == 0)
        #expect(try #require(metrics.metric("process_resident_memory_bytes")) > 1e6)
        for metric in MetricList.all { #expect(metrics.body.contains("# TYPE \(metric.name) "), "\(metric.name)") }

        let sessions = try await admin.get("/sessions?limit=10").object
        let rows = try #require(sessions["sessions"] as? [[String: Any]])
        #expect(rows.map { $0["user"] as? String } == ["mina"])
        #expect(rows.first?["address"] as? String == "127.0.0.1:\(connection.localPort)")
        let variants = try await admin.get("/variants?limit=3").object
        #expect((variants["variants"] as? [Any])?.count == 3)
        #expect(try await admin.get("/sessions?limit=100000").status == 400)
        #expect(try await admin.get("/sessions?sort=nonsense").status == 400)
        #expect(try await admin.get("/sessions", .DELETE).status == 400)
        for (user, ended) in [("ana", 0), ("mina", 1), ("mina", 0)] {
            #expect(try await admin.get("/sessions?user=\(user)", .DELETE).object["ended"] as? Int == ended)
        }
        #expect(try await server.stop() == 0)
    }

    @Test func `With a token, everything but live and ready demands it`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let token = "secret-\(UUID().uuidString)"
        let file = folder.appending(path: "admin.token")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try "\(token)\n".write(to: file, atomically: true, encoding: .utf8)
        let server = try await start("--admin-token-file", file.path, "--log-level", "trace")
        let other = try await server.admin()
        for path in ["/", "/metrics", "/sessions", "/variants", "/log-level", "/nonsense"] {
            let answer = try await other.get(path)
            #expect(answer.status == 401, "\(path)")
            #expect(answer.headers.first(name: "WWW-Authenticate")?.hasPrefix("Bearer") == true)
        }
        #expect(try await other.get("/log-level", .PUT, body: "trace").status == 401)
        for path in ["/live", "/ready"] { #expect(try await other.get(path).status == 200) }
        #expect(try await server.admin(token: "wrong").get("/metrics").status == 401)
        let operatorClient = try await server.admin(token: token)
        for path in ["/", "/metrics", "/sessions", "/variants", "/log-level"] {
            #expect(try await operatorClient.get(path).status == 200, "\(path)")
        }
        try "another-\(token)".write(to: file, atomically: true, encoding: .utf8)
        server.running?.signal(SIGHUP)
        try await eventually("that the other token is in force") {
            try await operatorClient.get("/metrics").status == 401
        }
        #expect(try await server.admin(token: "another-\(token)").get("/metrics").status == 200)
        #expect(try await server.stop() == 0)
        #expect(!server.log.contains(token))
    }

    @Test func `The log's level changes while the server runs, and each of its lines is an object`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try await start()
        let admin = try await server.admin()
        #expect(try await admin.get("/log-level").object["level"] as? String == "notice")
        try await marquee(server, "get", "home", "--mirror", folder.appending(path: "a.sqlite").path)
        #expect(!server.log.contains("a connection ended"))
        #expect(
            try await admin.get("/log-level", .PUT, body: #"{"level":"info"}"#).object["level"] as? String == "info")
        try await marquee(
            server, "favorite", "add", "27205", "--user", "ana", "--mirror", folder.appending(path: "b.sqlite").path)
        var end: [String: Any] = [:]
        try await eventually("a line about the end of ana's connection; there was \(server.log)") {
            for line in server.log.split(separator: "\n") {
                let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
                if object?["user"] as? String == "ana" { end = object ?? [:] }
            }
            return !end.isEmpty
        }
        #expect(end["message"] as? String == "a connection ended")
        #expect(end["level"] as? String == "info")
        #expect(end["reason"] as? String == "CLIENT_LEFT")
        #expect((end["peer"] as? String)?.hasPrefix("127.0.0.1:") == true)
        #expect(end["milliseconds"] is Int && end["sent-bytes"] is Int)
        let traced = try RunningProcess(
            "marquee", ["health", "--server", server.address], in: folder,
            variables: ["TRACEPARENT=00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"])
        #expect(try await traced.ended() == 0, "\(traced.errors)")
        try await eventually("a line about the traced call; there was \(server.log)") {
            server.log.split(separator: "\n").contains { line in
                let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
                return object?["trace-id"] as? String == "4bf92f3577b34da6a3ce929d0e0e4736"
                    && object?["method"] as? String == "health" && object?["parent-id"] as? String == "00f067aa0ba902b7"
            }
        }
        for wrong in ["loud", "", #"{"level":5}"#, "{"] {
            #expect(try await admin.get("/log-level", .PUT, body: wrong).status == 400, "\(wrong)")
        }
        #expect(try await admin.get("/log-level", .PUT, body: String(repeating: "x", count: 5_000)).status == 413)
        #expect(try await admin.get("/log-level", .PUT, body: "warning\n").status == 200)
        #expect(try await server.stop() == 0)
        for line in server.log.split(separator: "\n") {
            #expect((try? JSONSerialization.jsonObject(with: Data(line.utf8))) != nil, "\(line)")
        }
    }

    @Test func `An address in use is reported before anything else is done`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try await start()
        let admin = try await server.admin()
        let second = try RunningProcess(
            "marquee-server",
            [
                "serve", "--data", folder.appending(path: "none").path, "--listen", "127.0.0.1:0", "--admin",
                "127.0.0.1:\(admin.port)",
            ], in: folder)
        #expect(try await second.ended() == 69)
        #expect(second.errors.contains("port \(admin.port) is in use; choose another with --admin"))
        #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "none").path))
        #expect(try await server.stop() == 0)
    }

    @Test func `A server without an address for operators has no thread for it`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let plain = try ServerProcess(in: folder)
        try await plain.start()
        #expect(plain.running?.output.contains("admin on") == false)
        let without = try loops(of: plain)
        #expect(try await plain.stop() == 0)
        let watched = try await start()
        #expect(try loops(of: watched) == without + 1)
        #expect(try await watched.stop() == 0)
    }

    /// The threads that have an event loop; others come and go.
    private func loops(of server: ServerProcess) throws -> Int {
        let tasks = "/proc/\(try #require(server.id))/task"
        return try FileManager.default.contentsOfDirectory(atPath: tasks).count {
            (try? String(contentsOfFile: "\(tasks)/\($0)/comm", encoding: .utf8))?.hasPrefix("NIO-ELT") == true
        }
    }
}

import Dispatch
import MarqueeAdmin
@_spi(Admin) import MarqueeClient
import NIOHTTP1
import Synchronization
import Testing

@testable import MarqueeServer

/// The address for operators, beside a server in this process.
@Suite(.timeLimit(.minutes(10)))
struct AdminServerTests {
    private let node = AdminNode()

    private func start() async throws -> (AdminServer, AdminClient) {
        let log = ServerLog(level: .critical, format: .json) { _ in }
        let server = try await AdminServer.start(host: "127.0.0.1", port: 0, tokens: nil, node: node, log: log)
        return (server, AdminClient(port: server.port))
    }

    private func reason(_ name: String, in answer: AdminClient.Answer) -> String? {
        (answer.object["checks"] as? [String: [String: Any]])?[name]?["reason"] as? String
    }

    @Test func `A node that starts is live, not ready, and tells about its process`() async throws {
        let (server, admin) = try await start()
        #expect(try await admin.get("/live").status == 200)
        let ready = try await admin.get("/ready")
        #expect(ready.status == 503)
        #expect(reason("state", in: ready) == "starting: the catalogue is being read")
        let metrics = try await admin.get("/metrics")
        #expect(metrics.metric("marquee_state{state=\"starting\"}") == 1)
        #expect(try #require(metrics.metric("process_cpu_seconds_total")) > 0)
        for path in ["/sessions", "/variants"] { #expect(try await admin.get(path).status == 503) }
        #expect(try await admin.get("/").status == 200)
        await server.stop()
        await server.stop()
    }

    @Test func `A node that waits for its database says so, since when, and isn't ready`() async throws {
        let (server, admin) = try await start()
        node.waits("waiting for the store: it can't be reached")
        let ready = try await admin.get("/ready")
        #expect(ready.status == 503)
        #expect(reason("state", in: ready) == "starting: waiting for the store: it can't be reached")
        #expect((ready.object["checks"] as? [String: [String: Any]])?["state"]?["seconds"] as? Int == 0)
        #expect(try await admin.get("/metrics").metric("marquee_source_up") == 0)
        await server.stop()
    }

    /// Once, a connection that arrived after the server had stopped accepting ended the process.
    @Test func `An address under constant requests can still be stopped`() async throws {
        for _ in 0..<10 {
            let (server, _) = try await start()
            let port = server.port
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        while !Task.isCancelled {
                            guard let socket = try? await HTTPSocket.open(port: port) else { break }
                            try? await socket.send("GET /live HTTP/1.1\r\nHost: localhost\r\n\r\n")
                            await socket.close()
                        }
                    }
                }
                _ = try? await AdminClient(port: port).get("/live")
                await server.stop()
                group.cancelAll()
            }
        }
    }

    @Test func `A hub that is stuck, or a store that is gone, makes a node not ready`() async throws {
        let harness = try await Harness()
        let (server, admin) = try await start()
        let problem = Mutex<String?>(nil)
        node.serves(harness.server) { problem.withLock { $0 } }
        #expect(try await admin.get("/ready").status == 200)
        problem.withLock { $0 = "the folder is gone" }
        #expect(reason("store", in: try await admin.get("/ready")) == "the folder is gone")
        problem.withLock { $0 = nil }

        let stuck = DispatchSemaphore(value: 0)
        harness.hub.onHub { _ in stuck.wait() }
        for _ in 0..<2 {
            let ready = try await admin.get("/ready")
            #expect(ready.status == 503)
            #expect(reason("hub", in: ready)?.contains("not answered") == true)
        }
        #expect(try await admin.get("/variants").status == 503)
        #expect(try await admin.get("/metrics").status == 200, "sessions answer without the hub")
        #expect(try await admin.get("/live").status == 200)
        stuck.signal()
        try await eventually("that the node is ready again") { try await admin.get("/ready").status == 200 }
        node.stops()
        await server.stop()
        await harness.stop()
    }

    @Test func `Each path takes its methods, and no others`() async throws {
        let (server, admin) = try await start()
        for path in ["/", "/live", "/metrics", "/log-level"] {
            let got = try await admin.get(path)
            let head = try await admin.get(path, .HEAD)
            #expect(head.status == got.status && head.body.isEmpty, "\(path)")
            #expect(head.headers.first(name: "Content-Type") == got.headers.first(name: "Content-Type"))
            #expect(Int(head.headers.first(name: "Content-Length") ?? "") ?? 0 > 0)
            #expect(got.headers.first(name: "Cache-Control") == "no-store")
        }
        for method in [HTTPMethod.POST, .DELETE, .OPTIONS, .TRACE, .PUT] {
            let answer = try await admin.get("/metrics", method)
            #expect(answer.status == 405, "\(method)")
            #expect(answer.headers.first(name: "Allow") == "GET, HEAD")
        }
        #expect(try await admin.get("/log-level", .POST).headers.first(name: "Allow") == "GET, HEAD, PUT")
        for path in ["/nonsense", "/metrics/", "/Metrics", "//", "/live/../metrics"] {
            #expect(try await admin.get(path).status == 404, "\(path)")
        }
        let page = try await admin.get("/")
        #expect(page.headers.first(name: "Content-Type") == "text/html; charset=utf-8")
        #expect(page.headers.first(name: "Content-Security-Policy")?.contains("default-src 'none'") == true)
        await server.stop()
    }

    @Test(arguments: [
        "GET /live HTTP/1.1\r\nHost: localhost\r\nX: \(String(repeating: "a", count: 100_000))\r\n\r\n",
        "GET /live HTTP/1.1\r\nHost: localhost\r\n\(String(repeating: "X: a\r\n", count: 1_000))\r\n",
        "GET /\(String(repeating: "a", count: 200_000)) HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "FROBNICATE /live HTTP/1.1\r\nHost: localhost\r\n\r\n", "\u{16}\u{03}\u{01}\u{00}\u{A5}\u{01}", "GET\r\n\r\n",
        "PUT /log-level HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        "PUT /log-level HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
    ])
    func `Bytes that aren't a request end their connection, and no other`(text: String) async throws {
        let (server, admin) = try await start()
        let socket = try await HTTPSocket.open(port: admin.port)
        // The server may close before it has read everything.
        try? await socket.send(text)
        let answer = try await socket.ended()
        #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 400 "), "\(answer)")
        #expect(try await admin.get("/live").status == 200)
        await server.stop()
    }

    @Test func `Clients that are slow to ask, or don't take answers, are closed and make room for others`() async throws
    {
        let harness = try await Harness()
        let (server, admin) = try await start()
        node.serves(harness.server) { nil }
        var sockets: [HTTPSocket] = []
        for _ in 0..<40 {
            let socket = try await HTTPSocket.open(port: admin.port)
            try await socket.send("GET /metrics HTTP/1.1\r\nHost: local")
            sockets.append(socket)
        }
        // The server's clients don't notice.
        #expect(try await harness.client().health().state == "serving")
        // This one takes the place of the first of those that are left.
        #expect(try await admin.get("/live").status == 200)
        // They hear of it a moment later.
        for _ in 0..<1_000 where sockets.count(where: \.isOpen) >= AdminServer.maximumConnections {
            try await Task.sleep(for: .milliseconds(5))
        }
        #expect(sockets.count { $0.isOpen } < AdminServer.maximumConnections)
        node.stops()
        await server.stop()
        for socket in sockets { await socket.close() }
        await harness.stop()
    }
}

import Foundation
import Logging
import MarqueeModel
import MarqueeServer
import MarqueeStore
import MarqueeWeb
import Synchronization

#if canImport(Musl)
    import Musl
#else
    import Glibc
#endif

extension FuzzTarget {
    /// A connection to the web door of a real server: requests, bodies, WebSocket frames, as they come. The first byte
    /// says where the bytes are cut in two. Whatever a client sends, answers are HTTP, nothing is the server's own
    /// fault, and another client is answered as before.
    static let web = FuzzTarget(name: "web", maximumBytes: 8 << 10, seeds: WebFuzzing.seeds) { bytes in
        let cut = Int(bytes.first ?? 0)
        WebFuzzing.judge(Array(bytes.dropFirst()), cut: cut)
    }
}

private enum WebFuzzing {
    private static let port = start()
    private static let inputs = Atomic<Int>(0)
    /// After so many inputs, another client asks.
    private static let between = 16
    /// The longest that anything takes.
    private static let longestMilliseconds: Int32 = 20_000
    /// After so many inputs, the next of this machine's addresses is connected from.
    private static let inputsPerAddress = 1_000
    private static let addresses: UInt32 = 200
    /// The most bytes read of an answer.
    private static let answerBytes = 1 << 20

    // MARK: - The server

    private static let hooks = """
        hooks:
          open:
            changes: [{merge: {type: show, id: $id, record: {followers: $count}}}]
        """

    /// - Returns: the door's port.
    private static func start() -> Int {
        let result = Mutex<Int?>(nil)
        let ready = DispatchSemaphore(value: 0)
        Task {
            var logger = Logger(label: "fuzz")
            logger.logLevel = .critical
            var configuration = MarqueeServer.Configuration(host: "127.0.0.1", port: 0, threads: 1)
            configuration.authenticator = OpenAuthenticator()
            let file = try HookFile(yaml: hooks, file: "hooks.yaml") { _ in [] }
            configuration.door = DoorPlace(host: "127.0.0.1", port: 0, door: WebDoor(WebGate(), hooks: file))
            let (server, _) = try await MarqueeServer.start(
                configuration, store: PodcastWorld.copy(), programme: PodcastWorld.programme, logger: logger)
            let port = server.summary.door?.port
            result.withLock { $0 = port }
            ready.signal()
            // For as long as the process runs.
            try? await Task.sleep(for: .seconds(1 << 30))
            await server.drain(grace: .zero)
        }
        ready.wait()
        return result.withLock { $0 } ?? 0
    }

    // MARK: - Clients

    static func judge(_ bytes: [UInt8], cut: Int) {
        let answer = exchange([Array(bytes.prefix(cut)), Array(bytes.dropFirst(cut))])
        if !answer.isEmpty {
            let text = String(decoding: answer.prefix(64), as: UTF8.self)
            require(text.hasPrefix("HTTP/1.1 "), "an answer is HTTP: \(text)")
            require(!text.hasPrefix("HTTP/1.1 500"), "nothing is the server's own fault: \(text)")
        }
        guard inputs.add(1, ordering: .relaxed).newValue.isMultiple(of: between) else { return }
        let request = "GET /v1/screens/home HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        let honest = exchange([Array(request.utf8)], patience: longestMilliseconds)
        require(honest.starts(with: "HTTP/1.1 200".utf8), "another client is answered")
    }

    /// Sends pieces on a connection of its own, ends it once nothing comes any more, and reads all that comes.
    /// - Parameter patience: the milliseconds of silence after which nothing more is expected.
    private static func exchange(_ pieces: [[UInt8]], patience: Int32 = 4) -> [UInt8] {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        // An address has 28,000 ports, each of which rests for a minute after its connection.
        let turn = UInt32(truncatingIfNeeded: inputs.load(ordering: .relaxed) / inputsPerAddress)
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = at(UInt32(INADDR_LOOPBACK) + turn % addresses, port: 0) { bind(descriptor, $0, size) }
        let isConnected = at(UInt32(INADDR_LOOPBACK), port: port) { address in
            uninterrupted { connect(descriptor, address, size) } == 0 || errno == EISCONN
        }
        require(isConnected, "the door is open: \(errno)")
        for piece in pieces { _ = send(descriptor, piece, piece.count, Int32(MSG_NOSIGNAL)) }
        var answer = read(descriptor, milliseconds: patience)
        shutdown(descriptor, Int32(SHUT_WR))
        answer += read(descriptor, milliseconds: longestMilliseconds)
        return answer
    }

    /// Repeats a call that a signal interrupts: libFuzzer looks at its clock by one.
    private static func uninterrupted(_ call: () -> CInt) -> CInt {
        while true {
            let result = call()
            if result != -1 || errno != EINTR { return result }
        }
    }

    /// Calls `body` with an IPv4 address.
    private static func at<Result>(
        _ host: UInt32, port: Int, _ body: (UnsafePointer<sockaddr>) -> Result
    ) -> Result {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(host).bigEndian
        return withUnsafePointer(to: &address) { $0.withMemoryRebound(to: sockaddr.self, capacity: 1, body) }
    }

    /// Reads until the end, or until nothing comes for so long.
    private static func read(_ descriptor: CInt, milliseconds: Int32) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while bytes.count < answerBytes, uninterrupted({ poll(&waiting, 1, milliseconds) }) > 0 {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        return bytes
    }

    // MARK: - Seeds

    static func seeds() -> [[UInt8]] {
        let merge = #"{"merge": {"type": "show", "id": "s1", "record": {"followers": 5}}}"#
        let requests = [
            "GET /v1/screens?locale=en HTTP/1.1\r\nHost: localhost\r\n\r\nGET /v1/search?q=show HTTP/1.1\r\nHost: [::1]\r\n\r\n",
            "GET /v1/screens/show/s0?window.episodes=2 HTTP/1.1\r\nHost: 127.0.0.1:80\r\nIf-None-Match: W/\"0\"\r\n\r\n",
            "GET /v1/screens/home HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n"
                + "Last-Event-ID: a7.1.0.0.00000000000000010000000000000002\r\n\r\n",
            "HEAD /v1/screens/home HTTP/1.1\r\nHost: localhost\r\nMarquee-User: ana\r\nAuthorization: Bearer x\r\n\r\n",
            "OPTIONS /v1/publish HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\n\r\n",
            post("/v1/publish?dry-run", merge), post("/v1/publish", "[\(merge),\(merge)]"),
            "POST /v1/publish HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\n"
                + "Transfer-Encoding: chunked\r\nIdempotency-Key: k\r\n\r\n"
                + "\(String(merge.utf8.count, radix: 16))\r\n\(merge)\r\n0\r\n\r\n",
            "POST http://[::1]:80/v1/publish?dry-run HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "Transfer-Encoding: chunked\r\n\r\n1;a=b;c=\"d\"\r\n[\r\n0001\r\n]\r\n0;e\r\nX: y\r\n\r\nNONSENSE",
            "POST /v1/publish/stream HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\n"
                + "Content-Length: \(2 * merge.utf8.count + 2)\r\nExpect: 100-continue\r\n\r\n\(merge)\n\(merge)\n",
            post("/v1/records/show/s2", #"{"slug": "s2", "title": {"en": "x"}, "followers": 1}"#, method: "PUT"),
            post("/v1/hooks/open", #"{"id": 7, "count": 1}"#),
            post(
                "/v1/collections/favorites",
                #"{"client": "00112233445566778899aabbccddeeff", "number": 1, "subject": "show/s1", "member": true}"#),
        ]
        return requests.map { [9] + Array($0.utf8) } + [gzip(), webSocket()]
    }

    private static func post(_ path: String, _ body: String, method: String = "POST") -> String {
        "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nMarquee-User: ana\r\n"
            + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    /// An empty body, packed.
    private static func gzip() -> [UInt8] {
        let body: [UInt8] = [
            0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 1, 2, 0, 0xFD, 0xFF, 0x5B, 0x5D, 0x0D, 0x4C, 0x6A, 0x29, 2, 0, 0, 0,
        ]
        let head =
            "POST /v1/publish HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\n"
            + "Content-Length: \(body.count)\r\n\r\n"
        return [40] + Array(head.utf8) + body
    }

    private static func webSocket() -> [UInt8] {
        let head =
            "GET /v1/connect HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
            + "Sec-WebSocket-Protocol: marquee.v1\r\n\r\n"
        // A ping, a fragment and its end, a close; masked by zeros.
        let frames: [UInt8] = [
            0x89, 0x82, 0, 0, 0, 0, 1, 2, 0x02, 0x81, 0, 0, 0, 0, 0, 0x80, 0x80, 0, 0, 0, 0, 0x88, 0x82, 0, 0, 0, 0, 3,
            0xE8,
        ]
        return [0] + Array(head.utf8) + frames
    }
}

import Foundation
import MarqueePresetRecords
import Testing

@testable import marquee_server

/// The notifications that a service manager gets, over real sockets.
@Suite("Notifications for a service manager", .timeLimit(.minutes(10)))
struct ServiceManagerTests {
    private func environment(_ socket: NotificationSocket, _ more: [String: String] = [:]) -> [String: String] {
        more.merging(["NOTIFY_SOCKET": socket.name]) { given, _ in given }
    }

    @Test(arguments: [false, true])
    func `Notifications arrive at a path and at an abstract name`(isAbstract: Bool) throws {
        let socket = try NotificationSocket(isAbstract: isAbstract)
        let manager = try #require(ServiceManager(environment: environment(socket)))
        manager.tell(.ready(status: "Ready on 127.0.0.1:7420"))
        #expect(try socket.next() == "READY=1\nSTATUS=Ready on 127.0.0.1:7420")
        manager.tell(.reloading)
        let reloading = try socket.next().split(separator: "=")
        #expect(reloading.dropLast() == ["RELOADING", "1\nMONOTONIC_USEC"])
        #expect(reloading.last.flatMap { UInt64($0) } ?? 0 > 0)
        manager.tell(.reloaded)
        #expect(try socket.next() == "READY=1")
        manager.tell(.stopping(delay: 0))
        #expect(try socket.next().hasPrefix("STOPPING=1\n"))
        #expect(try socket.nextIfAny() == nil)
    }

    @Test(arguments: [
        nil, "", "/", "@", "relative", "vsock:2:1234", "/" + String(repeating: "x", count: 107),
    ])
    func `Without a socket that it could write to nobody is told`(name: String?) {
        #expect(ServiceManager(environment: name.map { ["NOTIFY_SOCKET": $0] } ?? [:]) == nil)
    }

    @Test func `A manager that has gone stops nothing`() throws {
        let manager = try #require(ServiceManager(environment: ["NOTIFY_SOCKET": "/nonexistent/notify"]))
        manager.tell(.stopping(delay: 0))
    }

    @Test func `A manager is told at half of its limit, if the limit is for this process`() throws {
        let socket = try NotificationSocket(isAbstract: true)
        func interval(_ more: [String: String]) -> Duration? {
            ServiceManager(environment: environment(socket, more))?.watchdogInterval
        }
        #expect(interval([:]) == nil)
        #expect(interval(["WATCHDOG_USEC": "3000000"]) == .milliseconds(1_500))
        #expect(interval(["WATCHDOG_USEC": "3000000", "WATCHDOG_PID": String(getpid())]) == .milliseconds(1_500))
        #expect(interval(["WATCHDOG_USEC": "3000000", "WATCHDOG_PID": "1"]) == nil)
        for wrong in ["", "0", "-5", "soon", "99999999999999999999"] {
            #expect(interval(["WATCHDOG_USEC": wrong]) == nil)
        }
    }

    @Test func `A server says when it is ready, alive, reading its programme again, and stopping`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "marquee-notify-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let socket = try NotificationSocket(isAbstract: false)
        let server = try ServerProcess(in: folder)
        let programme = folder.appending(path: "programme.yaml")
        try PresetCatalogue.programme.write(to: programme, atomically: true, encoding: .utf8)
        let running = try RunningProcess(
            "marquee-server",
            ["serve", "--data", server.data.path, "--listen", "127.0.0.1:0", "--programme", programme.path],
            in: folder, variables: ["NOTIFY_SOCKET=\(socket.name)", "WATCHDOG_USEC=20000"])

        #expect(try socket.next().hasPrefix("READY=1\n"))
        #expect(running.output.contains(" ready on 127.0.0.1:"))
        #expect(try socket.next() == "WATCHDOG=1")
        #expect(try socket.next() == "WATCHDOG=1")
        running.signal(SIGHUP)
        #expect(try news(socket).hasPrefix("RELOADING=1\n"))
        #expect(try news(socket) == "READY=1")
        running.signal(SIGTERM)
        #expect(try news(socket).hasPrefix("STOPPING=1\n"))
        #expect(try await running.ended() == 0)
        // It stopped saying so first: a hub that ends while it is asked may never answer.
        #expect(try socket.nextIfAny() == nil)
    }

    @Test func `A relay says when it is ready, alive, and stopping`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "marquee-notify-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let socket = try NotificationSocket(isAbstract: false)
        let server = try ServerProcess(in: folder)
        try await server.start()
        let running = try RunningProcess(
            "marquee-server", ["relay", "--upstream", server.address, "--listen", "127.0.0.1:0"], in: folder,
            variables: ["NOTIFY_SOCKET=\(socket.name)", "WATCHDOG_USEC=20000"])

        #expect(try socket.next() == "READY=1\nSTATUS=Connecting to \(server.address)")
        #expect(try news(socket).hasPrefix("READY=1\nSTATUS=Relaying on 127.0.0.1:"))
        #expect(try socket.next() == "WATCHDOG=1")
        #expect(try socket.next() == "WATCHDOG=1")
        running.signal(SIGTERM)
        #expect(try news(socket).hasPrefix("STOPPING=1\n"))
        #expect(try await running.ended() == 0)
        #expect(try socket.nextIfAny() == nil)
    }

    @Test func `A relay that connects is ready and alive, however long it takes`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "marquee-notify-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let socket = try NotificationSocket(isAbstract: false)
        let running = try RunningProcess(
            "marquee-server", ["relay", "--upstream", "127.0.0.1:1", "--listen", "127.0.0.1:0"], in: folder,
            variables: ["NOTIFY_SOCKET=\(socket.name)", "WATCHDOG_USEC=20000"])
        #expect(try socket.next() == "READY=1\nSTATUS=Connecting to 127.0.0.1:1")
        #expect(try socket.next() == "WATCHDOG=1")
        #expect(try socket.next() == "WATCHDOG=1")
        running.signal(SIGTERM)
        #expect(try news(socket).hasPrefix("STOPPING=1\n"))
        #expect(try await running.ended() == 0)
    }

    @Test func `A server that waits for its database is ready and alive, however long it takes`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "marquee-notify-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let socket = try NotificationSocket(isAbstract: false)
        let running = try RunningProcess(
            "marquee-server",
            ["serve", "--store", "postgres://mina:sesame@127.0.0.1:1/nowhere", "--listen", "127.0.0.1:0"], in: folder,
            variables: ["NOTIFY_SOCKET=\(socket.name)", "WATCHDOG_USEC=20000"])
        #expect(
            try socket.next() == "READY=1\nSTATUS=Waiting for the PostgreSQL database 'nowhere' at 127.0.0.1:1")
        #expect(try socket.next() == "WATCHDOG=1")
        #expect(try socket.next() == "WATCHDOG=1")
        running.signal(SIGTERM)
        #expect(try news(socket).hasPrefix("STOPPING=1\n"))
        #expect(try await running.ended() == 0)
        #expect(running.errors.contains("'nowhere' at 127.0.0.1:1 can't be reached"))
        #expect(!running.errors.contains("sesame"))
    }

    /// Returns the next notification other than that it is alive, which it says again and again.
    private func news(_ socket: NotificationSocket) throws -> String {
        while true {
            let text = try socket.next()
            if text != "WATCHDOG=1" { return text }
        }
    }

    @Test func `A server whose hub is stuck isn't reported alive`() async throws {
        let socket = try NotificationSocket(isAbstract: true)
        let manager = try #require(ServiceManager(environment: environment(socket, ["WATCHDOG_USEC": "2"])))
        let (turns, turn) = AsyncStream.makeStream(of: Void.self)
        let (questions, question) = AsyncStream.makeStream(of: Void.self)
        let reports = Task {
            var waiting = turns.makeAsyncIterator()
            await manager.keepTold {
                question.yield()
                guard await waiting.next() != nil else { throw CancellationError() }
            }
        }
        var asked = questions.makeAsyncIterator()
        _ = await asked.next()
        #expect(try socket.nextIfAny() == nil)
        turn.yield()
        #expect(try socket.next() == "WATCHDOG=1")
        _ = await asked.next()
        #expect(try socket.nextIfAny() == nil)
        turn.finish()
        await reports.value
        #expect(try socket.nextIfAny() == nil)
    }
}

/// The socket of a service manager.
private final class NotificationSocket {
    struct Failure: Error {
        var number: CInt
    }

    /// As NOTIFY_SOCKET names it.
    let name: String
    private let descriptor: CInt

    init(isAbstract: Bool) throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "notify-\(UUID().uuidString)").path
        name = isAbstract ? "@" + path.dropFirst() : path
        descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue), 0)
        guard descriptor >= 0 else { throw Failure(number: errno) }
        // A datagram that never comes must not hang the tests.
        var patience = timeval(tv_sec: 120, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var place = sockaddr_un()
        place.sun_family = sa_family_t(AF_UNIX)
        let bytes = (isAbstract ? [0] : []) + Array(name.utf8.dropFirst(isAbstract ? 1 : 0))
        withUnsafeMutableBytes(of: &place.sun_path) { $0.copyBytes(from: bytes) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
        let result = withUnsafePointer(to: &place) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
        }
        guard result == 0 else { throw Failure(number: errno) }
    }

    deinit {
        close(descriptor)
        if name.hasPrefix("/") { unlink(name) }
    }

    /// Waits for a datagram.
    func next() throws -> String { try receive(0) }

    /// A datagram that has arrived already.
    func nextIfAny() throws -> String? {
        do {
            return try receive(CInt(MSG_DONTWAIT))
        } catch let failure as Failure where failure.number == EAGAIN {
            return nil
        }
    }

    private func receive(_ flags: CInt) throws -> String {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = recv(descriptor, &bytes, bytes.count, flags)
        guard count >= 0 else { throw Failure(number: errno) }
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}

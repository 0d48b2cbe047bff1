import Foundation
import MarqueeModel
import MarqueeWire
import Synchronization

/// The scripted server of one check, and the client that talks to it.
package final class ClientStage: CheckStage {
    /// While the runner waits for a connection, how often it checks whether the client has ended.
    private static let pollInterval = Duration.milliseconds(100)

    package let subject: ClientSubject
    private let folder: String

    private struct State {
        var client: (any RunningClient)?
        var port: ScriptedPort?
        /// The number of mirrors so far, which names the newest one's folder.
        var mirrors = 0
        /// Whether the client has connected since it was started.
        var hasConnected = false
        var lines: [Line] = []
    }
    private let state = Mutex(State())

    init(_ subject: ClientSubject) throws {
        self.subject = subject
        folder = FileManager.default.temporaryDirectory.appending(path: "marquee-conform-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    package var screen: String { subject.screen }
    package var deadlines: Deadlines { subject.deadlines }

    // The client's life

    /// Starts the client, with a new mirror or with the previous one. The port is a different one each time, because
    /// the previous client may have connected once more before it was killed.
    package func start(keepingMirror keepsMirror: Bool = false) async throws {
        let port = try await ScriptedPort.open()
        let previous = state.withLock { state in
            defer { state.port = port }
            return state.port
        }
        await previous?.close()
        let number = state.withLock { state -> Int in
            if !keepsMirror || state.mirrors == 0 { state.mirrors += 1 }
            state.hasConnected = false
            return state.mirrors
        }
        let mirrorFolder = "\(folder)/\(number)"
        try FileManager.default.createDirectory(atPath: mirrorFolder, withIntermediateDirectories: true)
        let client = try await subject.launch(
            ClientLaunch(
                host: "127.0.0.1", port: port.number, screen: subject.screen,
                mirror: "\(mirrorFolder)/mirror.sqlite", folder: mirrorFolder))
        state.withLock { $0.client = client }
    }

    /// Ends the client as a power cut would.
    package func kill() async {
        let client = state.withLock { state in
            defer { state.client = nil }
            return state.client
        }
        await client?.kill()
    }

    /// Whether the client has ended by itself.
    package func hasEnded() async -> Bool { await state.withLock { $0.client }?.ending() != nil }

    // Connections

    /// The client's next connection, after its hello. Starts the client if there is none.
    package func accept() async throws -> ClientTalk {
        if state.withLock({ $0.client == nil }) { try await start() }
        let isFirst = state.withLock { state in
            defer { state.hasConnected = true }
            return !state.hasConnected
        }
        let limit = isFirst ? deadlines.start : deadlines.reconnect
        let talk = ClientTalk(try await nextLine(within: limit, isFirst ? "a connection" : "another connection"), self)
        try await talk.expectHello()
        return talk
    }

    private func nextLine(within limit: Duration, _ awaited: String) async throws -> Line {
        let end = ContinuousClock.now + limit
        while ContinuousClock.now < end, let port = state.withLock({ $0.port }) {
            try Task.checkCancellation()
            if let line = await port.next(within: Self.pollInterval) {
                state.withLock { $0.lines.append(line) }
                return line
            }
            if let ending = await state.withLock({ $0.client })?.ending() {
                throw Deviation(expected: "\(awaited) of the client", actual: ending)
            }
        }
        throw Deviation(expected: "\(awaited) of the client", actual: "none in \(limit)")
    }

    /// Whether the client makes a connection within a time.
    func nextConnection(within limit: Duration) async throws -> Bool {
        let end = ContinuousClock.now + limit
        while ContinuousClock.now < end, let port = state.withLock({ $0.port }) {
            try Task.checkCancellation()
            if let line = await port.next(within: Self.pollInterval) {
                await line.close()
                return true
            }
            if await hasEnded() { return false }
        }
        return false
    }

    package func clear() async {
        await kill()
        await state.withLock { $0.port }?.close()
        let lines = state.withLock { state in
            defer { state.lines = [] }
            return state.lines
        }
        for line in lines { await line.close() }
        try? FileManager.default.removeItem(atPath: folder)
    }
}

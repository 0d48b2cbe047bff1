import Foundation
import ProcessSupport
import Synchronization

/// A server that is killed and started again on its port, with its output in files.
final class ServerProcess: Sendable {
    private struct State {
        var program: String
        var running: RunningProcess?
        var starts = 0
        /// 0 before the first start: any that is free.
        var port = 0
        var adminPort: Int?
        var variables: [String]
    }

    /// How a process ended.
    struct Status: Sendable {
        /// `nil` when a signal ended it.
        var code: Int32?

        /// Neither clean, nor the refusal of a database that has lost commits, nor of one that isn't readable.
        var isCrash: Bool { code.map { ![0, 65, 69, 74].contains($0) } ?? true }
        var text: String { code.map { "status \($0)" } ?? "a signal" }
    }

    static let host = "127.0.0.1"

    let name: String
    private let command: String
    private let options: [String]
    private let logs: URL
    private let state: Mutex<State>

    /// - Parameters:
    ///   - name: what its files are named after.
    ///   - command: `serve` or `relay`.
    ///   - options: apart from its addresses.
    ///   - variables: added to its environment.
    init(
        _ name: String, program: String, command: String, options: [String], logs: URL, variables: [String] = []
    ) {
        self.name = name
        self.command = command
        self.options = options
        self.logs = logs
        state = Mutex(State(program: program, variables: variables))
    }

    var port: Int { state.withLock { $0.port } }
    /// The port of its address for operators, since its last start.
    var adminPort: Int? { state.withLock { $0.adminPort } }
    var starts: Int { state.withLock { $0.starts } }
    var address: String { "\(Self.host):\(port)" }

    private var running: RunningProcess? { state.withLock { $0.running } }

    /// Another program to start from now on.
    func replace(by program: String) { state.withLock { $0.program = program } }

    /// Other variables for its environment from now on.
    func replace(variables: [String]) { state.withLock { $0.variables = variables } }

    var isRunning: Bool { running?.isRunning ?? false }

    func signal(_ number: Int32) { running?.signal(number) }

    /// Starts it without waiting.
    @discardableResult
    func launch() throws -> RunningProcess {
        try state.withLock { state in
            state.starts += 1
            // A library that comes first in a process may change its environment, after which Swift doesn't find the
            // process's arguments. It has done so when another program is executed.
            let wrapper = state.variables.isEmpty ? [] : ["/usr/bin/env"]
            let words =
                wrapper + [state.program, command]
                + ["--listen", "\(Self.host):\(state.port)", "--admin", "\(Self.host):0"] + options
            let process = try RunningProcess(
                words[0], Array(words.dropFirst()), in: logs, variables: state.variables,
                output: "\(name).\(state.starts)")
            state.running = process
            state.adminPort = nil
            return process
        }
    }

    /// Returns once it serves.
    func start() async throws {
        let process = try launch()
        let ready = try await process.line(with: " ready on ")
        guard let port = Self.port(in: ready) else { throw NodesError("\(name) doesn't say where it is: \(ready)") }
        let admin = process.output.split(separator: "\n").first { $0.contains("admin on ") }.flatMap {
            Self.port(in: $0)
        }
        state.withLock { state in
            state.port = port
            state.adminPort = admin
        }
    }

    private static func port(in line: some StringProtocol) -> Int? {
        String(line).firstMatch(of: #/127\.0\.0\.1:(\d+)/#).flatMap { Int($0.1) }
    }

    /// Ends it as a crash would.
    func kill() async throws {
        guard let running else { return }
        try await running.stop(SIGKILL)
        if state.withLock({ !$0.variables.isEmpty }) { FakeTime.forget(running.id) }
    }

    /// Asks it to tell its clients to leave, and waits until it has ended.
    func drain() async throws {
        guard let running else { return }
        running.signal(SIGTERM)
        let status = try await running.ended(within: Bounds.drain)
        guard status == 0 else { throw NodesError("\(name) was asked to end, and ended with \(status ?? -1)") }
    }

    /// Asks it to end, whatever its status is then.
    /// - Returns: `nil` if it was never started.
    func end() async throws -> Status? {
        guard let running else { return nil }
        running.signal(SIGTERM)
        return Status(code: try await running.ended(within: Bounds.drain))
    }
}

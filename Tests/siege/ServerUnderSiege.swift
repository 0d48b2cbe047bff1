import Foundation

/// The server that is attacked, as a process of its own: `marquee-server`, or the sink that it is compared with.
final class ServerUnderSiege: Sendable {
    private let process: Process
    private let output: URL
    private let errors: URL
    private nonisolated(unsafe) var found = 0
    private nonisolated(unsafe) var adminPort: Int?
    private nonisolated(unsafe) var webPort: Int?

    var port: Int { found }
    /// That of the address for operators; the other one if there is none.
    var portForOperators: Int { adminPort ?? found }
    /// That of the web door; that for clients if there is none.
    var portForWeb: Int { webPort ?? found }

    /// - Parameters:
    ///   - folder: for what it prints.
    ///   - descriptors: files and sockets that it may have open; what the system allows by default.
    private init(program: String, arguments: [String], folder: URL, descriptors: Int?) throws {
        output = folder.appending(path: "out")
        errors = folder.appending(path: "err")
        for file in [output, errors] { _ = FileManager.default.createFile(atPath: file.path, contents: nil) }
        process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        let limit = descriptors.map { "ulimit -n \($0); " } ?? ""
        process.arguments = ["-c", limit + "exec \"$0\" \"$@\"", program] + arguments
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
    }

    /// - Parameter access: makes the server demand TLS, and tokens of those who write.
    static func marquee(_ program: String, data: URL, mode: Mode, access: SiegeAccess?) async throws
        -> ServerUnderSiege
    {
        let server = try ServerUnderSiege(
            program: program,
            arguments: [
                "serve", "--data", data.path, "--listen", "\(Target.host):0", "--admin", "\(Target.host):0",
                "--threads", "1",
            ] + (access?.serverOptions ?? ["--open"]) + (mode.place == .web ? SiegeHook.options(data) : [])
                + mode.options,
            folder: data, descriptors: mode.descriptors)
        try await server.ready()
        return server
    }

    /// A relay before a server.
    static func relay(_ program: String, before server: ServerUnderSiege, folder: URL) async throws
        -> ServerUnderSiege
    {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let relay = try ServerUnderSiege(
            program: program,
            arguments: [
                "relay", "--upstream", "\(Target.host):\(server.port)", "--listen", "\(Target.host):0", "--admin",
                "\(Target.host):0", "--threads", "1",
            ], folder: folder, descriptors: nil)
        try await relay.ready()
        return relay
    }

    /// - Parameter access: makes the sink demand TLS.
    static func sink(folder: URL, access: SiegeAccess?) async throws -> ServerUnderSiege {
        let server = try ServerUnderSiege(
            program: ProcessInfo.processInfo.arguments[0], arguments: ["sink"] + (access?.sinkOptions ?? []),
            folder: folder, descriptors: nil)
        try await server.ready()
        return server
    }

    /// Returns when it serves.
    private func ready() async throws {
        for _ in 0..<3_000 {
            let text = (try? String(contentsOf: output, encoding: .utf8)) ?? ""
            if let match = text.firstMatch(of: #/ready on 127\.0\.0\.1:(\d+)/#), let port = Int(match.1) {
                found = port
                adminPort = text.firstMatch(of: #/admin on http://127\.0\.0\.1:(\d+)/#).flatMap { Int($0.1) }
                webPort = text.firstMatch(of: #/window on http://127\.0\.0\.1:(\d+)\//#).flatMap { Int($0.1) }
                return
            }
            guard process.isRunning else { break }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw SiegeError("the server did not start: \((try? String(contentsOf: errors, encoding: .utf8)) ?? "")")
    }

    /// Returns the metrics that it tells operators now.
    func metrics() async throws -> Metrics {
        guard let adminPort else { throw SiegeError("the server has no metrics") }
        return try await Metrics(port: adminPort)
    }

    var isRunning: Bool { process.isRunning }

    var load: ProcessLoad { ProcessLoad(of: process.processIdentifier) }

    /// Files and sockets that it has open.
    var descriptors: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process.processIdentifier)/fd").count) ?? 0
    }

    /// Megabytes in memory: now, and the most there ever were.
    var memory: (now: Double, most: Double) {
        let text = (try? String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)) ?? ""
        func megabytes(_ name: String) -> Double {
            let line = text.split(separator: "\n").first { $0.hasPrefix(name) } ?? ""
            return (line.split(whereSeparator: { !$0.isNumber }).first.flatMap { Double($0) } ?? 0) / 1_024
        }
        return (megabytes("VmRSS"), megabytes("VmHWM"))
    }

    /// Tells it to end, and waits for that.
    /// - Returns: what was wrong with its end.
    @discardableResult
    func stop() async -> String? {
        process.terminate()
        for _ in 0..<500 where process.isRunning { try? await Task.sleep(for: .milliseconds(20)) }
        if process.isRunning {
            kill(process.processIdentifier, SIGKILL)
            return "the server didn't end within 10 s"
        }
        let status = process.terminationStatus
        if process.terminationReason == .uncaughtSignal { return "the server ended by signal \(status)" }
        return status == 0 ? nil : "the server ended with \(status)"
    }
}

struct SiegeError: Error, CustomStringConvertible {
    var description: String
    init(_ description: String) { self.description = description }
}

import Foundation

/// A `marquee-server` as a process of its own.
final class ServerUnderSiege: Sendable {
    let program: String
    private let process: Process
    private let output: URL
    private let errors: URL
    private nonisolated(unsafe) var found = 0

    var port: Int { found }

    /// - Parameter descriptors: files and sockets that it may have open; what the system allows by default.
    init(program: String, data: URL, descriptors: Int?) throws {
        self.program = program
        output = data.appending(path: "out")
        errors = data.appending(path: "err")
        for file in [output, errors] { FileManager.default.createFile(atPath: file.path, contents: nil) }
        process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        let limit = descriptors.map { "ulimit -n \($0); " } ?? ""
        process.arguments = [
            "-c", limit + "exec \"$0\" serve --data \"$1\" --listen 127.0.0.1:0 --open --threads 1", program, data.path,
        ]
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
    }

    /// Returns when it serves.
    func ready() async throws {
        for _ in 0..<3_000 {
            let text = (try? String(contentsOf: output, encoding: .utf8)) ?? ""
            if let match = text.firstMatch(of: #/ready on 127\.0\.0\.1:(\d+)/#), let port = Int(match.1) {
                found = port
                return
            }
            guard process.isRunning else { break }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw SiegeError("the server did not start: \((try? String(contentsOf: errors, encoding: .utf8)) ?? "")")
    }

    var isRunning: Bool { process.isRunning }

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

    func stop() async {
        process.terminate()
        for _ in 0..<500 where process.isRunning { try? await Task.sleep(for: .milliseconds(20)) }
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }
}

struct SiegeError: Error, CustomStringConvertible {
    var description: String
    init(_ description: String) { self.description = description }
}

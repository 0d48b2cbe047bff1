import ArgumentParser
import Foundation

/// The attackers of one mode, in a process of their own: what they need must not be what the ordinary client waits for.
struct Attack: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Runs the attackers of one mode against a port of this machine.", shouldDisplay: false)

    /// The results of the attackers, printed when they are done.
    struct Outcome: Codable {
        var delivered = Attacker.Delivered()
        var error: String?
    }

    /// Seconds beyond its own after which an attack that does not end is killed.
    private static let grace: UInt32 = 30

    @Argument var mode: String
    @Option var port: Int
    @Option var adminPort: Int
    @Option var webPort: Int
    @Option var seconds: Double
    @Option var connections: Int
    @Option var access: String?

    func run() async throws {
        guard let mode = Mode.all.first(where: { $0.name == mode }) else {
            throw ValidationError("there is no mode '\(mode)'")
        }
        alarm(UInt32(seconds) + Self.grace)
        let field = Mode.Field(
            target: try Target(outsideWith: access.map { SiegeAccess(folder: URL(filePath: $0)) }, port: port),
            adminPort: adminPort, webPort: webPort,
            seconds: seconds, connections: connections, deadline: .now + .seconds(seconds))
        var outcome = Outcome()
        do { try await mode.attack(field) } catch { outcome.error = "\(error)" }
        outcome.delivered = Attacker.delivered
        print(String(decoding: try JSONEncoder().encode(outcome), as: UTF8.self))
    }

    /// Runs a mode's attackers in another process and waits for it to end.
    ///
    /// - Parameters:
    ///   - command: starts the process with what follows it, such as `nice -n 19`.
    ///   - access: what a server with TLS and tokens is reached with.
    static func launch(
        _ mode: Mode, under command: String, ports: (clients: Int, admin: Int, web: Int), seconds: Double,
        connections: Int,
        access: SiegeAccess?
    ) async throws -> (outcome: Outcome, cores: Double) {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments =
            command.split(separator: " ").map(String.init) + [
                ProcessInfo.processInfo.arguments[0], "attack", mode.name, "--port", "\(ports.clients)", "--admin-port",
                "\(ports.admin)", "--web-port", "\(ports.web)", "--seconds", "\(seconds)", "--connections",
                "\(connections)",
            ] + (access.map { ["--access", $0.folder.path] } ?? [])
        let output = Pipe()
        process.standardOutput = output
        var last = ProcessLoad(of: 0)
        var first: ProcessLoad?
        try process.run()
        while process.isRunning {
            try await Task.sleep(for: .milliseconds(50))
            let now = ProcessLoad(of: process.processIdentifier)
            // One that is ending has only its first thread left, and what the others had is gone.
            if !now.threads.isEmpty, now.threads.count >= last.threads.count { last = now }
            first = first ?? now
        }
        let said = try output.fileHandleForReading.readToEnd() ?? Data()
        guard let outcome = try? JSONDecoder().decode(Outcome.self, from: said) else {
            throw SiegeError("the attackers ended with \(process.terminationStatus)")
        }
        return (outcome, first.map { last.since($0).cores } ?? 0)
    }
}

import ArgumentParser
import Foundation

@main
struct Siege: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "siege",
        abstract: "Puts a server under every kind of pressure, alongside one ordinary client.",
        subcommands: [Run.self, Attack.self, Sink.self], defaultSubcommand: Run.self)
}

struct Run: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Puts a server under every kind of pressure, alongside one ordinary client.",
        discussion: """
            Each kind has a server process of its own on 127.0.0.1 and a time limit. The ordinary client calls, \
            publishes, sees what it published on its home screen, and newcomers say hello, all the time. The attackers \
            are another process, which takes what the server and the ordinary client leave of the machine. The same \
            attack is then run against a server that does nothing: what an ordinary client waits there is the \
            machine's doing. The exit code is 1 when the ordinary client was held up, when the server ended, or when \
            descriptors or memory did not come back.

            99 of 100 may take twice as long as in nothing, behind a relay as in relayed-nothing, and from tls-nothing \
            on as there; these run before the others in any case. From tls-nothing on the server has TLS and tokens, \
            and attackers come from another address of this machine.
            """)

    @Option(help: "The server to try.")
    var server: String = URL(filePath: ProcessInfo.processInfo.arguments[0]).deletingLastPathComponent()
        .appending(path: "marquee-server").path

    @Option(help: "Seconds of each kind of pressure.")
    var seconds: Double = 15

    @Option(help: "Connections, for pressures that take many.")
    var connections: Int = 1_000

    @Option(help: "The command that starts the attackers' process; on a busy machine it decides whom they displace.")
    var attackersUnder = "chrt --idle 0"

    @Option(
        help: """
            Milliseconds that 99 of 100 round trips, cuts and welcomes may take more than twice as long as without \
            pressure.
            """)
    var leeway: Double = 3

    @Flag(help: "Only report; the exit code is 0 unless a mode could not be run.")
    var reportOnly = false

    @Argument(help: "The modes to run: all by default.")
    var modes: [String] = []

    func validate() throws {
        let known = Set(Mode.all.map(\.name))
        if let unknown = modes.first(where: { !known.contains($0) }) {
            throw ValidationError(
                "there is no mode '\(unknown)'; there are \(Mode.all.map(\.name).joined(separator: ", "))")
        }
        guard (0.5...600).contains(seconds) else { throw ValidationError("--seconds is from 0.5 to 600") }
        guard (1...10_000).contains(connections) else { throw ValidationError("--connections is from 1 to 10000") }
    }

    func run() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "siege-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var scene = Report.Scene(
            program: server, attackersUnder: attackersUnder, seconds: seconds, connections: connections)
        let chosen = Self.chosen(modes)
        if chosen.contains(where: \.isSecured) {
            scene.access = try SiegeAccess.make(folder.appending(path: "access"), program: server)
        }
        print(Report.heading)
        var failures: [String] = []
        var quiet: [String: Report] = [:]
        for mode in chosen {
            let data = folder.appending(path: mode.name)
            try SiegeCatalogue.fill(data)
            let report = try await Report(mode: mode, scene: scene, data: data)
            print(report.lines)
            let basis = mode.name == mode.basis ? nil : quiet[mode.basis]
            if mode.name == mode.basis { quiet[mode.name] = report }
            if let basis { print(report.comparison(with: basis)) }
            fflush(nil)
            failures += report.failures(leeway: leeway, quiet: basis).map { "\(mode.name): \($0)" }
            try? FileManager.default.removeItem(at: data)
        }
        for failure in failures { print(failure) }
        print("\(chosen.count) of \(chosen.count) modes ran; \(failures.count) things were not as they should be")
        if !failures.isEmpty, !reportOnly { throw ExitCode(1) }
    }

    /// The modes of these names, or all if there are none, in the order in which they are run: those that others are
    /// compared with come first.
    private static func chosen(_ names: [String]) -> [Mode] {
        let wanted = Mode.all.filter { names.isEmpty || names.contains($0.name) }
        let chosen = Set(wanted.flatMap { [$0.name, $0.basis] })
        return Mode.all.filter { chosen.contains($0.name) }
    }
}

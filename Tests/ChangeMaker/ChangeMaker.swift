import Foundation
import MarqueeClient
import MarqueeModel
import SeededRandom

/// Changes favorites, one after another, until it is killed, and says of each change when it begins and when the call
/// has returned:
///
///     change-maker MIRROR owner|companion PORT SEED SUBJECT…
///
/// `? +movie/13` before a call, and the same without the question mark after it.
@main
enum ChangeMaker {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.count > 4, let port = Int(arguments[2]), let seed = UInt64(arguments[3]) else { exit(64) }
        var random = SeededGenerator(seed: seed)
        let subjects = arguments[4...].map { Subject($0) }

        var configuration = ClientConfiguration(port: port, user: "mina", mirror: .file(arguments[0]))
        configuration.mirrorAccess = arguments[1] == "companion" ? .companion : .owner
        configuration.backoff = .milliseconds(10)...(.milliseconds(200))
        let client = try await patiently { [configuration] in try await MarqueeClient.open(configuration) }
        while true {
            guard let subject = random.pick(subjects) else { exit(64) }
            let on = random.chance(50)
            let text = "\(on ? "+" : "-")\(subject)\n"
            say("? " + text)
            _ = try await patiently { try await client.setFavorite(on, for: subject) }
            say(text)
        }
    }

    /// Tries again as long as another process is writing the mirror: on a busy machine that can take longer than a call
    /// waits.
    private static func patiently<Value: Sendable>(
        _ call: @Sendable () async throws -> Value
    ) async throws -> Value {
        while true {
            do { return try await call() } catch let error as ClientError where error.code == .busy { continue }
        }
    }

    /// Written at once: what was said stays said when the process is killed.
    private static func say(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }
}

import Foundation
import MarqueeWire

/// The milliseconds that an ordinary client waits at a server that does nothing, under the same attack.
struct Baseline {
    private(set) var calls: [Double] = []
    private(set) var welcomes: [Double] = []

    init(mode: Mode, scene: Report.Scene, folder: URL) async throws {
        let access = mode.isSecured ? scene.access : nil
        let sink = try await ServerUnderSiege.sink(folder: folder, access: access)
        let target = try Target(port: sink.port, access: access)
        let calling = Task {
            let connection = try await Attacker.open(target)
            return try await Self.measure(every: .milliseconds(10)) { try await connection.ask(.ping(nonce: 1)) }
        }
        let coming = Task {
            try await Self.measure(every: .milliseconds(20)) {
                let connection = try await Attacker.open(target)
                try await connection.greet()
                connection.close()
            }
        }
        do {
            _ = try await scene.attack(mode, at: sink)
            for task in [calling, coming] { task.cancel() }
            (calls, welcomes) = (try await calling.value, try await coming.value)
        } catch {
            await sink.stop()
            throw error
        }
        await sink.stop()
    }

    /// Milliseconds that something took each time until the task was cancelled.
    private static func measure(every pause: Duration, _ act: () async throws -> Void) async throws -> [Double] {
        var times: [Double] = []
        while !Task.isCancelled {
            let start = ContinuousClock.now
            try await act()
            times.append((ContinuousClock.now - start) / .milliseconds(1))
            try? await Task.sleep(for: pause)
        }
        return times
    }
}

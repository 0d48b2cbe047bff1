import Foundation
import Synchronization

/// One fault, at a database and servers of its own, and the verdict on it.
struct FaultRound: Sendable {
    /// From the beginning until it happens, and from its end until nobody begins another change.
    private static let lead = Duration.seconds(2)
    private static let after = Duration.seconds(4)
    /// How often processes are checked for having ended.
    private static let supervision = Duration.milliseconds(300)

    let fault: Fault
    let seed: UInt64
    /// How long everybody writes, at least.
    let seconds: Double
    let program: String
    /// For the processes' output.
    let folder: URL

    func run() async throws -> FaultResult {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let disk = fault.needsDisk ? try SmallDisk() : nil
        let arena = try await Arena(program: program, folder: folder, disk: disk)
        do {
            let result = try await run(on: arena)
            await arena.stop()
            return result
        } catch {
            await arena.stop()
            throw error
        }
    }

    private func run(on arena: Arena) async throws -> FaultResult {
        let (dice, recorder) = (Dice(seed: seed), Recorder())
        let company = try await Company(arena, dice: dice, recorder: recorder)
        let scene = FaultScene(arena, dice: dice, recorder: recorder) { company.arrive($0, at: $1) }
        do {
            let result = try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await company.watch() }
                defer { group.cancelAll() }
                try await company.waitUntilShown()
                let span = try await act(scene, company)
                return try await judge(scene, company, span)
            }
            await company.leave()
            return result
        } catch {
            await company.leave()
            throw error
        }
    }

    /// Everybody writes and moves while it happens.
    /// - Returns: the time in which it could be felt.
    private func act(_ scene: FaultScene, _ company: Company) async throws -> ClosedRange<Double> {
        let (isOver, recorder) = (Switch(), company.recorder)
        async let span = happen(scene, recorder, isOver)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await company.move { !isOver.isOn } }
            let isDone = Switch()
            group.addTask {
                await company.write { !isOver.isOn }
                isDone.turnOn()
            }
            // A writer at a server that ends now would wait for ever.
            group.addTask {
                while !isDone.isOn, !Task.isCancelled {
                    try? await supervise(scene, recorder, for: isOver.isOn ? Self.supervision : .zero)
                    try? await Task.sleep(for: Self.supervision)
                }
            }
        }
        let felt = await span
        try Task.checkCancellation()
        return felt
    }

    /// The fault, with some time before and after it.
    /// - Parameter isOver: turned on at the end.
    private func happen(_ scene: FaultScene, _ recorder: Recorder, _ isOver: Switch) async -> ClosedRange<Double> {
        defer { isOver.turnOn() }
        let start = ContinuousClock.now
        var began = recorder.seconds
        do {
            try await Task.sleep(for: Self.lead)
            recorder.record(.fault("\(fault.name) begins, at \(scene.victim.name)"))
            began = recorder.seconds
            try await fault.act(scene)
            recorder.record(.fault("\(fault.name) ends"))
            try await supervise(scene, recorder, for: max(Self.after, start + .seconds(seconds) - .now))
        } catch {
            // An error that stops a fault, such as a server that doesn't start, is judged with the rest.
            recorder.record(.ended(process: fault.name, status: "\(error)"))
        }
        return began...recorder.seconds
    }

    /// Starts what has ended by itself, and says so.
    private func supervise(_ scene: FaultScene, _ recorder: Recorder, for duration: Duration) async throws {
        let end = ContinuousClock.now + duration
        while ContinuousClock.now < end {
            for server in scene.arena.everything where !server.isRunning {
                guard let status = try await server.end() else { continue }
                recorder.record(.ended(process: server.name, status: status.text))
                try await server.start()
            }
            try await Task.sleep(for: min(Self.supervision, duration))
        }
    }

    /// Waits until all mirrors show what the database has, for as long as that may take, and judges.
    private func judge(
        _ scene: FaultScene, _ company: Company, _ span: ClosedRange<Double>
    ) async throws -> FaultResult {
        let terms = Checker.Terms(
            mayRefuse: fault.mayRefuse, patience: fault.patience, victim: scene.victim.name, lasting: company.lasting)
        let reader = StoredReader(database: scene.database)
        let deadline = ContinuousClock.now + Bounds.agreeing
        while true {
            let checker = Checker(company.recorder.history, stored: try reader.stored(), terms: terms)
            guard !checker.differences.isEmpty, ContinuousClock.now < deadline else {
                return FaultResult(fault: fault, seed: seed, checker: checker, span: span)
            }
            try await Task.sleep(for: Bounds.look)
        }
    }
}

/// Turned on once, by whoever knows that something is over.
final class Switch: Sendable {
    private let state = Mutex(false)
    var isOn: Bool { state.withLock { $0 } }
    func turnOn() { state.withLock { $0 = true } }
}

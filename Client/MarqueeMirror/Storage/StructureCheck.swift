import Foundation
import GRDB
import MarqueeLocks

/// SQLite's own check of a mirror's file, on its own thread and connection, so that nothing waits for it.
///
/// It reads the whole file: its pages, and whether indices match their tables. Damage within stored content is found
/// through sums instead, when the content is read.
final class StructureCheck: Sendable {
    private enum Stage {
        case waiting
        case running(DatabaseQueue)
        case cancelled
    }

    private let stage = Locked(Stage.waiting)
    private let ended = DispatchSemaphore(value: 0)

    /// Starts the check.
    ///
    /// - Parameter found: called once on the check's thread if the file is damaged. The file has been marked by then,
    ///   so that the next opening recovers it even if the process ends.
    init(_ path: String, found: @escaping @Sendable (MirrorError) -> Void) {
        Thread.detachNewThread { [self] in
            let damage = damage(path)
            if let damage { SuspectMark(path).set(damage.message) }
            // Signalled first, because a recovery waits for the check to end.
            ended.signal()
            if let damage { found(damage) }
        }
    }

    /// Whether the check has finished or was cancelled.
    var isOver: Bool {
        guard ended.wait(timeout: .now()) == .success else { return false }
        ended.signal()
        return true
    }

    /// Ends the check, and waits until its connection is closed: SQLite notices the interruption at the next page.
    func cancel() {
        let queue = stage.withLock { stage -> DatabaseQueue? in
            defer { stage = .cancelled }
            if case .running(let queue) = stage { return queue }
            return nil
        }
        // Repeatedly, because an interruption has no effect on a statement that starts after it.
        repeat { queue?.interrupt() } while ended.wait(timeout: .now() + .milliseconds(1)) == .timedOut
        // So that a second cancel doesn't wait forever.
        ended.signal()
    }

    /// - Returns: `nil` also when the file can't be opened or read now, which doesn't mean that it is damaged.
    private func damage(_ path: String) -> MirrorError? {
        do {
            let queue = try MirrorDatabase.connect(path, readonly: true)
            defer { try? queue.close() }
            let shouldContinue = stage.withLock { stage in
                guard case .waiting = stage else { return false }
                stage = .running(queue)
                return true
            }
            guard shouldContinue else { return nil }
            // The full check rather than the quick one: with a damaged index a row isn't found, and is stored twice.
            let answer = try queue.unsafeRead { try String.fetchOne($0, sql: "PRAGMA integrity_check(1)") }
            guard let answer, answer != "ok" else { return nil }
            return MirrorError(.corrupt, "the mirror \(path) is damaged: \(answer)")
        } catch {
            let problem = MirrorError(error, at: path)
            return problem.code == .corrupt ? problem : nil
        }
    }
}

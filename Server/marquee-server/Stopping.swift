import Foundation
import Logging
import MarqueeAdmin
import MarqueeServer
import UnixSignals

extension UnixSignalsSequence {
    /// Handles signals until the task ends.
    ///
    /// The first signal to end the process starts an orderly shutdown; a second one ends the process at once, as its
    /// sender doesn't want to wait. SIGHUP has files read again, unless it means that the process's terminal is gone.
    func obey(readAgain: () async -> Void, stop: () -> Void) async {
        let hadTerminal = Console.hasTerminal
        var isStopping = false
        for await signal in self {
            if signal == .sighup, !isStopping, !hadTerminal || Console.hasTerminal {
                await readAgain()
                continue
            }
            if isStopping { _exit(CommandFailure.Code.interrupted) }
            isStopping = true
            stop()
        }
    }
}

extension MarqueeServer {
    /// Tells the manager that the server is alive whenever the thread that makes all screens has answered, until the
    /// task is cancelled. Not for use during the shutdown: a thread that has ended may never answer.
    func keepTelling(_ manager: ServiceManager?) async {
        await manager?.keepTold { try await hubTurn().get() }
    }

    /// Shuts down in order: tells clients to leave, and answers operators until they have.
    /// - Parameter delay: seconds for load balancers to notice that no further clients should be sent here.
    func stop(
        _ node: AdminNode, _ admin: AdminServer?, after delay: Int, telling manager: ServiceManager?, _ logger: Logger
    ) async {
        manager?.tell(.stopping(delay: delay))
        node.drains()
        if delay > 0 {
            logger.notice("shutting down in \(delay) s, so that load balancers notice")
            try? await Task.sleep(for: .seconds(delay))
        }
        logger.notice("shutting down: telling clients to leave")
        await drain {
            node.stops()
            await admin?.stop()
        }
    }
}

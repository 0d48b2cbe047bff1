import Foundation
import Logging
import MarqueeAdmin
import MarqueeServer
import UnixSignals

extension UnixSignalsSequence {
    /// Hears signals until the task ends.
    ///
    /// The first that asks the process to end is for an orderly shutdown; a second one means that the sender doesn't
    /// want to wait for it, and ends the process at once. SIGHUP asks for files to be read again, unless it means that
    /// the process's terminal is gone.
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
    /// task is cancelled. That is for before the shutdown: a thread that has ended may never answer.
    func keepTelling(_ manager: ServiceManager?) async {
        await manager?.keepTold { try await hubTurn().get() }
    }

    /// Shuts down in order: tells clients to leave, and can be asked by operators until they have.
    func stop(_ node: AdminNode, _ admin: AdminServer?, telling manager: ServiceManager?, _ logger: Logger) async {
        logger.notice("shutting down: telling clients to leave")
        manager?.tell(.stopping)
        node.drains()
        await drain {
            node.stops()
            await admin?.stop()
        }
    }
}

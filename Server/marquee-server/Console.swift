import Foundation
import Logging
import MarqueeAdmin
import MarqueeTLS
import Synchronization

/// The standard streams. A closed one is not an error: a server outlives the terminal that started it.
enum Console {
    /// Writes a line to standard output at once, whether or not it is a terminal.
    static func say(_ line: String) { write(line + "\n") }

    /// Writes text to standard output unchanged.
    static func write(_ text: String) {
        guard let number = write(text, to: STDOUT_FILENO), ![EPIPE, EBADF, EIO].contains(number) else { return }
        outputFailure.withLock { $0 = $0 ?? number }
    }

    /// The `errno` with which standard output became incomplete; a closed pipe doesn't count.
    private static let outputFailure = Mutex<Int32?>(nil)

    /// Whether writing to standard output has failed.
    static var hasFailed: Bool { outputFailure.withLock { $0 != nil } }

    /// - Throws: `inputOutput` if standard output is incomplete, for instance because a disk is full.
    static func checkOutput() throws(CommandFailure) {
        guard let number = outputFailure.withLock({ $0 }) else { return }
        throw CommandFailure(
            .inputOutput, "standard output is incomplete: \(String(cString: strerror(number)).lowercased())")
    }

    /// Writes a line to standard error.
    /// - Parameter level: the level of the line if it goes to a log.
    static func complain(_ line: String, _ level: Logger.Level = .warning) {
        if let log = log.withLock({ $0 }) { return log.add(level, label: MarqueeServerCommand.name, line) }
        show("\(MarqueeServerCommand.name): \(line)\n")
    }

    /// Complains if a file that should be private isn't.
    static func warn(about path: String) {
        if let warning = PrivateFile.warning(path) { complain(warning) }
    }

    /// Writes to standard error the lines that explain the next complaint.
    static func explain(_ lines: [String]) {
        for line in lines {
            if let log = log.withLock({ $0 }) {
                log.add(.warning, label: MarqueeServerCommand.name, line)
            } else {
                show("\(line)\n")
            }
        }
    }

    /// Writes text to standard error unchanged.
    static func show(_ text: String) { _ = write(text, to: STDERR_FILENO) }

    /// The log that complaints go to; standard error then has nothing but its lines.
    private static let log = Mutex<ServerLog?>(nil)

    /// Sends all complaints from now on to a log.
    static func complain(in log: ServerLog) { Self.log.withLock { $0 = log } }

    static var showsProgress: Bool { isatty(STDERR_FILENO) == 1 }

    /// Whether any standard stream is connected to a live terminal.
    static var hasTerminal: Bool { [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO].contains { isatty($0) == 1 } }

    /// Lets a write to a closed pipe fail instead of ending the process.
    static func surviveClosedPipes() { signal(SIGPIPE, SIG_IGN) }

    /// - Returns: `errno` if not everything was written.
    private static func write(_ text: String, to descriptor: Int32) -> Int32? {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return errno }
            bytes = bytes.dropFirst(count)
        }
        return nil
    }
}

import Foundation
import Synchronization

/// A client in its own process, without input. Its output goes to files in a folder.
package final class SpawnedClient: RunningClient {
    /// The most bytes of its standard error that a report shows.
    private static let errorBytes = 2_000

    private let id: pid_t
    private let errorFile: String
    /// The status that `waitpid` stored; `nil` until then, while the id still belongs to this child.
    private let status = Mutex<CInt?>(nil)

    /// - Parameters:
    ///   - words: the program, looked up in PATH, and its arguments.
    ///   - folder: the folder for its output.
    /// - Throws: `LaunchError` if it can't be started.
    package init(_ words: [String], folder: String) throws {
        errorFile = "\(folder)/errors"
        id = try Self.spawn(words, output: "\(folder)/output", errors: errorFile)
    }

    deinit { stop() }

    package func ending() async -> String? {
        let status = status.withLock { status -> CInt? in
            var found: CInt = 0
            if status == nil, waitpid(id, &found, WNOHANG) == id { status = found }
            return status
        }
        guard let status else { return nil }
        // The low seven bits are the signal, the next eight the exit status.
        let ending = status & 0x7F == 0 ? "it exited with \(status >> 8 & 0xFF)" : "signal \(status & 0x7F) ended it"
        let errors = FileManager.default.contents(atPath: errorFile).map { $0.suffix(Self.errorBytes) } ?? Data()
        return errors.isEmpty ? ending : "\(ending) and said: \(String(decoding: errors, as: UTF8.self))"
    }

    package func kill() async { stop() }

    private func stop() {
        status.withLock { status in
            guard status == nil else { return }
            var found: CInt = 0
            Foundation.kill(id, SIGKILL)
            waitpid(id, &found, 0)
            status = found
        }
    }

    private static func spawn(_ words: [String], output: String, errors: String) throws -> pid_t {
        guard let program = words.first else { throw LaunchError(message: "there is no command") }
        #if canImport(Darwin)
            var files: posix_spawn_file_actions_t?
            var attributes: posix_spawnattr_t?
        #else
            var files = posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
        #endif
        posix_spawn_file_actions_init(&files)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&files)
            posix_spawnattr_destroy(&attributes)
        }
        posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        for (descriptor, file) in [(STDOUT_FILENO, output), (STDERR_FILENO, errors)] {
            posix_spawn_file_actions_addopen(&files, descriptor, file, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        }
        // Copies of this program's sockets would keep its connections open after it has closed them.
        var flags = Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK)
        #if canImport(Darwin)
            flags |= Int16(POSIX_SPAWN_CLOEXEC_DEFAULT)
        #else
            guard let closeFrom else { throw LaunchError(message: "the C library is older than glibc 2.34") }
            _ = closeFrom(&files, STDERR_FILENO + 1)
        #endif
        // The child doesn't inherit the signals that this process ignores or blocks.
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, flags)

        let arguments = words.map { strdup($0) }
        let variables = ProcessInfo.processInfo.environment.map { strdup("\($0.key)=\($0.value)") }
        defer { for text in arguments + variables { free(text) } }
        var id = pid_t()
        let error = posix_spawnp(&id, program, &files, &attributes, arguments + [nil], variables + [nil])
        guard error == 0 else {
            throw LaunchError(message: "\(program) can't be started: \(String(cString: strerror(error)))")
        }
        return id
    }

    #if !canImport(Darwin)
        /// A glibc extension. Its headers declare it only under a feature macro that Swift doesn't define.
        private static let closeFrom:
            (@convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, CInt) -> CInt)? =
                dlsym(nil, "posix_spawn_file_actions_addclosefrom_np").map {
                    unsafeBitCast(
                        $0, to: (@convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, CInt) -> CInt).self)
                }
    #endif
}

/// Thrown when a client can't be started.
package struct LaunchError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A human-readable message.
    package var message: String
    package var description: String { message }
}

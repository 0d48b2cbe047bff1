import Foundation
import Synchronization

/// A program of this package as a process of its own. What it says goes to files, so that nothing is lost when it is killed and no thread waits for
/// a pipe. It is killed, by its id, when it is forgotten.
///
/// Started by `posix_spawn`: Foundation's `Process` crashes once in some hundred starts while other threads are busy.
final class RunningProcess: Sendable {
    /// The folder of the built executables: this test's own.
    private static let products = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()

    let id: pid_t
    private let outputFile: URL
    private let errorFile: URL
    /// What `waitpid` gave; until then the id belongs to this process and to no other.
    private let waited = Mutex<CInt?>(nil)

    /// - Parameters:
    ///   - folder: for what it says, and its home.
    ///   - input: the file that it reads; nothing by default.
    init(_ program: String, _ arguments: [String], in folder: URL, input: URL? = nil) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let name = "\(program)-\(UUID().uuidString)"
        outputFile = folder.appending(path: "\(name).out")
        errorFile = folder.appending(path: "\(name).err")
        id = try Self.spawn(
            Self.products.appending(path: program).path, arguments,
            environment: ["XDG_STATE_HOME=\(folder.path)", "PATH=/usr/bin:/bin", "HOME=\(folder.path)"],
            input: input?.path ?? "/dev/null", output: outputFile.path, errors: errorFile.path)
    }

    deinit {
        signal(SIGKILL)
        waited.withLock { status in
            if status == nil { waitpid(id, nil, 0) }
        }
        for file in [outputFile, errorFile] { try? FileManager.default.removeItem(at: file) }
    }

    private static func spawn(
        _ path: String, _ arguments: [String], environment: [String], input: String, output: String, errors: String
    ) throws -> pid_t {
        var files = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&files)
        defer { posix_spawn_file_actions_destroy(&files) }
        posix_spawn_file_actions_addopen(&files, STDIN_FILENO, input, O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_addopen(&files, STDERR_FILENO, errors, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_addclosefrom_np(&files, 3)

        // Other tests of this process may ignore signals or trap them.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK))

        let argv = ([path] + arguments).map { strdup($0) }
        let variables = environment.map { strdup($0) }
        defer { for text in argv + variables { free(text) } }
        var id = pid_t()
        let error = posix_spawn(&id, path, &files, &attributes, argv + [nil], variables + [nil])
        guard error == 0 else {
            throw Overdue(description: "\(path) can't be started: \(String(cString: strerror(error)))")
        }
        return id
    }

    /// What `waitpid` says of its end; `nil` while it runs.
    private var end: CInt? {
        waited.withLock { known in
            if let known { return known }
            var status: CInt = 0
            guard waitpid(id, &status, WNOHANG) == id else { return nil }
            known = status
            return status
        }
    }

    var isRunning: Bool { end == nil }
    /// What it has said so far.
    var output: String { Self.text(outputFile) }
    var errors: String { Self.text(errorFile) }

    private static func text(_ file: URL) -> String {
        String(decoding: (try? Data(contentsOf: file)) ?? Data(), as: UTF8.self)
    }

    /// Waits until a whole line of the output contains the text.
    func line(with wanted: String) async throws -> String {
        var found: String?
        try await eventually("the line '\(wanted)'; it said: \(output)\(errors)") {
            let hasEnded = !isRunning
            let text = output
            found = text[..<(text.lastIndex(of: "\n") ?? text.startIndex)].split(separator: "\n")
                .first { $0.contains(wanted) }.map(String.init)
            if found == nil, hasEnded { throw Overdue(description: "it ended without '\(wanted)': \(text)\(errors)") }
            return found != nil
        }
        return found ?? ""
    }

    /// Waits for the end.
    /// - Returns: the exit status; `nil` when a signal ended it.
    @discardableResult
    func ended(within limit: Duration = .seconds(120)) async throws -> CInt? {
        try await eventually("the end of process \(id); it said: \(output)\(errors)", within: limit) { !isRunning }
        // The low seven bits are the signal, the next eight the status.
        guard let end, end & 0x7F == 0 else { return nil }
        return (end >> 8) & 0xFF
    }

    func signal(_ number: CInt) {
        waited.withLock { status in
            if status == nil { kill(id, number) }
        }
    }

    /// Sends a signal and waits for the end.
    @discardableResult
    func stop(_ number: CInt) async throws -> CInt? {
        signal(number)
        return try await ended()
    }
}

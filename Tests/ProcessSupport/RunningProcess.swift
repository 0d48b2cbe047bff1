package import Foundation
import Synchronization

/// A program of this package as a separate process. Its output goes to files, so that nothing is lost when it is killed
/// and no thread waits for a pipe. It is killed, by its id, when this object is released.
///
/// Started by `posix_spawn`: Foundation's `Process` crashed once in a few hundred starts while other threads were busy.
/// The child gets no files but its three: a copy of a socket would keep its port taken and its connection open.
package final class RunningProcess: Sendable {
    /// The folder of the built executables, which is this one's own.
    package static let products = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()

    package let id: pid_t
    private let outputFile: URL
    private let errorFile: URL
    private let keepsOutput: Bool
    /// The result of `waitpid`. Until it is set, the id is this child's and nobody else's.
    private let end = Mutex<CInt?>(nil)

    /// - Parameters:
    ///   - program: its path, or the name of one of the built executables.
    ///   - folder: for its output, as its home, and where it runs.
    ///   - input: the file to read; nothing by default.
    ///   - home: its home folder if not `folder`; an empty text for none.
    ///   - variables: more of its environment, such as `NAME=value`.
    ///   - output: the name of the files with its output, which stay; `nil` for files that go with this object.
    package init(
        _ program: String, _ arguments: [String], in folder: URL, input: URL? = nil, home: String? = nil,
        variables: [String] = [], output: String? = nil
    ) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let executable = program.contains("/") ? program : Self.products.appending(path: program).path
        let name = output ?? "\(URL(filePath: program).lastPathComponent)-\(UUID().uuidString)"
        keepsOutput = output != nil
        outputFile = folder.appending(path: "\(name).out")
        errorFile = folder.appending(path: "\(name).err")
        let places =
            home.map { $0.isEmpty ? [] : ["HOME=\($0)"] }
            ?? ["XDG_STATE_HOME=\(folder.path)", "HOME=\(folder.path)"]
        id = try Self.spawn(
            executable, arguments,
            environment: ["PATH=/usr/bin:/bin"] + places + variables,
            in: folder.path, input: input?.path ?? "/dev/null", output: outputFile.path, errors: errorFile.path)
    }

    deinit {
        end.withLock { end in
            guard end == nil else { return }
            kill(id, SIGKILL)
            waitpid(id, nil, 0)
        }
        if keepsOutput { return }
        for file in [outputFile, errorFile] { try? FileManager.default.removeItem(at: file) }
    }

    private static func spawn(
        _ path: String, _ arguments: [String], environment: [String], in folder: String, input: String, output: String,
        errors: String
    ) throws -> pid_t {
        var files = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&files)
        defer { posix_spawn_file_actions_destroy(&files) }
        posix_spawn_file_actions_addopen(&files, STDIN_FILENO, input, O_RDONLY, 0)
        for (descriptor, file) in [(STDOUT_FILENO, output), (STDERR_FILENO, errors)] {
            posix_spawn_file_actions_addopen(&files, descriptor, file, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        }

        guard let changeFolder = Self.changeFolder, let closeFrom = Self.closeFrom else {
            throw Overdue(
                description: "the C library is older than glibc 2.34: processes can't be started without files")
        }
        _ = changeFolder(&files, folder)
        _ = closeFrom(&files, STDERR_FILENO + 1)

        // Signals that this process ignores or blocks don't concern the child.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))

        let words = ([path] + arguments).map { strdup($0) }
        let variables = environment.map { strdup($0) }
        defer { for text in words + variables { free(text) } }
        var id = pid_t()
        let error = posix_spawn(&id, path, &files, &attributes, words + [nil], variables + [nil])
        guard error == 0 else {
            throw Overdue(description: "\(path) can't be started: \(String(cString: strerror(error)))")
        }
        return id
    }

    /// A glibc extension that its headers declare only on request, which Swift doesn't make.
    private static var closeFrom: (@convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, CInt) -> CInt)? {
        dlsym(nil, "posix_spawn_file_actions_addclosefrom_np").map {
            unsafeBitCast(
                $0, to: (@convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, CInt) -> CInt).self)
        }
    }

    /// Another one.
    private static var changeFolder:
        (@convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, UnsafePointer<CChar>) -> CInt)?
    {
        dlsym(nil, "posix_spawn_file_actions_addchdir_np").map {
            unsafeBitCast(
                $0,
                to: (@convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, UnsafePointer<CChar>) -> CInt)
                    .self)
        }
    }

    /// Its status from `waitpid`; `nil` while it runs.
    private var status: CInt? {
        end.withLock { end in
            var status: CInt = 0
            if end == nil, waitpid(id, &status, WNOHANG) == id { end = status }
            return end
        }
    }

    package var isRunning: Bool { status == nil }
    /// Its output so far.
    package var output: String { Self.text(outputFile) }
    package var errors: String { Self.text(errorFile) }

    private static func text(_ file: URL) -> String {
        String(decoding: (try? Data(contentsOf: file)) ?? Data(), as: UTF8.self)
    }

    /// Waits until a complete line of the output contains the text.
    package func line(with wanted: String) async throws -> String {
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
    package func ended(within limit: Duration = .seconds(120)) async throws -> Int32? {
        try await eventually("the end of process \(id); it said: \(output)\(errors)", within: limit) { !isRunning }
        // The low seven bits are the signal, the next eight the exit status.
        return status.flatMap { $0 & 0x7F == 0 ? ($0 >> 8) & 0xFF : nil }
    }

    package func signal(_ number: Int32) {
        end.withLock { end in
            if end == nil { kill(id, number) }
        }
    }

    /// Sends a signal and waits for the end.
    @discardableResult
    package func stop(_ number: Int32) async throws -> Int32? {
        signal(number)
        return try await ended()
    }
}

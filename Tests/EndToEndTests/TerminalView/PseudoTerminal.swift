import CTerminal
import Foundation

/// A program of this package in a pseudo-terminal, as the leader of a session whose terminal it is: so Ctrl-C and
/// changes of size reach it as signals. It is killed, by its id, when this object is released.
final class PseudoTerminal {
    enum Ending: Hashable {
        case exit(Int32)
        case signal(Int32)
    }

    let id: pid_t
    let screen: EmulatedScreen
    private var terminal: Int32
    /// The program's end, also held open here so that its settings can be read after the program has gone.
    private let other: Int32
    private var ending: Ending?
    /// The value of `settings` before the program began.
    let formerSettings: [UInt64]

    /// - Parameters:
    ///   - program: of this package, or a path.
    ///   - folder: its home.
    ///   - environment: in addition to `HOME`, `PATH` and the folder of mirrors.
    init(
        _ program: String, _ arguments: [String], in folder: URL, environment: [String: String] = [:],
        columns: Int = 100, rows: Int = 40
    ) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // No program that another test starts in the meantime may hold it open.
        var name = [CChar](repeating: 0, count: 128)
        terminal = marquee_pseudo_terminal(O_RDWR | O_NOCTTY | O_CLOEXEC, &name, name.count)
        guard terminal >= 0 else {
            throw Overdue(description: "no pseudo-terminal: \(String(cString: strerror(errno)))")
        }
        _ = fcntl(terminal, F_SETFL, fcntl(terminal, F_GETFL) | O_NONBLOCK)
        other = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
        formerSettings = Self.settings(of: other)
        screen = EmulatedScreen(columns: columns, rows: rows)
        Self.setSize(of: terminal, columns: columns, rows: rows)
        let path = program.hasPrefix("/") ? program : RunningProcess.products.appending(path: program).path
        let variables = ["XDG_STATE_HOME": folder.path, "PATH": "/usr/bin:/bin", "HOME": folder.path]
            .merging(environment) { $1 }
        id = try Self.spawn(path, [program] + arguments, variables.map { "\($0)=\($1)" }, on: name)
    }

    deinit {
        if ending == nil {
            kill(id, SIGKILL)
            waitpid(id, nil, 0)
        }
        hangUp()
        close(other)
    }

    private static func spawn(
        _ path: String, _ arguments: [String], _ environment: [String], on terminal: [CChar]
    ) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // The first terminal that the leader of a new session opens is the session's.
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, terminal, O_RDWR, 0)
        posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDERR_FILENO)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // This process may ignore or block signals that a shell's child would receive.
        var every = sigset_t()
        sigfillset(&every)
        posix_spawnattr_setsigdefault(&attributes, &every)
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        let newSession: Int32 = 0x80
        posix_spawnattr_setflags(
            &attributes, Int16(newSession | Int32(POSIX_SPAWN_SETSIGDEF) | Int32(POSIX_SPAWN_SETSIGMASK)))
        var strings = (arguments + environment).map { strdup($0) }
        defer { strings.forEach { free($0) } }
        strings.insert(nil, at: arguments.count)
        strings.append(nil)
        var id: pid_t = 0
        let error = strings.withUnsafeBufferPointer { strings in
            guard let first = strings.baseAddress else { return EINVAL }
            return posix_spawn(&id, path, &actions, &attributes, first, first + arguments.count + 1)
        }
        guard error == 0 else { throw Overdue(description: "\(path): \(String(cString: strerror(error)))") }
        return id
    }

    // MARK: - What a person does

    func type(_ keys: String) {
        var bytes = Array(keys.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { write(terminal, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            bytes = bytes.dropFirst(count)
        }
    }

    func resize(columns: Int, rows: Int) {
        read()
        screen.resize(columns: columns, rows: rows)
        Self.setSize(of: terminal, columns: columns, rows: rows)
    }

    private static func setSize(of terminal: Int32, columns: Int, rows: Int) {
        var size = winsize(
            ws_row: UInt16(clamping: rows), ws_col: UInt16(clamping: columns), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(terminal, UInt(TIOCSWINSZ), &size)
    }

    func signal(_ number: Int32) { kill(id, number) }

    /// From now on the terminal takes no output.
    func stopOutput() { tcflow(other, TCOOFF) }

    /// Closes the window.
    func hangUp() {
        if terminal >= 0 { close(terminal) }
        terminal = -1
    }

    // MARK: - What a person sees

    /// How the terminal treats what is typed and written, as reported by `stty -a`.
    var settings: [UInt64] { Self.settings(of: other) }

    private static func settings(of terminal: Int32) -> [UInt64] {
        var settings = termios()
        tcgetattr(terminal, &settings)
        let flags = [settings.c_iflag, settings.c_oflag, settings.c_cflag, settings.c_lflag].map { UInt64($0) }
        return flags + withUnsafeBytes(of: settings.c_cc) { $0.map { UInt64($0) } }
    }

    /// Reads what the program has written.
    /// - Parameters:
    ///   - part: bytes.
    ///   - look: called after each part.
    private func read(part: Int = 16_384, _ look: () -> Void = {}) {
        var buffer = [UInt8](repeating: 0, count: part)
        while terminal >= 0 {
            let count = buffer.withUnsafeMutableBytes { Foundation.read(terminal, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            screen.write(buffer.prefix(count))
            look()
        }
    }

    /// Waits until it was on the screen, however briefly and however late this process gets to read it.
    func showed(_ what: String, _ condition: (EmulatedScreen) -> Bool) async throws {
        var isSeen = false
        try await eventually("'\(what)' on the screen, which shows:\n\(screen.text)\n") {
            // Much less than a frame that draws the whole screen.
            read(part: 512) { isSeen = isSeen || condition(screen) }
            return isSeen
        }
    }

    /// Waits until the screen is as expected.
    /// - Throws: `Overdue` with the actual screen, also when the program has ended.
    func shows(_ what: String, _ condition: ((EmulatedScreen) -> Bool)? = nil) async throws {
        try await eventually("'\(what)' on the screen, which shows:\n\(screen.text)\n") {
            let hasEnded = hasEnded
            read()
            if condition?(screen) ?? screen.contains(what) { return true }
            if hasEnded { throw Overdue(description: "it ended without '\(what)':\n\(screen.text)") }
            return false
        }
    }

    private var hasEnded: Bool {
        if ending != nil { return true }
        var status: Int32 = 0
        guard waitpid(id, &status, WNOHANG) == id else { return false }
        // As <sys/wait.h> decodes it, in macros.
        let signal = status & 0x7F
        ending = signal == 0 ? .exit(status >> 8 & 0xFF) : .signal(signal)
        return true
    }

    /// Waits for the end, and reads the last output.
    func ended() async throws -> Ending? {
        try await eventually("the end of process \(id), whose screen shows:\n\(screen.text)\n") {
            let hasEnded = hasEnded
            // A program that waits for its terminal doesn't end.
            read()
            return hasEnded
        }
        return ending
    }
}

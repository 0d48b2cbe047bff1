import Foundation
import Synchronization

/// The terminal on loan from the shell: set up for screens, and given back as it was however the program ends or stops,
/// so that nobody is left with a terminal that doesn't show what they type.
///
/// A signal handler may call next to nothing, so the bytes it writes and the terminal's former settings are kept ready
/// in memory of their own. SIGINT and SIGTERM end the session in order, and so aren't handled here; no program can
/// handle SIGKILL or SIGSTOP.
enum TerminalLoan {
    private static let capacity = 512
    private static let lastSignal: Int32 = 64
    /// Milliseconds to wait for a terminal that is busy when it is given back.
    private static let patience: Int32 = 300

    // Written before the handlers are installed and after they are gone; `former` also while the terminal isn't taken.
    nonisolated(unsafe) private static let leaving = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    nonisolated(unsafe) private static var leavingCount = 0
    nonisolated(unsafe) private static let former = UnsafeMutablePointer<termios>.allocate(capacity: 1)
    nonisolated(unsafe) private static let actions = UnsafeMutablePointer<sigaction>.allocate(
        capacity: Int(lastSignal) + 1)
    nonisolated(unsafe) private static var handled: [Int32] = []
    nonisolated(unsafe) private static var stopping = sigaction()
    private static let taken = Atomic(false)

    /// The descriptor for screens: the terminal, opened so that a write never waits, even if the terminal takes
    /// nothing. Standard output keeps its mode for everybody who shares it; it is used if the terminal can't be opened.
    static let output: Int32 = {
        var name = [CChar](repeating: 0, count: 256)
        var (here, there) = (stat(), stat())
        guard ttyname_r(STDOUT_FILENO, &name, name.count) == 0, fstat(STDOUT_FILENO, &here) == 0 else {
            return STDOUT_FILENO
        }
        let descriptor = open(name, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else { return STDOUT_FILENO }
        // In a container the name may be another terminal's.
        guard fstat(descriptor, &there) == 0, here.st_rdev == there.st_rdev else {
            close(descriptor)
            return STDOUT_FILENO
        }
        return descriptor
    }()

    /// Whether the terminal is set up for screens.
    static var isTaken: Bool { taken.load(ordering: .acquiring) }

    /// Sets the terminal up: from now on input arrives unchanged and key by key, and no byte of it becomes a signal or
    /// stops the output, because it may be pasted.
    /// - Throws: `Failure` if standard input isn't a terminal.
    static func take() throws {
        var settings = termios()
        guard tcgetattr(STDIN_FILENO, &settings) == 0 else {
            throw Failure(.ioError, "standard input isn't a terminal: \(String(cString: strerror(errno)))")
        }
        if !isTaken { former.initialize(to: settings) }
        let (output, control) = (settings.c_oflag, settings.c_cflag)
        cfmakeraw(&settings)
        (settings.c_oflag, settings.c_cflag) = (output, control)
        // Earlier keys were meant for the program before.
        tcflush(STDIN_FILENO, TCIFLUSH)
        taken.store(true, ordering: .releasing)
        tcsetattr(STDIN_FILENO, TCSANOW, &settings)
    }

    /// Gives the terminal back, if it is taken. Safe in a signal handler.
    ///
    /// Unread input is dropped: it was meant for the screen and not for the shell. The settings are restored even if
    /// the terminal takes no output now.
    static func giveBack() {
        guard taken.exchange(false, ordering: .acquiringAndReleasing) else { return }
        if JobControl.isForeground {
            tcflush(STDIN_FILENO, TCIFLUSH)
            tcsetattr(STDIN_FILENO, TCSANOW, former)
        }
        var ready = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
        var done = 0
        while done < leavingCount, poll(&ready, 1, patience) > 0 {
            let written = write(output, leaving + done, leavingCount - done)
            guard written > 0 else { return }
            done += written
        }
    }

    // MARK: - Signals

    /// - Parameter bytes: the sequence that restores the previous screen.
    static func install(leaving bytes: [UInt8]) {
        // Made now, because a handler can't.
        _ = (output, isTaken)
        leavingCount = min(bytes.count, capacity)
        leaving.initialize(from: bytes, count: leavingCount)
        for number in 1...lastSignal where ends(number) { handle(number, 0) { TerminalLoan.end(by: $0) } }
        // It stops the program inside of the handler.
        handle(SIGTSTP, Int32(SA_NODEFER)) { _ in TerminalLoan.stop() }
    }

    static func uninstall() {
        for number in handled { sigaction(number, actions + Int(number), nil) }
        handled = []
    }

    /// Whether the signal's default is to end a program, and nothing else here deals with it.
    private static func ends(_ number: Int32) -> Bool {
        switch number {
        case SIGINT, SIGTERM, SIGKILL: false
        case SIGCHLD, SIGURG, SIGWINCH, SIGCONT: false
        case SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU: false
        default: true
        }
    }

    /// A signal that is ignored, for instance because of `nohup`, stays ignored.
    private static func handle(_ number: Int32, _ flags: Int32, _ handler: @escaping @convention(c) (Int32) -> Void) {
        let former = actions + Int(number)
        former.initialize(to: sigaction())
        guard sigaction(number, nil, former) == 0, !isIgnored(former.pointee) else { return }
        var action = sigaction()
        set(handler, of: &action)
        action.sa_flags = flags
        if sigaction(number, &action, nil) == 0 { handled.append(number) }
        if number == SIGTSTP { stopping = action }
    }

    private static func end(by number: Int32) {
        giveBack()
        // The signal waits until the handler returns.
        signal(number, SIG_DFL)
        raise(number)
    }

    private static func stop() {
        let error = errno
        giveBack()
        signal(SIGTSTP, SIG_DFL)
        raise(SIGTSTP)
        // The program was continued, or never stopped, if nobody could continue it. The session gets a SIGCONT either
        // way.
        sigaction(SIGTSTP, &stopping, nil)
        kill(getpid(), SIGCONT)
        errno = error
    }

    #if canImport(Darwin)
        private static func set(_ handler: @escaping @convention(c) (Int32) -> Void, of action: inout sigaction) {
            action.__sigaction_u.__sa_handler = handler
        }

        private static func isIgnored(_ action: sigaction) -> Bool {
            unsafeBitCast(action.__sigaction_u.__sa_handler, to: Int.self) == 1
        }
    #else
        private static func set(_ handler: @escaping @convention(c) (Int32) -> Void, of action: inout sigaction) {
            action.__sigaction_handler.sa_handler = handler
        }

        private static func isIgnored(_ action: sigaction) -> Bool {
            unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
        }
    #endif
}

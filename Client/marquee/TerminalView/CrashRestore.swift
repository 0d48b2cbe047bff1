import Foundation

/// Gives the terminal back when the process crashes, so that nobody is left with a terminal that doesn't show what they
/// type.
///
/// A signal handler may call next to nothing, so the bytes it writes and the terminal's previous settings are kept
/// ready in memory of their own.
enum CrashRestore {
    private static let signals: [Int32] = [SIGSEGV, SIGBUS, SIGILL, SIGABRT, SIGFPE, SIGTRAP]
    private static let capacity = 256

    // Written before the handlers are installed and after they are gone, and read by the handler of a process that is
    // about to end.
    nonisolated(unsafe) private static let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    nonisolated(unsafe) private static var count = 0
    nonisolated(unsafe) private static let settings = UnsafeMutablePointer<termios>.allocate(capacity: 1)
    nonisolated(unsafe) private static var hasSettings = false

    /// Call this before the terminal is changed.
    static func rememberTerminal() {
        settings.initialize(to: termios())
        hasSettings = tcgetattr(STDIN_FILENO, settings) == 0
    }

    /// - Parameter capability: looks up a string in the terminal's description.
    static func install(capability: (String) -> UnsafePointer<CChar>?) {
        count = 0
        // Plain text, keypad off, cursor visible, the screen as it was.
        for name in ["sgr0", "rmkx", "cnorm", "rmcup"] {
            guard let text = capability(name) else { continue }
            for byte in UnsafeBufferPointer(start: text, count: strlen(text)) where count < capacity {
                bytes[count] = UInt8(bitPattern: byte)
                count += 1
            }
        }
        for number in signals {
            signal(number) { number in
                _ = write(STDOUT_FILENO, CrashRestore.bytes, CrashRestore.count)
                if CrashRestore.hasSettings { tcsetattr(STDIN_FILENO, TCSANOW, CrashRestore.settings) }
                signal(number, SIG_DFL)
                raise(number)
            }
        }
    }

    static func uninstall() {
        for number in signals { signal(number, SIG_DFL) }
    }
}

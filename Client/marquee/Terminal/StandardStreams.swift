import Foundation

/// What a program relies on before it opens anything.
enum StandardStreams {
    /// Makes the three standard descriptors safe to use.
    ///
    /// A reader that has gone is told by the write itself, so the signal for it is ignored. A descriptor that the
    /// caller closed would be given to the next file or socket, and output would go there: it is taken, so that reading
    /// finds nothing and writing fails.
    static func prepare() {
        signal(SIGPIPE, SIG_IGN)
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 && errno == EBADF {
            // The lowest free number is given, which is this one.
            _ = open("/dev/null", O_RDONLY)
        }
    }
}

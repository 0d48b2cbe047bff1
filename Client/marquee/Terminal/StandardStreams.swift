import Foundation

/// The standard streams, on which a program relies before it opens anything.
enum StandardStreams {
    /// Makes the three standard descriptors safe to use.
    ///
    /// A write itself reports that its reader has gone, so the signal for that is ignored. A descriptor that the caller
    /// closed would be given to the next file or socket, and output would go there; so it is taken here, and then
    /// reading finds nothing and writing fails.
    static func prepare() {
        signal(SIGPIPE, SIG_IGN)
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 && errno == EBADF {
            // This gets the lowest free number, which is this one.
            _ = open("/dev/null", O_RDONLY)
        }
    }
}

import Foundation

/// Notices when the reader of standard output has gone, even while there is nothing to write.
///
/// Without it, `marquee subscribe home | head -3` would keep the shell waiting until the screen's next change.
enum OutputWatch {
    /// Returns when the reader has gone; never if standard output is not a pipe or socket.
    static func readerGone() async {
        guard isPipe else {
            await untilCancelled()
            return
        }
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        // A thread, since it waits in the kernel. It ends with the process at the latest.
        Thread.detachNewThread {
            var poll = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
            while Foundation.poll(&poll, 1, -1) < 0, errno == EINTR {}
            continuation.finish()
        }
        for await _ in stream {}
    }

    private static var isPipe: Bool {
        var status = stat()
        guard fstat(STDOUT_FILENO, &status) == 0 else { return false }
        let kind = status.st_mode & S_IFMT
        return kind == S_IFIFO || kind == S_IFSOCK
    }

    private static func untilCancelled() async {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        for await _ in stream {}
        continuation.finish()
    }
}

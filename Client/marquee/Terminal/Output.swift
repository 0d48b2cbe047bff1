import Foundation

/// The reader has closed the output. Not a failure: it has seen what it wanted.
struct OutputClosed: Error {}

/// Writes to a descriptor without buffering, so the reader of a pipe sees each line at once.
struct Output: Sendable {
    let descriptor: Int32

    static let standard = Output(descriptor: STDOUT_FILENO)

    /// Writes the lines, each ended.
    /// - Throws: `OutputClosed` if the reader has gone, `Failure` for other errors such as a full disk.
    func write(_ lines: [String]) throws {
        guard !lines.isEmpty else { return }
        try write(bytes: Array((lines.joined(separator: "\n") + "\n").utf8))
    }

    func write(_ line: String) throws { try write([line]) }

    /// A pipe that is ready takes this many bytes without making the writer wait.
    private static let chunkBytes = 4_096
    /// How soon a writer waiting for its reader notices that it was cancelled.
    private static let patienceMilliseconds: Int32 = 100

    /// Writes the bytes as they are.
    func write(bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            try waitUntilWritable()
            let written = rest.prefix(Output.chunkBytes).withUnsafeBytes {
                Foundation.write(descriptor, $0.baseAddress, $0.count)
            }
            if written >= 0 {
                rest = rest.dropFirst(written)
                continue
            }
            switch errno {
            case EINTR, EAGAIN: continue
            case EPIPE: throw OutputClosed()
            default: throw Failure(.ioError, "can't write the output: \(String(cString: strerror(errno)))")
            }
        }
    }

    /// A reader may stop reading for hours, as a pager does; Ctrl-C must end the program all the same.
    private func waitUntilWritable() throws {
        var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        while Foundation.poll(&poll, 1, Output.patienceMilliseconds) == 0 { try Task.checkCancellation() }
    }
}

/// Short notes for the person at the terminal, apart from the output. Thread safe.
struct Notes: Sendable {
    /// Whether `say` writes nothing.
    var isQuiet = false

    func say(_ text: String) {
        guard !isQuiet else { return }
        Notes.complain(text)
    }

    /// Writes the text even when quiet. A closed standard error is ignored.
    static func complain(_ text: String) {
        try? Output(descriptor: STDERR_FILENO).write("marquee: \(Sanitizer.line(text))")
    }
}

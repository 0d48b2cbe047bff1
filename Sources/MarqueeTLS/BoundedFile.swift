#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Reads whole files that a person named: a bounded part of them, and in bounded time. Opening a pipe that nobody
/// writes to would hold the thread for ever, and with it everything that watches files.
package enum BoundedFile {
    package struct Problem: Error, Hashable, CustomStringConvertible {
        /// The system's error number.
        package var code: Int32
        /// The reason in words.
        package var description: String
    }

    /// The longest wait for the next bytes of a pipe, in milliseconds.
    private static let patience: Int32 = 5_000
    private static let partBytes = 64 << 10

    /// - Parameters:
    ///   - limit: the most bytes that a file may have.
    ///   - patience: the longest wait for the next bytes of a pipe, in milliseconds.
    /// - Returns: the content; of a longer file, more than `limit` bytes of it.
    package static func read(
        _ path: String, limit: Int, patience: Int32 = BoundedFile.patience
    ) throws(Problem) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw Problem(errno) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Problem(errno) }
        let isPipe = status.st_mode & S_IFMT == S_IFIFO
        var bytes: [UInt8] = []
        while bytes.count <= limit {
            // An empty pipe may have no writer yet.
            if isPipe { try wait(for: descriptor, patience) }
            let part = try part(of: descriptor)
            if part.isEmpty { break }
            bytes += part
        }
        return bytes
    }

    private static func part(of descriptor: Int32) throws(Problem) -> [UInt8] {
        var count = 0
        let part = [UInt8](unsafeUninitializedCapacity: partBytes) { buffer, initialized in
            repeat {
                count = systemRead(descriptor, buffer.baseAddress, buffer.count)
            } while count < 0 && errno == EINTR
            initialized = max(0, count)
        }
        guard count >= 0 else { throw Problem(errno) }
        return part
    }

    private static func wait(for pipe: Int32, _ patience: Int32) throws(Problem) {
        var wanted = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
        var count: Int32 = 0
        repeat { count = poll(&wanted, 1, patience) } while count < 0 && errno == EINTR
        guard count >= 0 else { throw Problem(errno) }
        guard count > 0 else { throw Problem(code: EAGAIN, description: "it is a pipe that nothing is written to") }
    }
}

extension BoundedFile.Problem {
    fileprivate init(_ code: Int32) { self.init(code: code, description: String(cString: strerror(code))) }
}

private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(descriptor, buffer, count)
}

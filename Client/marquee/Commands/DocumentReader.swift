import Foundation

/// One change, as a line of a file.
struct Document: Hashable, Sendable {
    /// From 1.
    var line: Int
    var text: String
}

/// Reads documents, one per line, as they arrive; blank lines are skipped. Keeps one line in memory.
struct DocumentReader {
    /// Bytes of a line. A document travels in one frame, which is at most 64 KiB including its envelope.
    static let maximumBytes = 60_000
    private static let chunkBytes = 65_536

    /// For messages: the file, or `<stdin>`.
    let name: String
    private let descriptor: Int32
    private var buffer: [UInt8] = []
    private var start = 0
    private var line = 0
    private var isAtEnd = false
    /// Whether the rest of a line that is too long is being skipped.
    private var isPassing = false
    /// Bytes of that line skipped so far.
    private var passed = 0
    /// The most bytes of a line to skip in search of its end.
    private static let patience = 16 << 20

    /// - Throws: `Failure` when the file is missing or can't be read.
    init(path: String) throws {
        if path == "-" {
            name = "<stdin>"
            descriptor = STDIN_FILENO
            return
        }
        name = path
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            let status: ProgramExit = errno == EACCES ? .noPermission : .noInput
            throw Failure(status, "can't open \(path): \(String(cString: strerror(errno)))")
        }
    }

    /// Whether a path can be read twice: it is neither standard input nor, for example, a named pipe.
    static func canReadTwice(_ path: String) -> Bool {
        var status = stat()
        return path != "-" && (stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG)
    }

    /// Call this once, when done.
    func close() {
        if descriptor != STDIN_FILENO { _ = Foundation.close(descriptor) }
    }

    /// The content of a line.
    enum Line: Hashable {
        case document(Document)
        case blank
        case flawed(line: Int, reason: String)
    }

    /// A line that can't be used is returned as such, and the next call continues after it.
    ///
    /// - Returns: `nil` at the end.
    /// - Throws: `Failure` when the file can't be read.
    mutating func nextLine() throws -> Line? {
        guard let bytes = try nextBytes() else { return nil }
        line += 1
        if bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { return .blank }
        func flawed(_ reason: String) -> Line { .flawed(line: line, reason: reason) }
        guard bytes.count <= Self.maximumBytes else {
            return flawed("the line is longer than \(Words.number(Self.maximumBytes)) bytes")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else { return flawed("the line is not UTF-8") }
        do {
            guard try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed) is [String: Any]
            else { return flawed("a change is a JSON object") }
        } catch {
            return flawed("this is not JSON: \(Self.reason(error))")
        }
        return .document(Document(line: line, text: text))
    }

    /// - Returns: the bytes of the next line, or `tooMany` if it was skipped; `nil` at the end.
    private mutating func nextBytes() throws -> ArraySlice<UInt8>? {
        var searched = start
        while true {
            if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { (start, isPassing) = (end + 1, false) }
                return isPassing ? Self.tooMany : buffer[start..<end]
            }
            if isAtEnd {
                guard start < buffer.count || isPassing else { return nil }
                defer { (start, isPassing) = (buffer.count, false) }
                return isPassing ? Self.tooMany : buffer[start...]
            }
            if isPassing || buffer.count - start > Self.maximumBytes {
                passed = (isPassing ? passed : 0) + buffer.count - start
                (start, isPassing) = (buffer.count, true)
                guard passed <= Self.patience else {
                    throw failure(
                        line + 1,
                        "the line goes on after \(Words.number(Self.patience)) bytes; a change is one line of at most "
                            + "\(Words.number(Self.maximumBytes))")
                }
            }
            buffer.removeFirst(start)
            start = 0
            searched = buffer.count
            try fill()
        }
    }

    private mutating func fill() throws {
        var chunk = [UInt8](repeating: 0, count: Self.chunkBytes)
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            if count >= 0 {
                isAtEnd = count == 0
                buffer += chunk.prefix(count)
                return
            }
            guard errno == EINTR else {
                throw Failure(.ioError, "can't read \(name): \(String(cString: strerror(errno)))")
            }
        }
    }

    /// Stands for a line that is too long, of which nothing is kept.
    private static let tooMany = [UInt8](repeating: UInt8(ascii: "x"), count: maximumBytes + 1)[...]

    /// The failure of a line.
    func failure(_ line: Int, _ reason: String) -> Failure { Failure(.dataError, "\(name):\(line): \(reason)") }

    private static func reason(_ error: any Error) -> String {
        (error as NSError).userInfo["NSDebugDescription"] as? String ?? "\(error)"
    }
}

import CZlib
import Foundation

/// A file that is read as a stream, plain or gzip-compressed; zlib tells the two apart by their first bytes.
final class ImportSource {
    /// Bytes handed out at once, at most.
    static let chunkBytes = 64 << 10
    /// zlib's own buffer.
    private static let inputBytes: UInt32 = 64 << 10

    let path: String
    /// Bytes on disk; 0 when not known, such as for a pipe.
    let bytesTotal: Int
    private let file: gzFile
    private var chunk = [UInt8](repeating: 0, count: ImportSource.chunkBytes)

    init(_ path: String) throws(ImportError) {
        // Opened by hand: gzopen does not say why it failed, and opens folders.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw ImportSource.failure(path, errno) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            let number = errno
            close(descriptor)
            throw ImportSource.failure(path, number)
        }
        guard status.st_mode & S_IFMT != S_IFDIR else {
            close(descriptor)
            throw ImportSource.failure(path, EISDIR)
        }
        guard let file = gzdopen(descriptor, "rb") else {
            close(descriptor)
            throw ImportSource.failure(path, ENOMEM)
        }
        gzbuffer(file, ImportSource.inputBytes)
        self.path = path
        self.bytesTotal = max(0, Int(status.st_size))
        self.file = file
    }

    deinit { gzclose_r(file) }

    /// Bytes of the file on disk that were read.
    var bytesRead: Int { max(0, Int(gzoffset(file))) }

    /// Gives the next bytes to `body`; returns `false` at the end.
    func next(_ body: (UnsafeBufferPointer<UInt8>) throws(ImportError) -> Void) throws(ImportError) -> Bool {
        let count = gzread(file, &chunk, UInt32(chunk.count))
        guard count >= 0 else { throw ImportError(.unreadable, "\(path) can't be read: \(reason)") }
        guard count > 0 else {
            // A .gz file that was cut short ends without an error of gzread.
            var number: Int32 = 0
            _ = gzerror(file, &number)
            guard number == Z_OK || number == Z_STREAM_END else {
                throw ImportError(.unreadable, "\(path) can't be read: \(reason)")
            }
            return false
        }
        let result: Result<Void, ImportError> = chunk.withUnsafeBufferPointer { buffer in
            do throws(ImportError) {
                return .success(try body(UnsafeBufferPointer(rebasing: buffer.prefix(Int(count)))))
            } catch {
                return .failure(error)
            }
        }
        try result.get()
        return true
    }

    private var reason: String {
        var number: Int32 = 0
        let text = gzerror(file, &number).map { String(cString: $0) } ?? ""
        if number == Z_BUF_ERROR { return "the compressed data ends too early" }
        if number == Z_ERRNO { return String(cString: strerror(errno)) }
        return text.isEmpty ? "zlib error \(number)" : text
    }

    private static func failure(_ path: String, _ number: Int32) -> ImportError {
        ImportError(.noInput, "\(path) can't be read: \(String(cString: strerror(number)))")
    }
}

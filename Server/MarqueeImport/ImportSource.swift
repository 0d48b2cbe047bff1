import CZlib
import Foundation

/// A file streamed as UTF-8, plain or gzip-compressed; zlib tells the two apart by their first bytes.
final class ImportSource {
    /// The most bytes read at once.
    static let chunkBytes = 64 << 10
    /// The path that stands for standard input.
    static let standardInput = "-"
    /// The size of zlib's own buffer.
    private static let inputBytes: UInt32 = 64 << 10

    /// What messages call the file.
    let name: String
    /// Bytes on disk; 0 if unknown, as for a pipe.
    let bytesTotal: Int
    /// The first bytes of the file, unpacked but not converted.
    let head: [UInt8]
    private let file: gzFile
    /// `nil` for UTF-8.
    private let encoding: TextEncoding?
    private let converter: TextConverter?
    private var isHeadRead = false
    private var isAtEnd = false
    private var chunk = [UInt8](repeating: 0, count: ImportSource.chunkBytes)

    /// Opens a file and looks at its beginning.
    /// - Parameters:
    ///   - path: the file's path; `-` for standard input.
    ///   - encoding: the encoding of its text; `nil` for what a byte order mark says, else UTF-8.
    /// - Throws: `malformed` for a file whose first bytes show it to be something else, such as an archive or an HTML
    ///   page.
    init(_ path: String, encoding: TextEncoding? = nil) throws(ImportError) {
        let name = ImportSource.name(of: path)
        // Opened by hand: gzopen does not say why it failed, and opens folders.
        let descriptor =
            path == ImportSource.standardInput ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw ImportSource.failure(name, errno) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            let number = errno
            close(descriptor)
            throw ImportSource.failure(name, number)
        }
        guard status.st_mode & S_IFMT != S_IFDIR else {
            close(descriptor)
            throw ImportSource.failure(name, EISDIR)
        }
        guard let file = gzdopen(descriptor, "rb") else {
            close(descriptor)
            throw ImportSource.failure(name, ENOMEM)
        }
        gzbuffer(file, ImportSource.inputBytes)
        let isRegular = status.st_mode & S_IFMT == S_IFREG
        let head: [UInt8]
        do throws(ImportError) {
            head = try ImportSource.fill(file, name)
            if let kind = ForeignFile(head: head) { throw ImportError(.malformed, "\(name) \(kind.advice)") }
        } catch {
            gzclose_r(file)
            throw error
        }
        self.name = name
        self.bytesTotal = isRegular ? max(0, Int(status.st_size)) : 0
        self.head = head
        self.file = file
        let known = encoding ?? TextEncoding(byteOrderMarkOf: head)
        self.encoding = known == .utf8 ? nil : known
        self.converter = self.encoding.flatMap { TextConverter($0) }
        if known == nil, ImportSource.looksLikeUTF16(head) {
            throw ImportError(
                .malformed,
                "\(name) is not UTF-8 text but looks like UTF-16: name it with --encoding utf-16le or utf-16be")
        }
    }

    deinit { gzclose_r(file) }

    /// What messages call the file of a path.
    static func name(of path: String) -> String { path == standardInput ? "<stdin>" : path }

    /// Bytes of the file on disk that were read.
    var bytesRead: Int { max(0, Int(gzoffset(file))) }

    /// Gives the next bytes to `body`; returns `false` at the end.
    func next(_ body: (UnsafeBufferPointer<UInt8>) throws(ImportError) -> Void) throws(ImportError) -> Bool {
        guard !isAtEnd else { return false }
        chunk = isHeadRead ? try ImportSource.fill(file, name) : head
        isHeadRead = true
        isAtEnd = chunk.isEmpty
        if let converter {
            let source = chunk
            let converted: Result<[UInt8], TextConverter.Malformed> = source.withUnsafeBufferPointer { bytes in
                do throws(TextConverter.Malformed) {
                    return .success(try converter.convert(bytes, isLast: isAtEnd))
                } catch {
                    return .failure(error)
                }
            }
            switch converted {
            case .success(let bytes): chunk = bytes
            case .failure(let error): throw ImportError(.malformed, "\(name) can't be read: \(error.reason)")
            }
        }
        guard !isAtEnd || !chunk.isEmpty else { return false }
        let result: Result<Void, ImportError> = chunk.withUnsafeBufferPointer { buffer in
            do throws(ImportError) {
                return .success(try body(buffer))
            } catch {
                return .failure(error)
            }
        }
        try result.get()
        return true
    }

    /// The first line as UTF-8, without its line end and byte order mark.
    func firstLine() -> String {
        var bytes = head
        if let converter = encoding.flatMap({ TextConverter($0) }) {
            bytes = head.withUnsafeBufferPointer { (try? converter.convert($0, isLast: false)) ?? [] }
        }
        let line = bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        return String(String(decoding: line, as: UTF8.self).drop { $0 == "\u{FEFF}" })
    }

    /// The next unpacked bytes; none at the end.
    private static func fill(_ file: gzFile, _ name: String) throws(ImportError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: chunkBytes)
        let count = gzread(file, &bytes, UInt32(bytes.count))
        guard count >= 0 else { throw ImportError(.unreadable, "\(name) can't be read: \(reason(file))") }
        guard count > 0 else {
            // gzread reports no error for a .gz file that was cut short.
            var number: Int32 = 0
            _ = gzerror(file, &number)
            guard number == Z_OK || number == Z_STREAM_END else {
                throw ImportError(.unreadable, "\(name) can't be read to its end: \(reason(file))")
            }
            return []
        }
        return Array(bytes.prefix(Int(count)))
    }

    private static func reason(_ file: gzFile) -> String {
        var number: Int32 = 0
        let text = gzerror(file, &number).map { String(cString: $0) } ?? ""
        if number == Z_BUF_ERROR { return "the compressed data ends too early, so the file was cut off" }
        if number == Z_ERRNO { return String(cString: strerror(errno)) }
        return text.isEmpty ? "zlib error \(number)" : text
    }

    /// Every second byte of Western text in UTF-16 is 0; text in UTF-8 has no zero bytes.
    private static func looksLikeUTF16(_ head: [UInt8]) -> Bool {
        let sample = head.prefix(256)
        return sample.count >= 4 && sample.count { $0 == 0 } * 4 >= sample.count
    }

    private static func failure(_ name: String, _ number: Int32) -> ImportError {
        ImportError(.noInput, "\(name) can't be read: \(String(cString: strerror(number)))")
    }
}

/// A file that can't be imported, recognized by its first bytes.
private enum ForeignFile {
    case archive(String)
    case page
    case document

    init?(head: [UInt8]) {
        let archives: [(magic: [UInt8], name: String)] = [
            (Array("PK\u{3}\u{4}".utf8), "zip"), (Array("PK\u{5}\u{6}".utf8), "zip"),
            ([0xFD] + Array("7zXZ".utf8), "xz"),
            (Array("BZh".utf8), "bzip2"), ([0x28, 0xB5, 0x2F, 0xFD], "Zstandard"), ([0x37, 0x7A, 0xBC, 0xAF], "7-Zip"),
        ]
        if let archive = archives.first(where: { head.starts(with: $0.magic) }) {
            self = .archive(archive.name)
            return
        }
        if head.starts(with: Array("%PDF".utf8)) {
            self = .document
            return
        }
        let text = String(decoding: head.prefix(256), as: UTF8.self).drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        let start = text.prefix(16).lowercased()
        guard start.hasPrefix("<!doctype html") || start.hasPrefix("<html") else { return nil }
        self = .page
    }

    /// What the file is, and what to do about it.
    var advice: String {
        switch self {
        case .archive("zip"): "is a zip archive: unpack it and import what is in it"
        case .archive(let kind): "is packed with \(kind): unpack it, or pack it with gzip"
        case .page: "is a page of HTML: was an error or a log-in page saved in place of the file?"
        case .document: "is a PDF document"
        }
    }
}

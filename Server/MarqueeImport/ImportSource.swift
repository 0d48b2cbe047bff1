import Foundation

/// A file streamed as UTF-8, plain or packed with gzip; its first bytes tell which.
final class ImportSource {
    /// The most bytes read at once.
    static let chunkBytes = 64 << 10
    /// The path that stands for standard input.
    static let standardInput = "-"

    /// The file's name in messages.
    let name: String
    /// Bytes on disk; 0 if unknown, as for a pipe.
    let bytesTotal: Int
    /// The first bytes of the file, unpacked but not converted.
    let head: [UInt8]
    private let file: UnpackedFile
    /// `nil` for UTF-8, and for bytes that aren't text.
    let encoding: TextEncoding?
    private let converter: TextConverter?
    /// Line ends in the text that was converted so far.
    private var linesConverted = 0
    private var isHeadRead = false
    private var isAtEnd = false
    private var chunk = [UInt8](repeating: 0, count: ImportSource.chunkBytes)

    /// Opens a file and looks at its beginning.
    /// - Parameters:
    ///   - path: the file's path; `-` for standard input.
    ///   - encoding: the encoding of its text; `nil` for what a byte order mark says, else UTF-8.
    ///   - copies: copies of pipes, read in their place.
    ///   - isPropertyList: whether it may be binary, or declare its own encoding: then it is converted only if an
    ///     encoding is given.
    /// - Throws: `malformed` for a file whose first bytes show it to be something else, such as an archive or an HTML
    ///   page.
    init(
        _ path: String, encoding: TextEncoding? = nil, copies: SpooledInputs = SpooledInputs(),
        isPropertyList: Bool = false
    ) throws(ImportError) {
        let name = ImportSource.name(of: path)
        // Folders can be opened, too.
        let descriptor =
            copies.descriptor(path)
            ?? (path == ImportSource.standardInput ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC))
        guard descriptor >= 0 else { throw ImportSource.failure(name, errno) }
        let file = UnpackedFile(descriptor)
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw ImportSource.failure(name, errno) }
        guard status.st_mode & S_IFMT != S_IFDIR else { throw ImportSource.failure(name, EISDIR) }
        let isRegular = status.st_mode & S_IFMT == S_IFREG
        let head = try ImportSource.fill(file, name)
        if let kind = ForeignFile(head: head, isPropertyList: isPropertyList) {
            throw ImportError(.malformed, "\(name) \(kind.advice)")
        }
        self.name = name
        self.bytesTotal = isRegular ? max(0, Int(status.st_size)) : 0
        self.head = head
        self.file = file
        let marked = TextEncoding(byteOrderMarkOf: head)
        let isBinary = isPropertyList && BinaryPropertyList.isBinary(head)
        let known = isBinary ? nil : encoding ?? (isPropertyList ? nil : marked)
        self.encoding = known == .utf8 ? nil : known
        self.converter = self.encoding.flatMap { TextConverter($0) }
        guard head.isEmpty || head.contains(where: { $0 != 0 }) else {
            throw ImportError(.malformed, "\(name) begins with \(head.count) zero bytes: it was never written whole")
        }
        if known == nil, marked == nil, !isBinary, ImportSource.looksLikeUTF16(head) {
            throw ImportError(
                .malformed,
                "\(name) is not UTF-8 text but looks like UTF-16: name it with --encoding utf-16le or utf-16be")
        }
    }

    /// Returns the name that messages use for the file of a path.
    static func name(of path: String) -> String { path == standardInput ? "<stdin>" : path }

    /// Bytes of the file on disk that were read.
    var bytesRead: Int { file.bytesRead }

    /// Gives the next bytes to `body`; returns `false` at the end.
    func next(_ body: (UnsafeBufferPointer<UInt8>) throws(ImportError) -> Void) throws(ImportError) -> Bool {
        guard !isAtEnd else { return false }
        chunk = isHeadRead ? try ImportSource.fill(file, name) : head
        isHeadRead = true
        isAtEnd = chunk.isEmpty
        if let converter { chunk = try converted(chunk, converter) }
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

    private func converted(_ bytes: [UInt8], _ converter: TextConverter) throws(ImportError) -> [UInt8] {
        do throws(TextConverter.Malformed) {
            let text = try converter.convert(bytes, isLast: isAtEnd)
            linesConverted += text.count { $0 == UInt8(ascii: "\n") }
            return text
        } catch {
            throw ImportError(
                .malformed, "\(name):\(linesConverted + error.lines + 1): the file can't be read: \(error.reason)")
        }
    }

    /// A line among the first ones as UTF-8, without its line end and byte order mark.
    /// - Parameter skipping: how many lines come before it.
    func firstLine(skipping: Int = 0) -> String {
        var bytes = head
        if let converter = encoding.flatMap({ TextConverter($0) }) {
            bytes = (try? converter.convert(head, isLast: head.count < ImportSource.chunkBytes)) ?? []
        }
        let lines = String(decoding: bytes, as: UTF8.self)
            .split(
                maxSplits: skipping + 1, omittingEmptySubsequences: false,
                whereSeparator: { ["\n", "\r", "\r\n"].contains($0) })
        guard lines.indices.contains(skipping) else { return "" }
        return String(lines[skipping].drop { $0 == "\u{FEFF}" })
    }

    /// The next unpacked bytes; none at the end.
    private static func fill(_ file: UnpackedFile, _ name: String) throws(ImportError) -> [UInt8] {
        do throws(UnpackedFile.Failure) {
            return try file.read(chunkBytes)
        } catch {
            throw ImportError(.unreadable, "\(name) can't be read to its end: \(error.reason)")
        }
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
    case workbook
    case page
    case document
    case database
    case propertyList

    init?(head: [UInt8], isPropertyList: Bool) {
        let archives: [(magic: [UInt8], name: String)] = [
            (Array("PK\u{3}\u{4}".utf8), "zip"), (Array("PK\u{5}\u{6}".utf8), "zip"),
            ([0xFD] + Array("7zXZ".utf8), "xz"),
            (Array("BZh".utf8), "bzip2"), ([0x28, 0xB5, 0x2F, 0xFD], "Zstandard"), ([0x37, 0x7A, 0xBC, 0xAF], "7-Zip"),
        ]
        if let archive = archives.first(where: { head.starts(with: $0.magic) }) {
            // The first file in a workbook is the list of its contents, or one of its parts.
            let names = String(decoding: head.prefix(128), as: UTF8.self)
            let parts = ["[Content_Types].xml", "xl/", "_rels/", "docProps/", "mimetypeapplication/vnd.oasis"]
            let isWorkbook = archive.name == "zip" && parts.contains { names.contains($0) }
            self = isWorkbook ? .workbook : .archive(archive.name)
        } else if head.starts(with: [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]) {
            self = .workbook
        } else if head.starts(with: Array("%PDF".utf8)) {
            self = .document
        } else if head.starts(with: Array("SQLite format 3\u{0}".utf8)) {
            self = .database
        } else if !isPropertyList, BinaryPropertyList.isBinary(head) {
            self = .propertyList
        } else {
            let text = String(decoding: head.prefix(256), as: UTF8.self).drop { $0.isWhitespace || $0 == "\u{FEFF}" }
            let start = text.prefix(16).lowercased()
            guard start.hasPrefix("<!doctype html") || start.hasPrefix("<html") else { return nil }
            self = .page
        }
    }

    /// The kind of the file, and advice on what to do about it.
    var advice: String {
        switch self {
        case .archive("zip"): "is a zip archive: unpack it and import what is in it"
        case .archive(let kind): "is packed with \(kind): unpack it, or pack it with gzip"
        case .workbook: "is a workbook or a document of an office program: save it as CSV in UTF-8"
        case .page: "is a page of HTML: was an error or a log-in page saved in place of the file?"
        case .document: "is a PDF document"
        case .database: "is an SQLite database: name one of its tables with --table"
        case .propertyList: "is a binary property list: 'import plist' reads a page from one"
        }
    }
}

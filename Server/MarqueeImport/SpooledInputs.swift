import Foundation

/// The content of pipes, read to the end and kept on disk, so that nobody waits for a pipe while a store is locked.
///
/// Regular files are left as they are.
package struct SpooledInputs {
    /// The most bytes of one pipe.
    package static let maximumBytes = 8 << 30
    /// How long to wait for a pipe before asking whether it is still wanted.
    private static let patience: Int32 = 100

    private let files: [String: FileHandle]
    /// Parts of one file, by the names under which they are read.
    private var parts: [String: Range<Int>] = [:]
    private var partFile: FileHandle?
    private var partBytes = 0

    package init() { files = [:] }

    /// Reads all pipes among some files.
    /// - Parameters:
    ///   - paths: `-` is standard input.
    ///   - folder: the folder for the copies, which have no name and vanish with this value.
    ///   - maximum: the most bytes of each.
    ///   - shouldContinue: called now and then; reading stops when it returns `false`.
    ///   - progress: called for each piece with the file's name and the number of bytes so far.
    /// - Throws: when one can't be read to its end, or has too much.
    package init(
        _ paths: [String], in folder: String = FileManager.default.temporaryDirectory.path,
        maximum: Int = SpooledInputs.maximumBytes, shouldContinue: () -> Bool,
        progress: (String, Int) -> Void = { _, _ in }
    ) throws(ImportError) {
        var files: [String: FileHandle] = [:]
        for path in Set(paths).sorted() {
            guard let pipe = Pipe(path) else { continue }
            files[path] = try Self.copy(pipe, to: folder, maximum, shouldContinue, progress)
        }
        self.files = files
    }

    /// Keeps bytes that are read like a file with that name.
    /// - Throws: when there is no room for them.
    mutating func keep(
        _ bytes: [UInt8], as name: String, in folder: String = FileManager.default.temporaryDirectory.path
    ) throws(ImportError) {
        let file = if let partFile { partFile } else { try Self.unnamedFile(in: folder, for: name) }
        partFile = file
        guard partBytes + bytes.count <= Self.maximumBytes else {
            throw ImportError(.malformed, "\(name): there are more than \(Self.maximumBytes) bytes in all")
        }
        do { try file.write(contentsOf: bytes) } catch {
            throw ImportError(.unreadable, "\(name) \(Self.advice(folder)): \(error.localizedDescription)")
        }
        parts[name] = partBytes..<partBytes + bytes.count
        partBytes += bytes.count
    }

    /// A copy of one of the parts, as each reader reads to the end of its file; `nil` if there is no such part, or no
    /// room for it.
    private func part(_ name: String) -> Int32? {
        guard let part = parts[name], let partFile,
            let copy = try? Self.unnamedFile(in: FileManager.default.temporaryDirectory.path, for: name)
        else { return nil }
        do {
            try partFile.seek(toOffset: UInt64(part.lowerBound))
            var left = part.count
            while left > 0, let bytes = try partFile.read(upToCount: min(left, ImportSource.chunkBytes)), !bytes.isEmpty
            {
                try copy.write(contentsOf: bytes)
                left -= bytes.count
            }
            try partFile.seekToEnd()
            guard left == 0 else { return nil }
        } catch {
            return nil
        }
        let descriptor = dup(copy.fileDescriptor)
        lseek(descriptor, 0, SEEK_SET)
        return descriptor
    }

    /// The copy of a file, from its beginning; `nil` if there is none. The caller closes it.
    func descriptor(_ path: String) -> Int32? {
        if let part = part(path) { return part }
        guard let file = files[path] else { return nil }
        let copy = dup(file.fileDescriptor)
        lseek(copy, 0, SEEK_SET)
        return copy
    }

    /// A file whose bytes come from another process.
    private struct Pipe {
        let name: String
        let file: FileHandle

        /// - Returns: `nil` for a regular file, or for a missing one, which its reader reports.
        init?(_ path: String) {
            name = ImportSource.name(of: path)
            var status = stat()
            let isInput = path == ImportSource.standardInput
            guard (isInput ? fstat(STDIN_FILENO, &status) : stat(path, &status)) == 0,
                status.st_mode & S_IFMT != S_IFREG, status.st_mode & S_IFMT != S_IFDIR
            else { return nil }
            // A named pipe that nobody writes to yet would otherwise keep this from being interrupted.
            let descriptor = isInput ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
            guard descriptor >= 0 else { return nil }
            file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        }
    }

    private static func copy(
        _ pipe: Pipe, to folder: String, _ maximum: Int, _ shouldContinue: () -> Bool, _ progress: (String, Int) -> Void
    ) throws(ImportError) -> FileHandle {
        let spool = try unnamedFile(in: folder, for: pipe.name)
        var piece = [UInt8](repeating: 0, count: ImportSource.chunkBytes)
        var total = 0
        while true {
            guard shouldContinue() else {
                throw ImportError(.cancelled, "\(pipe.name): stopped after \(total) bytes")
            }
            var waiting = pollfd(fd: pipe.file.fileDescriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&waiting, 1, patience) != 0 else { continue }
            let count = read(pipe.file.fileDescriptor, &piece, piece.count)
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count >= 0 else {
                throw ImportError(
                    .unreadable, "\(pipe.name) can't be read to its end: \(String(cString: strerror(errno)))")
            }
            if count == 0 { return spool }
            total += count
            guard total <= maximum else {
                throw ImportError(
                    .malformed, "\(pipe.name) has more than \(maximum) bytes: save it as a file, and import that")
            }
            do { try spool.write(contentsOf: piece.prefix(count)) } catch {
                throw ImportError(.unreadable, "\(pipe.name) \(advice(folder)): \(error.localizedDescription)")
            }
            progress(pipe.name, total)
        }
    }

    /// A new file without a name.
    private static func unnamedFile(in folder: String, for name: String) throws(ImportError) -> FileHandle {
        var path = Array("\(folder)/marquee-import-XXXXXX".utf8CString)
        let descriptor = mkstemp(&path)
        guard descriptor >= 0 else {
            throw ImportError(
                .unreadable, "\(name) \(advice(folder)): \(String(cString: strerror(errno)))")
        }
        unlink(path)
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    private static func advice(_ folder: String) -> String {
        "can't be kept in \(folder); set TMPDIR to a folder with more room, or save it as a file, and import that"
    }
}

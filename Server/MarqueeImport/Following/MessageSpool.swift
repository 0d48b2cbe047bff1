import Foundation

/// Messages in order, held in memory up to a bound, and beyond it in a file that nobody else sees.
package final class MessageSpool {
    /// The most bytes held in memory.
    package static let memoryBytes = 8 << 20
    /// The most bytes of a file.
    package static let fileBytes = 64 << 30

    private var memory: [UInt8] = []
    private var file: FileHandle?
    /// Bytes of all messages, with the length of each.
    package private(set) var bytes = 0
    package private(set) var count = 0

    package init() {}

    package var isEmpty: Bool { count == 0 }
    /// Whether it has outgrown memory.
    package var isInFile: Bool { file != nil }

    package func append(_ message: [UInt8]) throws(ImportError) {
        let length = UInt32(clamping: message.count)
        guard message.count <= UInt32.max, bytes + message.count + 4 <= Self.fileBytes else {
            throw ImportError(
                .refused, "a transaction has more than \(Self.fileBytes >> 30) GiB; import the table anew")
        }
        memory += withUnsafeBytes(of: length.littleEndian) { Array($0) }
        memory += message
        bytes += message.count + 4
        count += 1
        if memory.count > Self.memoryBytes { try spill() }
    }

    /// Hands out all messages in order.
    package func each(_ body: ([UInt8]) throws -> Void) throws {
        guard let file else {
            guard try Self.each(in: memory[...], body) == nil else { throw Self.damaged }
            return
        }
        try spill()
        do { try file.seek(toOffset: 0) } catch { throw Self.failure(error) }
        var rest: [UInt8] = []
        while true {
            let data: Data?
            do { data = try file.read(upToCount: Self.memoryBytes) } catch { throw Self.failure(error) }
            guard let data, !data.isEmpty else { break }
            rest += data
            if let left = try Self.each(in: rest[...], body) { rest = Array(left) } else { rest = [] }
        }
        guard rest.isEmpty else { throw Self.damaged }
        do { try file.seekToEnd() } catch { throw Self.failure(error) }
    }

    /// Hands out the messages that are whole.
    /// - Returns: the bytes of the last one, if it isn't.
    private static func each(
        in bytes: ArraySlice<UInt8>, _ body: ([UInt8]) throws -> Void
    ) throws -> ArraySlice<UInt8>? {
        var rest = bytes
        while rest.count >= 4 {
            let length = rest.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
            guard rest.count - 4 >= length else { break }
            let start = rest.startIndex + 4
            try body(Array(rest[start..<start + length]))
            rest = rest[(start + length)...]
        }
        return rest.isEmpty ? nil : rest
    }

    private func spill() throws(ImportError) {
        if file == nil { file = try Self.newFile() }
        guard let file, !memory.isEmpty else { return }
        do { try file.write(contentsOf: Data(memory)) } catch { throw Self.failure(error) }
        memory = []
    }

    /// A file without a name: it is gone when the process ends.
    private static func newFile() throws(ImportError) -> FileHandle {
        var path = Array((NSTemporaryDirectory() + "/marquee-follow-XXXXXX").utf8CString)
        let descriptor = mkstemp(&path)
        guard descriptor >= 0 else {
            throw ImportError(.unreadable, "no file for a large transaction can be made in \(NSTemporaryDirectory())")
        }
        unlink(path)
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    private static func failure(_ error: any Error) -> ImportError {
        ImportError(.unreadable, "the file of a large transaction can't be used: \(error.localizedDescription)")
    }

    private static let damaged = ImportError(.unreadable, "the file of a large transaction is damaged")
}

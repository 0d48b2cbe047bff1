import CZlib
import Foundation

/// The bytes of an open file, unpacked where they are packed with gzip: one member or several, one after the other.
///
/// zlib's own `gzread` ignores anything that follows the packed data, and its errors name a file by its descriptor.
final class UnpackedFile {
    /// Why the file can't be read.
    struct Failure: Error {
        var reason: String
    }

    private enum Part {
        /// Nothing was read yet.
        case start
        case plain
        /// Inside a member.
        case packed
        /// After a member: another one, zeros as padding, or the end.
        case behind
        case end
    }

    /// The most bytes read or unpacked at once.
    private static let pieceBytes = 64 << 10
    private static let magic: [UInt8] = [0x1F, 0x8B]
    /// Tells zlib to expect gzip's header, with its largest window.
    private static let gzipWindow: Int32 = 16 + MAX_WBITS

    private let descriptor: Int32
    /// Owned by the file. It stays where it is, as zlib's state refers to it.
    private let stream: UnsafeMutablePointer<z_stream>
    private var isStreamReady = false
    private var part = Part.start
    /// Bytes of the file that weren't used yet.
    private var rest: ArraySlice<UInt8> = []
    private var isAtEnd = false
    private var bytesFetched = 0

    /// Bytes of the file that were used.
    var bytesRead: Int { bytesFetched - rest.count }

    /// - Parameter descriptor: closed when the file is no longer needed.
    init(_ descriptor: Int32) {
        self.descriptor = descriptor
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
    }

    deinit {
        if isStreamReady { inflateEnd(stream) }
        stream.deinitialize(count: 1)
        stream.deallocate()
        close(descriptor)
    }

    /// The next bytes: `count` of them, and fewer only at the end.
    func read(_ count: Int) throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        while bytes.count < count, part != .end { try step(&bytes, count - bytes.count) }
        return bytes
    }

    /// - Parameter room: the most bytes to add.
    private func step(_ bytes: inout [UInt8], _ room: Int) throws(Failure) {
        switch part {
        case .start:
            try fetch(atLeast: UnpackedFile.magic.count)
            part = rest.starts(with: UnpackedFile.magic) ? .packed : .plain
            if part == .packed { try beginMember() }
        case .plain:
            try fetch(atLeast: 1)
            if rest.isEmpty { part = .end }
            bytes += rest.prefix(room)
            rest = rest.dropFirst(room)
        case .packed: try inflate(&bytes, room)
        case .behind:
            // Tapes and block devices pad with zeros.
            rest = rest.drop { $0 == 0 }
            try fetch(atLeast: UnpackedFile.magic.count)
            if rest.isEmpty {
                part = .end
            } else if rest.first != 0 {
                guard rest.starts(with: UnpackedFile.magic) else {
                    throw Failure(
                        reason: "something else follows the compressed data, from byte \(bytesRead + 1) of the file on")
                }
                try beginMember()
                part = .packed
            }
        case .end: return
        }
    }

    private func beginMember() throws(Failure) {
        let result =
            isStreamReady
            ? inflateReset(stream)
            : inflateInit2_(
                stream, UnpackedFile.gzipWindow, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard result == Z_OK else { throw Failure(reason: "zlib does not start (\(result))") }
        isStreamReady = true
    }

    private func inflate(_ bytes: inout [UInt8], _ room: Int) throws(Failure) {
        try fetch(atLeast: 1)
        var piece = [UInt8](repeating: 0, count: min(room, UnpackedFile.pieceBytes))
        var input = Array(rest)
        var (taken, made) = (0, 0)
        let result = input.withUnsafeMutableBufferPointer { from in
            piece.withUnsafeMutableBufferPointer { to in
                stream.pointee.next_in = from.baseAddress
                stream.pointee.avail_in = UInt32(from.count)
                stream.pointee.next_out = to.baseAddress
                stream.pointee.avail_out = UInt32(to.count)
                let result = CZlib.inflate(stream, Z_NO_FLUSH)
                taken = from.count - Int(stream.pointee.avail_in)
                made = to.count - Int(stream.pointee.avail_out)
                stream.pointee.next_in = nil
                stream.pointee.next_out = nil
                return result
            }
        }
        rest = rest.dropFirst(taken)
        bytes += piece[..<made]
        switch result {
        case Z_STREAM_END: part = .behind
        case Z_OK: return
        case Z_BUF_ERROR where isAtEnd && rest.isEmpty:
            throw Failure(reason: "the compressed data ends too early, so the file was cut off")
        case Z_BUF_ERROR: return
        default:
            let detail = stream.pointee.msg.map { String(cString: $0) } ?? "zlib error \(result)"
            throw Failure(reason: "the compressed data is damaged: \(detail)")
        }
    }

    /// Reads until `count` bytes are available, or the file ends.
    private func fetch(atLeast count: Int) throws(Failure) {
        while rest.count < count, !isAtEnd {
            var piece = [UInt8](repeating: 0, count: UnpackedFile.pieceBytes)
            let fetched = Foundation.read(descriptor, &piece, piece.count)
            guard fetched >= 0 else {
                if errno == EINTR { continue }
                throw Failure(reason: String(cString: strerror(errno)))
            }
            isAtEnd = fetched == 0
            bytesFetched += fetched
            rest = rest + piece.prefix(fetched)
        }
    }
}

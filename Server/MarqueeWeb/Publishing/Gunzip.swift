import CZlib
import NIOCore

/// Unpacks a body that is packed with gzip as it arrives, up to a bound: a few kilobytes may stand for gigabytes.
///
/// Belongs to one event loop.
final class Gunzip {
    /// For zlib: the largest window, and the header of gzip.
    private static let windowBits: Int32 = 15 + 16
    private static let pieceBytes = 16 << 10

    private let limit: Int
    // Its address may not change between calls.
    private let stream: UnsafeMutablePointer<z_stream>
    private let isReady: Bool
    private var isDone = false
    private(set) var unpacked: [UInt8] = []

    /// - Parameter limit: the most bytes to unpack to.
    init(limit: Int) {
        self.limit = limit
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        isReady =
            inflateInit2_(stream, Self.windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
    }

    deinit {
        if isReady { inflateEnd(stream) }
        stream.deinitialize(count: 1)
        stream.deallocate()
    }

    /// Unpacks the next bytes.
    /// - Throws: the problem to answer with.
    func append(_ bytes: ByteBuffer) throws(WebProblem) {
        guard isReady else { throw .encodingDamaged }
        var packed = Array(bytes.readableBytesView)
        let failure: WebProblem? = packed.withUnsafeMutableBufferPointer { packed in
            stream.pointee.next_in = packed.baseAddress
            stream.pointee.avail_in = UInt32(packed.count)
            defer {
                stream.pointee.next_in = nil
                stream.pointee.avail_in = 0
            }
            var piece = [UInt8](repeating: 0, count: Self.pieceBytes)
            repeat {
                // Nothing follows the end.
                guard !isDone else { return packed.isEmpty ? nil : .encodingDamaged }
                let (result, left) = piece.withUnsafeMutableBufferPointer { piece in
                    stream.pointee.next_out = piece.baseAddress
                    stream.pointee.avail_out = UInt32(piece.count)
                    defer { stream.pointee.next_out = nil }
                    return (inflate(stream, Z_NO_FLUSH), Int(stream.pointee.avail_out))
                }
                guard result == Z_OK || result == Z_STREAM_END || result == Z_BUF_ERROR else { return .encodingDamaged }
                let count = Self.pieceBytes - left
                guard count <= limit - unpacked.count else { return .bodyTooLarge(limit) }
                unpacked += piece[..<count]
                isDone = result == Z_STREAM_END
                if left > 0, !isDone { return nil }
            } while stream.pointee.avail_in > 0 || !isDone
            return nil
        }
        if let failure { throw failure }
    }

    /// - Throws: the problem to answer with if the body isn't whole.
    func end() throws(WebProblem) -> [UInt8] {
        guard isDone else { throw .encodingDamaged }
        return unpacked
    }
}

extension WebProblem {
    static let encodingDamaged = WebProblem(
        status: 400, reason: "ENCODING_DAMAGED", detail: "the body isn't what gzip makes, or isn't whole",
        endsConnection: true)

    static func bodyTooLarge(_ limit: Int) -> WebProblem {
        WebProblem(
            status: 413, reason: "BODY_TOO_LARGE",
            detail: "a body has at most \(limit) bytes, also unpacked; send it in several", endsConnection: true)
    }
}

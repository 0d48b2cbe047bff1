import CZlib
import MarqueeServer

/// Unpacks bodies that are packed with gzip, up to a bound: a few kilobytes may stand for gigabytes.
enum Gunzip {
    /// For zlib: the largest window, and the header of gzip.
    private static let windowBits: Int32 = 15 + 16
    private static let pieceBytes = 64 << 10

    /// - Parameters:
    ///   - limit: the most bytes to unpack to.
    ///   - room: the reservation that grows with them.
    /// - Throws: the problem to answer with.
    static func unpack(
        _ packed: [UInt8], limit: Int, room: ByteBudget.Reservation
    ) throws(WebProblem) -> [UInt8] {
        // Its address may not change between calls.
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        defer {
            stream.deinitialize(count: 1)
            stream.deallocate()
        }
        guard inflateInit2_(stream, windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
        else { throw .encodingDamaged }
        defer { inflateEnd(stream) }
        var unpacked: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: pieceBytes)
        let failure = packed.withUnsafeBufferPointer { packed in
            piece.withUnsafeMutableBufferPointer { piece -> WebProblem? in
                stream.pointee.next_in = UnsafeMutablePointer(mutating: packed.baseAddress)
                stream.pointee.avail_in = UInt32(clamping: packed.count)
                while true {
                    stream.pointee.next_out = piece.baseAddress
                    stream.pointee.avail_out = UInt32(clamping: piece.count)
                    let result = inflate(stream, Z_NO_FLUSH)
                    let count = piece.count - Int(stream.pointee.avail_out)
                    // Unless this is the end, or more can be read or unpacked, something is missing.
                    guard
                        result == Z_STREAM_END
                            || (result == Z_OK && (stream.pointee.avail_in > 0 || count == piece.count))
                    else { return .encodingDamaged }
                    guard count <= limit - unpacked.count else { return .bodyTooLarge(limit) }
                    guard room.grow(by: count) else { return .publicationsWait }
                    unpacked += piece[..<count]
                    guard result == Z_STREAM_END else { continue }
                    if stream.pointee.avail_in == 0 { return nil }
                    // Only another member may follow (RFC 1952 section 2.2).
                    guard inflateReset(stream) == Z_OK else { return .encodingDamaged }
                }
            }
        }
        if let failure { throw failure }
        return unpacked
    }
}

extension WebProblem {
    static let encodingDamaged = WebProblem(
        status: 400, reason: "ENCODING_DAMAGED", detail: "the body isn't valid gzip, or isn't complete",
        endsConnection: true)

    static func bodyTooLarge(_ limit: Int) -> WebProblem {
        WebProblem(
            status: 413, reason: "BODY_TOO_LARGE",
            detail: "a body has at most \(limit) bytes, packed or unpacked; send it in several", endsConnection: true)
    }
}

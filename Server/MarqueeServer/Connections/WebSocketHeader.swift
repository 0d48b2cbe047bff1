import NIOCore

/// The header of a WebSocket message from a server: binary, in one piece, not masked (RFC 6455 section 5.2).
struct WebSocketHeader {
    /// The most bytes of a header.
    private static let maximumCount = 10
    /// The final fragment, and the opcode of binary messages.
    private static let firstByte: UInt8 = 0x82

    /// The header's bytes, the first one lowest, in 16 bytes of which `count` are used.
    private var low: UInt64
    private var high: UInt16 = 0
    let count: Int

    /// - Parameter length: the bytes of the message.
    init(length: Int) {
        switch length {
        case ..<126:
            low = UInt64(Self.firstByte) | UInt64(length) << 8
            count = 2
        case ...0xFFFF:
            low = UInt64(Self.firstByte) | 126 << 8 | UInt64(UInt16(length).byteSwapped) << 16
            count = 4
        default:
            let swapped = UInt64(length).byteSwapped
            low = UInt64(Self.firstByte) | 127 << 8 | swapped << 16
            high = UInt16(swapped >> 48)
            count = Self.maximumCount
        }
    }

    /// Returns the rest of a partly sent message: a part of the buffer, or a copy if not even the header was sent
    /// completely.
    func rest(of message: ByteBuffer, after sent: Int) -> ByteBuffer {
        if sent >= count {
            let length = message.readableBytes - (sent - count)
            return message.getSlice(at: message.readerIndex + sent - count, length: length) ?? ByteBuffer()
        }
        var rest = withBytes { ByteBuffer(bytes: $0.dropFirst(sent)) }
        rest.writeImmutableBuffer(message)
        return rest
    }

    /// Calls a closure with the bytes.
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        let words = (low.littleEndian, UInt64(high).littleEndian)
        return withUnsafeBytes(of: words) { body(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }
}

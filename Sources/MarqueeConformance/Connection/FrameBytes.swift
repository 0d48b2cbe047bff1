import MarqueeWire
import NIOCore

/// Frames and messages as bytes, for scripts that send bytes no codec would write.
enum FrameBytes {
    /// The body of a ping with nonce 7.
    static let pingBody: [UInt8] = [0x08, 0x07]

    /// The bytes of a message's frame, header included.
    static func whole(_ message: Message, flags: FrameFlags = []) -> [UInt8] {
        Array(MessageCodec.encode(message, flags: flags).readableBytesView)
    }

    static func body(_ message: Message) -> [UInt8] { Array(whole(message).dropFirst(Frame.headerBytes)) }

    static func bigEndian(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    }

    /// A message's body, padded with an unknown field to this many bytes.
    static func padded(_ body: [UInt8], to bytes: Int) -> [UInt8] {
        // Field 2000, whose length is encoded in three bytes.
        let room = bytes - body.count - 5
        let length = [UInt8(room & 0x7F) | 0x80, UInt8(room >> 7 & 0x7F) | 0x80, UInt8(room >> 14 & 0x7F)]
        return body + tag(2000, 2) + length + [UInt8](repeating: 0x2E, count: room)
    }

    /// The tag, in two bytes, of a field numbered 16 to 2047.
    static func tag(_ number: Int, _ wireType: Int) -> [UInt8] {
        let value = number << 3 | wireType
        return [UInt8(value & 0x7F) | 0x80, UInt8(value >> 7)]
    }

    /// A length-delimited field with a number below 16.
    static func field(_ number: Int, _ bytes: [UInt8]) -> [UInt8] {
        var length: [UInt8] = []
        var rest = bytes.count
        while rest > 0x7F {
            length.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        return [UInt8(number << 3 | 2)] + length + [UInt8(rest)] + bytes
    }

    /// This many records of an unknown field.
    static func unknownRecords(_ count: Int) -> [UInt8] { (0..<count).flatMap { _ in tag(2000, 0) + [1] } }
}

import NIOCore

@testable import MarqueeWire

/// Frames of 64 KiB that cost a reader as much as a sender can make them, accepted or refused.
enum HostileCases {
    private static let frameBytes = 64 << 10

    static var all: [CodecCase] {
        // An item's id, kind and tag take seven bytes.
        let item: [UInt8] = [0x2A, 5, 0x0A, 1, 0x61, 0x10, 1]
        // An item with as many unknown fields as allowed, which protobuf-c keeps one by one.
        let unknown = (0..<32).flatMap { _ in [0x78, 1] as [UInt8] }
        let scalar = Array("괴".utf8)
        let text = Array(repeatElement(scalar, count: frameBytes / 3 - 8).joined())
        return [
            measured("items of seven bytes", .data, part + fill(item)),
            measured("empty items", .data, part + fill([0x2A, 0])),
            measured(
                "items of unknown fields", .data, part + fill([0x2A, UInt8(5 + unknown.count)] + item[2...] + unknown)),
            measured("numbers one by one", .data, part + nested(0x32, fill([0x10, 1]))),
            measured("numbers in one run", .data, part + nested(0x32, nested(0x12, fill([1])))),
            measured("the same number again and again", .ping, fill([0x08, 1])),
            measured("a text of three bytes a letter", .subscribe, [0x08, 1] + nested(0x1A, text)),
        ]
    }

    /// The fields that a part needs beside its lists: handle, target, count.
    private static let part: [UInt8] = [0x08, 1, 0x19, 1, 0, 0, 0, 0, 0, 0, 0, 0x40, 1]

    private static func fill(_ record: [UInt8]) -> [UInt8] {
        Array(repeatElement(record, count: (frameBytes - 64) / record.count).joined())
    }

    /// A record of this tag with three bytes of length.
    private static func nested(_ tag: UInt8, _ bytes: [UInt8]) -> [UInt8] {
        let count = bytes.count
        return [tag, UInt8(count & 0x7F) | 0x80, UInt8(count >> 7 & 0x7F) | 0x80, UInt8(count >> 14)] + bytes
    }

    private static func measured(_ name: String, _ kind: FrameKind, _ body: [UInt8]) -> CodecCase {
        let frame = Frame(kind: kind, body: ByteBuffer(bytes: body))
        let outcome: String
        do throws(WireError) {
            _ = try MessageCodec.decode(frame, limits: .client)
            outcome = "accepted"
        } catch {
            outcome = error.code.rawValue
        }
        return CodecCase(name: "the worst 64 KiB: \(name), \(outcome)", bytes: body.count) {
            (try? MessageCodec.decode(frame, limits: .client)) == nil ? 1 : 2
        }
    }
}

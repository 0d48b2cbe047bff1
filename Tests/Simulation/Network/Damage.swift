import MarqueeModel
import MarqueeWire
import NIOCore
import SeededRandom

/// The damage that faulty equipment in transit does to a frame.
enum Damage {
    /// One bit of content covered by a sum flipped before the frame's checksum was computed.
    case content
    /// One bit flips anywhere in the frame, including the header.
    case bit
    /// The bytes are no longer a frame.
    case garbage
    /// A frame of an unknown kind is inserted before it.
    case unknownKind
    /// An unknown field is added to it.
    case unknownField

    /// - Returns: `nil` if this frame can't be damaged that way.
    func applied(to bytes: ByteBuffer, _ random: inout SeededGenerator) -> ByteBuffer? {
        var decoder = FrameDecoder(maximumLength: Frame.maximumLength)
        decoder.append(bytes)
        guard let frame = try? decoder.next() else { return nil }
        switch self {
        case .content: return Self.flipped(frame, &random)
        case .bit:
            var result = bytes
            let index = result.readerIndex + random.int(0...result.readableBytes - 1)
            guard let byte = result.getInteger(at: index, as: UInt8.self) else { return nil }
            result.setInteger(byte ^ 1 << UInt8(random.int(0...7)), at: index)
            return result
        case .garbage: return Self.broken(bytes, &random)
        case .unknownKind:
            var result = ByteBuffer()
            let body = ByteBuffer(bytes: (0..<random.int(0...40)).map { UInt8(truncatingIfNeeded: $0 &* 37) })
            // An open set, not flagged critical.
            result.writeFrame(Frame(kind: FrameKind(rawValue: UInt16(random.int(1_000...60_000))), body: body))
            result.writeImmutableBuffer(bytes)
            return result
        case .unknownField:
            // Both sides count the bytes of data and stage frames, so their length must not change.
            guard ![.data, .stage].contains(frame.kind) else { return nil }
            var body = frame.body
            // Field 1234, varint.
            body.writeBytes([0x90, 0x4d, UInt8(random.int(0...127))])
            var result = ByteBuffer()
            result.writeFrame(Frame(kind: frame.kind, flags: frame.flags, body: body))
            return result
        }
    }

    private static func broken(_ bytes: ByteBuffer, _ random: inout SeededGenerator) -> ByteBuffer {
        var result = bytes
        switch random.int(0...2) {
        // A length no one accepts.
        case 0: result.setInteger(UInt32.max, at: result.readerIndex)
        // A length without an envelope.
        case 1: result.setInteger(UInt32(1), at: result.readerIndex)
        // A nonexistent wire type.
        default:
            guard result.readableBytes > Frame.headerBytes else {
                result.setInteger(UInt32.max, at: result.readerIndex)
                break
            }
            result.setInteger(UInt8(0x0f), at: result.readerIndex + Frame.headerBytes)
        }
        return result
    }

    /// One bit of a head, an added body, an update or a sum: anything the target's sum covers.
    private static func flipped(_ frame: Frame, _ random: inout SeededGenerator) -> ByteBuffer? {
        guard let message = try? MessageCodec.decode(frame, limits: .client) else { return nil }
        switch message {
        case .data(let part): return flipped(part, &random).map { MessageCodec.encode(.data($0), flags: frame.flags) }
        case .stage(let part): return flipped(part, &random).map { MessageCodec.encode(.stage($0), flags: frame.flags) }
        default: return nil
        }
    }

    private static func flipped(_ part: Part, _ random: inout SeededGenerator) -> Part? {
        var part = part
        func flip(_ bytes: inout [UInt8], _ random: inout SeededGenerator) -> Bool {
            guard !bytes.isEmpty else { return false }
            bytes[random.int(0...bytes.count - 1)] ^= 1 << UInt8(random.int(0...7))
            return true
        }
        let found: Bool
        switch random.int(0...4) {
        case 0 where !part.adds.isEmpty: found = flip(&part.adds[random.int(0...part.adds.count - 1)].body, &random)
        case 1 where !part.updates.isEmpty:
            found = flip(&part.updates[random.int(0...part.updates.count - 1)].records, &random)
        case 2: found = flip(&part.script, &random)
        case 3 where !part.adds.isEmpty:
            // The same length, because both sides count bytes.
            let index = random.int(0...part.adds.count - 1)
            found = !part.adds[index].subject.isEmpty
            part.adds[index].subject = String(part.adds[index].subject.dropLast()) + "?"
        case 4 where part.head != nil:
            var records = part.head?.records ?? []
            found = flip(&records, &random)
            part.head?.records = records
        default: found = false
        }
        return found ? part : nil
    }
}

/// Selects fields of an encoded message by number and copies them unchanged.
enum FieldSelection {
    /// The bytes of these fields only, in their order; the whole message if it can't be read.
    static func bytes(of numbers: Set<UInt32>, in message: [UInt8]) -> [UInt8] {
        bytes(in: message) { numbers.contains($0) }
    }

    /// The bytes of the fields whose numbers satisfy the predicate, in their order; the whole message if it can't be
    /// read.
    static func bytes(in message: [UInt8], where isWanted: (UInt32) -> Bool) -> [UInt8] {
        var selected: [UInt8] = []
        var position = 0
        while position < message.count {
            let start = position
            guard let tag = number(message, &position), skip(UInt8(tag & 7), message, &position) else { return message }
            if let field = UInt32(exactly: tag >> 3), isWanted(field) { selected += message[start..<position] }
        }
        return selected
    }

    private static func number(_ bytes: [UInt8], _ position: inout Int) -> UInt64? {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            guard position < bytes.count else { return nil }
            let byte = bytes[position]
            position += 1
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
        }
        return nil
    }

    /// Skips a value of a wire type. Returns `false` if it is malformed.
    private static func skip(_ wireType: UInt8, _ bytes: [UInt8], _ position: inout Int) -> Bool {
        let length: UInt64?
        switch wireType {
        case 0: return number(bytes, &position) != nil
        case 1: length = 8
        case 2: length = number(bytes, &position)
        case 5: length = 4
        default: length = nil
        }
        guard let length, length <= UInt64(bytes.count - position) else { return false }
        position += Int(length)
        return true
    }
}

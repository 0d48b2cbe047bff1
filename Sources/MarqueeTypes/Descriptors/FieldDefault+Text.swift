extension FieldDefault {
    /// Reads a default as written in descriptors.
    init?(_ text: [UInt8], of type: ScalarType) {
        let string = String(decoding: text, as: UTF8.self)
        switch type {
        case .string:
            guard UTF8Check.holds(text[...]) else { return nil }
            self = .bytes(text)
        case .bytes:
            guard let bytes = FieldDefault.unescaped(text) else { return nil }
            self = .bytes(bytes)
        case .bool:
            guard string == "true" || string == "false" else { return nil }
            self = .number(string == "true" ? 1 : 0)
        case .double:
            guard let number = Double(string) else { return nil }
            self = .number(number.bitPattern)
        case .float:
            guard let number = Float(string) else { return nil }
            self = .number(UInt64(number.bitPattern))
        default:
            guard let bits = type.isSigned ? Int64(string).map(UInt64.init(bitPattern:)) : UInt64(string),
                type.isWide || (type.isSigned ? Int32(string) != nil : UInt32(string) != nil)
            else { return nil }
            self = .number(bits)
        }
    }

    /// The bytes of a text with C escapes.
    private static func unescaped(_ text: [UInt8]) -> [UInt8]? {
        var bytes: [UInt8] = []
        var index = 0
        func digits(_ radix: Int, atMost count: Int) -> UInt8? {
            let end = text[index...].prefix(count).prefix { UInt8(String(UnicodeScalar($0)), radix: radix) != nil }
                .endIndex
            defer { index = end }
            return UInt8(String(decoding: text[index..<end], as: UTF8.self), radix: radix)
        }
        while index < text.count {
            let byte = text[index]
            index += 1
            guard byte == UInt8(ascii: "\\") else {
                bytes.append(byte)
                continue
            }
            guard index < text.count else { return nil }
            switch UnicodeScalar(text[index]) {
            case "n": bytes.append(10)
            case "r": bytes.append(13)
            case "t": bytes.append(9)
            case "a": bytes.append(7)
            case "b": bytes.append(8)
            case "f": bytes.append(12)
            case "v": bytes.append(11)
            case "x", "X":
                index += 1
                guard let value = digits(16, atMost: 2) else { return nil }
                bytes.append(value)
                continue
            case "0"..."7":
                guard let value = digits(8, atMost: 3) else { return nil }
                bytes.append(value)
                continue
            default: bytes.append(text[index])
            }
            index += 1
        }
        return bytes
    }
}

import Foundation

/// The encoding of a file's text.
package struct TextEncoding: Hashable, Sendable {
    /// The converter's name for it.
    package let name: String

    package static let utf8 = TextEncoding(checked: "UTF-8")
    package static let utf16 = TextEncoding(checked: "UTF-16")
    package static let utf32 = TextEncoding(checked: "UTF-32")

    private init(checked name: String) { self.name = name }

    /// - Parameter name: a common name, such as `utf-8`, `euc-kr`, `cp949`, `utf-16`, `latin1`.
    /// - Returns: `nil` for an encoding that this system doesn't support.
    package init?(_ name: String) {
        // The converter reads a suffix such as `//IGNORE` as an instruction.
        guard !name.isEmpty, !name.contains("/") else { return nil }
        let known = name.uppercased() == "UTF8" ? "UTF-8" : name.uppercased()
        guard let converter = TextConverter.open(known) else { return nil }
        iconv_close(converter)
        self.name = known
    }

    /// The encoding that a byte order mark declares.
    init?(byteOrderMarkOf head: some Collection<UInt8>) {
        let mark = Array(head.prefix(4))
        if mark == [0xFF, 0xFE, 0, 0] || mark == [0, 0, 0xFE, 0xFF] {
            self = .utf32
        } else if mark.starts(with: [0xFF, 0xFE]) || mark.starts(with: [0xFE, 0xFF]) {
            self = .utf16
        } else {
            return nil
        }
    }
}

/// Converts text in another encoding to UTF-8, piece by piece.
final class TextConverter {
    /// The most bytes of UTF-8 returned at once.
    private static let outputBytes = 64 << 10

    private let encoding: TextEncoding
    private let converter: iconv_t
    /// The first bytes of a character whose rest has not arrived yet.
    private var rest: [UInt8] = []

    /// - Returns: `nil` for an encoding that this system doesn't support.
    init?(_ encoding: TextEncoding) {
        guard let converter = TextConverter.open(encoding.name) else { return nil }
        self.encoding = encoding
        self.converter = converter
    }

    deinit { iconv_close(converter) }

    static func open(_ encoding: String) -> iconv_t? {
        let converter = iconv_open("UTF-8", encoding)
        return converter == iconv_t(bitPattern: -1) ? nil : converter
    }

    /// Why the bytes can't be converted.
    struct Malformed: Error {
        /// Offset into the bytes given.
        var offset: Int
        var reason: String
    }

    /// - Parameters:
    ///   - bytes: the next bytes of the text.
    ///   - isLast: whether these are the last bytes.
    /// - Returns: the converted text, in UTF-8.
    func convert(_ bytes: UnsafeBufferPointer<UInt8>, isLast: Bool) throws(Malformed) -> [UInt8] {
        var input = rest + bytes
        let held = rest.count
        rest = []
        var output: [UInt8] = []
        var done = 0
        var piece = [UInt8](repeating: 0, count: TextConverter.outputBytes)
        while done < input.count {
            var error: Int32 = 0
            let (taken, made) = input.withUnsafeMutableBytes { source -> (Int, Int) in
                piece.withUnsafeMutableBytes { target -> (Int, Int) in
                    var from = source.baseAddress?.advanced(by: done).assumingMemoryBound(to: CChar.self)
                    var fromLeft = source.count - done
                    var to = target.baseAddress?.assumingMemoryBound(to: CChar.self)
                    var toLeft = target.count
                    if iconv(converter, &from, &fromLeft, &to, &toLeft) == Int(bitPattern: UInt.max) { error = errno }
                    return (source.count - done - fromLeft, target.count - toLeft)
                }
            }
            output += piece[..<made]
            done += taken
            if error == EINVAL, !isLast {
                rest = Array(input[done...])
                break
            }
            guard error == 0 || error == E2BIG else {
                throw Malformed(
                    offset: max(0, done - held), reason: "some of its bytes are not valid \(encoding.name)")
            }
        }
        return output
    }
}

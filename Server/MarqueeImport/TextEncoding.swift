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
        /// Line ends before them, among the bytes given.
        var lines: Int
        var reason: String
    }

    /// - Parameters:
    ///   - bytes: the next bytes of the text.
    ///   - isLast: whether these are the last bytes.
    /// - Returns: the converted text, in UTF-8.
    func convert(_ bytes: [UInt8], isLast: Bool) throws(Malformed) -> [UInt8] {
        var input = rest + bytes
        rest = []
        var output: [UInt8] = []
        var done = 0
        while done < input.count {
            let step = input.withUnsafeMutableBytes { convert($0, from: done, &output) }
            done += step.taken
            if step.error == EINVAL, !isLast {
                rest = Array(input[done...])
                break
            }
            guard step.error == 0 || step.error == E2BIG else {
                let lines = output.count { $0 == UInt8(ascii: "\n") }
                throw Malformed(lines: lines, reason: "some of its bytes are not valid \(encoding.name)")
            }
        }
        // Some encodings hold a letter back until it is clear that no accent follows.
        if isLast { while flush(&output) == E2BIG {} }
        return output
    }

    private func convert(
        _ input: UnsafeMutableRawBufferPointer, from start: Int, _ output: inout [UInt8]
    ) -> (taken: Int, error: Int32) {
        var from = input.baseAddress?.advanced(by: start).assumingMemoryBound(to: CChar.self)
        var left = input.count - start
        let error = write(&output) { to, room in iconv(converter, &from, &left, &to, &room) }
        return (input.count - start - left, error)
    }

    private func flush(_ output: inout [UInt8]) -> Int32 {
        write(&output) { to, room in iconv(converter, nil, nil, &to, &room) }
    }

    /// - Returns: the error that stopped it; 0 for none.
    private func write(
        _ output: inout [UInt8], _ convert: (inout UnsafeMutablePointer<CChar>?, inout Int) -> Int
    ) -> Int32 {
        var error: Int32 = 0
        output += [UInt8](unsafeUninitializedCapacity: TextConverter.outputBytes) { piece, count in
            var to = UnsafeMutableRawPointer(piece.baseAddress)?.assumingMemoryBound(to: CChar.self)
            var room = piece.count
            if convert(&to, &room) == Int(bitPattern: UInt.max) { error = errno }
            count = piece.count - room
        }
        return error
    }
}

/// Splits bytes that arrive bit by bit into lines: a value.
package struct LineSplitter: Sendable {
    /// The most bytes of a line. A record has far fewer.
    package static let lineBytes = 1 << 20

    package enum Line: Hashable, Sendable {
        case text([UInt8])
        /// It had more bytes than a line may have, and they are gone.
        case tooLong
    }

    private static let newline = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")

    private var pending: [UInt8] = []
    private var isTooLong = false

    package init() {}

    /// - Returns: the lines that are whole now, without empty ones.
    package mutating func take(_ bytes: some Collection<UInt8>) -> [Line] {
        var lines: [Line] = []
        let parts = bytes.split(separator: Self.newline, omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            if pending.count + part.count > Self.lineBytes {
                isTooLong = true
                pending = []
            } else if !isTooLong {
                pending += part
            }
            if index < parts.count - 1, let line = end() { lines.append(line) }
        }
        return lines
    }

    /// The line that no line end follows.
    package mutating func end() -> Line? {
        defer { (pending, isTooLong) = ([], false) }
        if isTooLong { return .tooLong }
        if pending.last == Self.carriageReturn { pending.removeLast() }
        let isEmpty = pending.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        return isEmpty ? nil : .text(pending)
    }
}

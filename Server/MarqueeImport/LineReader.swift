/// Streams a text file line by line.
struct LineReader {
    /// The most bytes of a line.
    static let lineBytes = 16 << 20

    private static let newline = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")

    let source: ImportSource
    var limit = LineReader.lineBytes

    /// Hands out every line without its line end, which is CR, LF or both, with its number from 1.
    func read(_ line: (Int, [UInt8]) throws(ImportError) -> Void) throws(ImportError) {
        var number = 1
        var pending: [UInt8] = []
        var isAfterReturn = false
        func handOut() throws(ImportError) {
            try line(number, pending)
            pending.removeAll(keepingCapacity: true)
            number += 1
        }
        while try source.next({ (chunk) throws(ImportError) in
            var rest = chunk[...]
            while let first = rest.first {
                if isAfterReturn, first == LineReader.newline { rest = rest.dropFirst() }
                isAfterReturn = false
                guard let end = rest.firstIndex(where: { $0 == LineReader.newline || $0 == LineReader.carriageReturn })
                else { break }
                try append(rest[..<end], to: &pending, number)
                isAfterReturn = rest[end] == LineReader.carriageReturn
                rest = rest[(end + 1)...]
                try handOut()
            }
            try append(rest, to: &pending, number)
        }) {}
        if !pending.isEmpty { try handOut() }
    }

    private func append(
        _ bytes: Slice<UnsafeBufferPointer<UInt8>>, to pending: inout [UInt8], _ number: Int
    ) throws(ImportError) {
        guard pending.count + bytes.count <= limit else {
            throw ImportError(.malformed, "\(source.name):\(number): the line is longer than \(limit) bytes")
        }
        pending.append(contentsOf: bytes)
    }
}

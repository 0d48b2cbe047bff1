/// A message of a server to a reader of its log.
package enum StreamFrame: Hashable, Sendable {
    /// A message of the plugin.
    case data([UInt8])
    /// Everything up to here was sent.
    case keepalive(end: LogLocation, wantsReply: Bool)

    /// - Throws: for bytes that are neither.
    package init(_ bytes: [UInt8]) throws(PgOutputError) {
        let header = 1 + 8 + 8 + 8
        switch bytes.first {
        case UInt8(ascii: "w")? where bytes.count >= header: self = .data(Array(bytes[header...]))
        case UInt8(ascii: "k")? where bytes.count == 1 + 8 + 8 + 1:
            let end = bytes[1..<9].reduce(UInt64.zero) { $0 << 8 | UInt64($1) }
            self = .keepalive(end: LogLocation(end), wantsReply: bytes[17] != 0)
        default: throw PgOutputError(offset: 0, reason: "the server sent \(bytes.count) bytes that are no message")
        }
    }

    /// The answer to a server: everything up to a place is durable elsewhere.
    /// - Parameter time: in microseconds since 2000.
    package static func status(_ end: LogLocation, time: Int64) -> [UInt8] {
        var bytes = [UInt8(ascii: "r")]
        for number in [end.bytes, end.bytes, end.bytes, UInt64(bitPattern: time)] {
            bytes += withUnsafeBytes(of: number.bigEndian) { Array($0) }
        }
        return bytes + [0]
    }
}

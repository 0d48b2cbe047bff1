import NIOCore

/// The header of the PROXY protocol, version 2, with which a load balancer begins a connection to give the client's
/// address: https://www.haproxy.org/download/2.9/doc/proxy-protocol.txt, section 2.2.
enum ProxyHeader {
    /// The meaning of the bytes so far.
    enum Reading: Equatable {
        case incomplete
        /// - Parameters:
        ///   - source: the client's address; `nil` if the balancer connects on its own behalf, as for a health check,
        ///     or doesn't know the address.
        ///   - length: the header's.
        case whole(source: SocketAddress?, length: Int)
        /// Something else, with an explanation for the log.
        case wrong(String)
    }

    /// The most bytes of a header, including any extra data from the balancer.
    static let maximumLength = 4_096
    static let signature: [UInt8] = [
        0x0D, 0x0A, 0x0D, 0x0A, 0x00, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A,
    ]
    /// Bytes before the addresses.
    private static let fixedLength = 16

    /// Whether bytes begin with the signature; `nil` while that isn't known.
    static func begins(_ bytes: ByteBuffer) -> Bool? {
        let view = bytes.readableBytesView.prefix(signature.count)
        guard view.elementsEqual(signature.prefix(view.count)) else { return false }
        return view.count == signature.count ? true : nil
    }

    static func read(_ bytes: ByteBuffer) -> Reading {
        var rest = bytes
        guard begins(bytes) != false else { return .wrong("it doesn't begin with a PROXY header of version 2") }
        guard rest.readableBytes >= fixedLength else { return .incomplete }
        rest.moveReaderIndex(forwardBy: signature.count)
        guard let kind: UInt8 = rest.readInteger(), let family: UInt8 = rest.readInteger(),
            let length = rest.readInteger(as: UInt16.self).map({ Int($0) })
        else { return .incomplete }
        guard kind >> 4 == 2, kind & 0xF <= 1 else { return .wrong("its PROXY header isn't of version 2") }
        guard fixedLength + length <= maximumLength else {
            return .wrong("its PROXY header has more than \(maximumLength) bytes")
        }
        guard rest.readableBytes >= length else { return .incomplete }
        let isForItself = kind & 0xF == 0
        switch isForItself ? 0 : family {
        case 0x11: return whole(&rest, addressLength: 4, length)
        case 0x21: return whole(&rest, addressLength: 16, length)
        // An unknown address, or a connection within the balancer's machine.
        case 0x00, 0x31: return .whole(source: nil, length: fixedLength + length)
        default: return .wrong("its PROXY header is for something other than TCP")
        }
    }

    /// Reads the source, the destination, and the port of each.
    private static func whole(_ rest: inout ByteBuffer, addressLength: Int, _ length: Int) -> Reading {
        guard length >= 2 * addressLength + 4, let address = rest.readSlice(length: addressLength),
            rest.readSlice(length: addressLength) != nil, let port: UInt16 = rest.readInteger(),
            let source = try? SocketAddress(packedIPAddress: address, port: Int(port))
        else { return .wrong("its PROXY header is too short for its addresses") }
        return .whole(source: source, length: fixedLength + length)
    }
}

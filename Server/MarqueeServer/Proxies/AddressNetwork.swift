package import NIOCore

/// A network of IP addresses, such as `10.0.0.0/8`, `2001:db8::/32` or the single address `10.0.0.7`.
package struct AddressNetwork: Hashable, Sendable, CustomStringConvertible {
    private let bytes: [UInt8]
    private let bits: Int
    package let description: String

    /// - Returns: `nil` for any other text. Bits of the address beyond the network's are ignored.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, let address = try? SocketAddress(ipAddress: String(parts[0]), port: 0),
            let bytes = address.addressBytes
        else { return nil }
        let bits = parts.count == 1 ? bytes.count * 8 : Int(parts[1])
        guard let bits, (0...bytes.count * 8).contains(bits) else { return nil }
        self.bytes = bytes
        self.bits = bits
        description = text
    }

    /// Whether all addresses of its family are in it: `0.0.0.0/0` or `::/0`.
    package var isEverything: Bool { bits == 0 }

    package func contains(_ address: SocketAddress?) -> Bool {
        guard let other = address?.addressBytes, other.count == bytes.count else { return false }
        return zip(bytes, other).enumerated().allSatisfy { index, pair in
            let counted = max(0, min(8, bits - index * 8))
            return (pair.0 ^ pair.1) >> (8 - counted) == 0 || counted == 0
        }
    }
}

extension SocketAddress {
    /// The address as 4 or 16 bytes; an IPv4 address written as an IPv6 address (RFC 4291 section 2.5.5.2) has 4.
    fileprivate var addressBytes: [UInt8]? {
        switch self {
        case .v4(let address): return withUnsafeBytes(of: address.address.sin_addr) { Array($0) }
        case .v6(let address):
            let bytes = withUnsafeBytes(of: address.address.sin6_addr) { Array($0) }
            let isMapped = bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
            return isMapped ? Array(bytes[12...]) : bytes
        case .unixDomainSocket: return nil
        }
    }
}

package import NIOCore

/// The unit that counts as one address: an IPv4 address, or the first 64 bits of an IPv6 address, because a site that
/// has one address with these bits has them all (RFC 6177).
package struct AddressKey: Hashable, Sendable {
    private let bits: UInt64
    private let isIPv6: Bool

    /// - Returns: `nil` for this machine, and for sockets without an IP address.
    package init?(_ address: SocketAddress?) {
        switch address {
        case .v4(let address):
            let number = UInt32(bigEndian: address.address.sin_addr.s_addr)
            guard number >> 24 != 127 else { return nil }
            bits = UInt64(number)
            isIPv6 = false
        case .v6(let address):
            let bytes = withUnsafeBytes(of: address.address.sin6_addr) { Array($0) }
            let number = { (range: Range<Int>) in bytes[range].reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
            let (high, low) = (number(0..<8), number(8..<16))
            guard high != 0 || low != 1 else { return nil }
            // An IPv4 address written as an IPv6 address (RFC 4291 section 2.5.5.2).
            if high == 0, low >> 32 == 0xFFFF {
                guard (low >> 24) & 0xFF != 127 else { return nil }
                bits = low & 0xFFFF_FFFF
                isIPv6 = false
            } else {
                bits = high
                isIPv6 = true
            }
        case .unixDomainSocket, nil: return nil
        }
    }
}

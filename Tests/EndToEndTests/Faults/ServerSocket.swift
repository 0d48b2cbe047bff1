import Foundation

/// The server's end of a connection on loopback, found among this process's descriptors.
struct ServerSocket {
    private let descriptor: CInt

    /// - Returns: `nil` when there is none between these ports.
    init?(local: Int, remote: Int) {
        let open = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        let found = open.compactMap { CInt($0) }.first { descriptor in
            Self.port(of: descriptor, getsockname) == local && Self.port(of: descriptor, getpeername) == remote
        }
        guard let found else { return nil }
        descriptor = found
    }

    /// An option of TCP.
    func option(_ name: CInt) -> CInt? {
        var value: CInt = 0
        var size = socklen_t(MemoryLayout<CInt>.size)
        return getsockopt(descriptor, CInt(IPPROTO_TCP), name, &value, &size) == 0 ? value : nil
    }

    /// Bytes that the kernel has accepted and not sent.
    var unsentBytes: Int? {
        let siocOutqNsd: UInt = 0x894B
        var value: CInt = 0
        return ioctl(descriptor, siocOutqNsd, &value) == 0 ? Int(value) : nil
    }

    private typealias Name = (CInt, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> CInt

    private static func port(of descriptor: CInt, _ name: Name) -> Int? {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { name(descriptor, $0, &size) }
        }
        return result == 0 && address.sin_family == sa_family_t(AF_INET)
            ? Int(UInt16(bigEndian: address.sin_port)) : nil
    }
}

import Foundation
import Testing

@testable import MarqueeClient

@Suite("Socket options", .timeLimit(.minutes(10)))
struct SocketOptionTests {
    @Test func `Both ends send without delay, and set no option that needs an administrator`() async throws {
        let harness = try await Harness()
        let client = try harness.client()
        var updates = client.screen(.home).makeAsyncIterator()
        _ = try await updates.first { $0.origin == .live }

        let ends = try Self.connections(ofPort: harness.server.summary.port)
        #expect(ends.count >= 2, "both ends are in this process; a client that was made to wait connects again")
        for end in ends {
            #expect(Self.option(TCP_NODELAY, level: CInt(IPPROTO_TCP), of: end) != 0)
            // SO_DEBUG has the number of TCP_NODELAY, at another level. Setting it takes CAP_NET_ADMIN.
            #expect(Self.option(SO_DEBUG, level: SOL_SOCKET, of: end) == 0)
        }
        await client.close()
        await harness.stop()
    }

    /// This process's connected sockets with the port on either end.
    private static func connections(ofPort port: Int) throws -> [CInt] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { CInt($0) }.filter {
            descriptor in
            guard let peer = Self.port(of: descriptor, getpeername) else { return false }
            return peer == port || Self.port(of: descriptor, getsockname) == port
        }
    }

    private static func port(
        of descriptor: CInt,
        _ name: (CInt, UnsafeMutablePointer<sockaddr>?, UnsafeMutablePointer<socklen_t>?) -> CInt
    ) -> Int? {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { name(descriptor, $0, &length) }
        }
        guard result == 0, address.sin_family == sa_family_t(AF_INET) else { return nil }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    private static func option(_ name: CInt, level: CInt, of descriptor: CInt) -> CInt? {
        var value: CInt = -1
        var length = socklen_t(MemoryLayout<CInt>.size)
        return getsockopt(descriptor, level, name, &value, &length) == 0 ? value : nil
    }
}

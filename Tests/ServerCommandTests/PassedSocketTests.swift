import Foundation
import Testing

@testable import marquee_server

/// A socket that the service manager listens on.
struct PassedSocketTests {
    /// A TCP socket of this machine; whoever takes it closes it.
    private func socket(listens: Bool = true) throws -> (descriptor: CInt, address: ListenAddress) {
        let descriptor = Foundation.socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &place) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        try #require(isBound && (!listens || listen(descriptor, 8) == 0))
        return (descriptor, ListenAddress(host: "127.0.0.1", port: Int(UInt16(bigEndian: place.sin_port))))
    }

    private func taken(
        _ descriptor: CInt, for wanted: ListenAddress, process: pid_t = getpid(), count: String = "1"
    ) throws -> PassedSocket? {
        try PassedSocket.taken(
            for: wanted, environment: ["LISTEN_PID": "\(process)", "LISTEN_FDS": count], first: descriptor)
    }

    @Test func `A socket of the address that options name is taken over, and children don't get it`() throws {
        let (descriptor, address) = try socket()
        defer { close(descriptor) }
        let passed = try #require(try taken(descriptor, for: address))
        #expect(passed.descriptor == descriptor && passed.address == address)
        #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0)
    }

    @Test func `Without one, or with one for another process, the server opens its own`() throws {
        let (descriptor, address) = try socket()
        defer { close(descriptor) }
        #expect(try PassedSocket.taken(for: address, environment: [:], first: descriptor) == nil)
        #expect(try taken(descriptor, for: address, process: 1) == nil)
    }

    /// Whether TLS is needed was judged by the address that the options name.
    @Test func `A socket of another address is refused, with the option that fits`() throws {
        let (descriptor, address) = try socket()
        defer { close(descriptor) }
        let failure = #expect(throws: CommandFailure.self) { try taken(descriptor, for: .standard) }
        #expect(failure?.code == .configuration)
        #expect(failure?.message.contains("say --listen \(address)") == true)
    }

    @Test func `Several sockets, one that doesn't listen, and no socket at all are refused`() throws {
        let (descriptor, address) = try socket(listens: false)
        #expect(throws: CommandFailure.self) { try taken(descriptor, for: address) }
        #expect(throws: CommandFailure.self) { try taken(descriptor, for: address, count: "2") }
        close(descriptor)
        #expect(throws: CommandFailure.self) { try taken(-1, for: address) }
    }
}

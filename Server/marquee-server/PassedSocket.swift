import Foundation
import NIOCore

/// A listening socket that the service manager passes to this process, as in sd_listen_fds(3). The process may lack the
/// permission to open it, as for port 443; and new connections wait in it while the process restarts.
struct PassedSocket: Sendable {
    let descriptor: CInt
    let address: ListenAddress

    /// Takes over the socket that was passed, so that child processes don't inherit it.
    /// - Parameters:
    ///   - wanted: the address in the options, for which their protection was checked.
    ///   - first: where sd_listen_fds(3) puts the first socket.
    /// - Returns: `nil` if none was passed.
    static func taken(
        for wanted: ListenAddress, environment: [String: String] = ProcessInfo.processInfo.environment,
        first: CInt = 3
    ) throws(CommandFailure) -> PassedSocket? {
        // The variables may be meant for the process that started this one.
        guard environment["LISTEN_PID"] == String(getpid()), let count = environment["LISTEN_FDS"] else { return nil }
        guard count == "1" else {
            throw CommandFailure(
                .configuration, "the service manager passes \(count) sockets; one is needed, with one ListenStream=")
        }
        let socket = try PassedSocket(descriptor: first)
        guard socket.address == wanted else {
            throw CommandFailure(
                .configuration,
                "the service manager listens on \(socket.address), and --listen is \(wanted); say --listen "
                    + "\(socket.address), or change its ListenStream=")
        }
        return socket
    }

    private init(descriptor: CInt) throws(CommandFailure) {
        var place = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let isPresent = withUnsafeMutablePointer(to: &place) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) } == 0
        }
        guard isPresent, Self.option(SO_ACCEPTCONN, of: descriptor) == 1, let address = Self.address(place) else {
            throw CommandFailure(
                .configuration, "the service manager passes no socket that listens for TCP; use ListenStream=HOST:PORT")
        }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        self.descriptor = descriptor
        self.address = address
    }

    private static func option(_ name: CInt, of descriptor: CInt) -> CInt? {
        var value: CInt = 0
        var length = socklen_t(MemoryLayout<CInt>.size)
        return getsockopt(descriptor, SOL_SOCKET, name, &value, &length) == 0 ? value : nil
    }

    private static func address(_ place: sockaddr_storage) -> ListenAddress? {
        withUnsafeBytes(of: place) { bytes in
            let address: SocketAddress
            switch CInt(place.ss_family) {
            case AF_INET: address = SocketAddress(bytes.loadUnaligned(as: sockaddr_in.self))
            case AF_INET6: address = SocketAddress(bytes.loadUnaligned(as: sockaddr_in6.self))
            default: return nil
            }
            guard let host = address.ipAddress, let port = address.port else { return nil }
            return ListenAddress(host: host, port: port)
        }
    }
}

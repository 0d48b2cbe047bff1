import Foundation
import MarqueeTLS
import NIOCore
import NIOPosix

/// Where connections go, and what they need to get there.
struct Target: Sendable {
    static let host = "127.0.0.1"
    /// The socket option that leaves the choice of a port to `connect`, when the other side is known: a port is in use
    /// for one server then and free for others (ip(7)).
    private static let addressWithoutPort = ChannelOptions.Types.SocketOption(
        level: .ip, name: NIOBSDSocket.Option(rawValue: 24))

    var port: Int
    /// `nil` for plain TCP.
    var tls: TLSClient?
    /// The token that the ordinary client shows.
    var token: String?
    /// The address that connections come from; `nil` for the server's own.
    var source: String?
    /// The access to a server with TLS and tokens.
    var access: SiegeAccess?

    /// As the ordinary client sees it.
    init(port: Int, access: SiegeAccess?) throws {
        self.port = port
        self.access = access
        tls = try access.map { access in try TLSClient(access.trust, host: Self.host) }
        token = try access?.token(of: SiegeAccess.ordinary)
    }

    /// As attackers see it. They are anonymous, and at a server with TLS they come from an address that isn't the
    /// machine's own loopback, as it counts connections from anywhere else.
    init(outsideWith access: SiegeAccess?, port: Int) throws {
        try self.init(port: port, access: access)
        token = nil
        source = try access.map { _ in try Self.outside() }
    }

    /// The same without TLS.
    var plain: Target {
        var plain = self
        plain.tls = nil
        return plain
    }

    /// Adds the address that connections come from.
    func from(_ bootstrap: ClientBootstrap) throws -> ClientBootstrap {
        guard let source else { return bootstrap }
        return bootstrap.channelOption(Self.addressWithoutPort, value: 1)
            .bind(to: try SocketAddress(ipAddress: source, port: 0))
    }

    /// An IPv4 address of this machine that isn't a loopback address.
    private static func outside() throws -> String {
        for device in try System.enumerateDevices() {
            if case .v4? = device.address, let address = device.address?.ipAddress, !Loopback.contains(address) {
                return address
            }
        }
        throw SiegeError("this machine has no IPv4 address besides 127.0.0.1, from which attackers would come")
    }
}

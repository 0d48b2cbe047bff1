package import NIOCore

extension SocketAddress {
    /// Address and port as people write them: `192.0.2.1:50123`, `[2001:db8::1]:50123`.
    package var text: String {
        guard let host = ipAddress, let port else { return description }
        return host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}

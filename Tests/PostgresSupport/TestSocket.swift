package import Foundation

/// Blocking sockets, of which proxies in tests are made.
package enum TestSocket {
    #if canImport(Glibc)
        package static let stream = Int32(SOCK_STREAM.rawValue)
        private static let quietly = Int32(MSG_NOSIGNAL)
    #else
        package static let stream = SOCK_STREAM
        private static let quietly: Int32 = 0
    #endif

    /// - Returns: the bytes that have arrived; `nil` at the end.
    package static func read(_ descriptor: Int32) -> Data? {
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        return count > 0 ? Data(bytes.prefix(count)) : nil
    }

    /// Writes everything, unless the other side is gone.
    package static func write(_ bytes: Data, to descriptor: Int32) {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, quietly) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}

import Foundation
import PostgresSupport
import Synchronization

/// Stands between a client and a server, and keeps what the client sends from a certain text on, even if the client is
/// killed meanwhile, until it is released.
final class HoldingProxy: Sendable {
    private struct State {
        var isArmed = true
        var held = Data()
        var server: Int32?
        var sockets: [Int32] = []
    }

    let port: Int
    private let target: Int
    private let text: Data
    private let listener: Int32
    private let state = Mutex(State())

    init(to target: Int, holdingFrom text: String) throws {
        (self.target, self.text) = (target, Data(text.utf8))
        let socket = socket(AF_INET, TestSocket.stream, 0)
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = Self.withAddress(0) { bind(socket, $0, size) }
        guard bound == 0, listen(socket, 8) == 0 else { throw POSIXError(.EADDRINUSE) }
        listener = socket
        var address = sockaddr_in()
        var length = size
        _ = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &length) }
        }
        port = Int(UInt16(bigEndian: address.sin_port))
        Thread { [self] in serve() }.start()
    }

    var isHolding: Bool { state.withLock { !$0.held.isEmpty } }

    /// Sends what it has kept, and keeps nothing more.
    func release() {
        state.withLock { state in
            if let server = state.server { TestSocket.write(state.held, to: server) }
            (state.held, state.server, state.isArmed) = (Data(), nil, false)
        }
    }

    func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
        for socket in state.withLock({ $0.sockets }) { shutdown(socket, Int32(SHUT_RDWR)) }
    }

    private func serve() {
        while true {
            let client = accept(listener, nil, nil)
            guard client >= 0 else { return }
            let server = socket(AF_INET, TestSocket.stream, 0)
            let length = socklen_t(MemoryLayout<sockaddr_in>.size)
            _ = Self.withAddress(target) { connect(server, $0, length) }
            state.withLock { $0.sockets += [client, server] }
            Thread { [self] in
                while let bytes = TestSocket.read(client) { pass(bytes, to: server) }
                if state.withLock({ $0.server }) != server { shutdown(server, Int32(SHUT_RDWR)) }
            }.start()
            Thread {
                while let bytes = TestSocket.read(server) { TestSocket.write(bytes, to: client) }
                shutdown(client, Int32(SHUT_RDWR))
            }.start()
        }
    }

    private func pass(_ bytes: Data, to server: Int32) {
        state.withLock { state in
            if state.isArmed, state.server == nil, bytes.range(of: text) != nil { state.server = server }
            if state.server == server {
                state.held += bytes
            } else {
                TestSocket.write(bytes, to: server)
            }
        }
    }

    // MARK: - Sockets

    private static func withAddress(_ port: Int, _ body: (UnsafePointer<sockaddr>) -> Int32) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0) }
        }
    }
}

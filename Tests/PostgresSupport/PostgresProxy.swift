import Foundation
import Synchronization

/// Stands between a store and a server, and breaks a connection as it commits.
package final class PostgresProxy: Sendable {
    /// A fault of the next commit.
    package enum Fault: Sendable {
        /// It never reaches the server.
        case beforeCommit
        /// It takes effect, and the answer is lost.
        case afterCommit
        /// The connection is lost first, and the commit reaches the server later.
        case lateCommit
    }

    private struct State {
        var fault: Fault?
        var broken = 0
        var isAlone = false
    }

    /// Where its socket is.
    package let folder: String
    private let upstream: String
    private let listener: Int32
    private let state = Mutex(State())

    private static let socketName = ".s.PGSQL.5432"
    /// The text of a statement that only a commit has. A connection sends it the first time that it commits.
    private static let words = Data("commit_mark".utf8)
    /// Long enough for a commit.
    private static let pauseMicroseconds: UInt32 = 500_000

    /// Listens at a socket of its own.
    /// - Throws: `PostgresServer.Failure`.
    package init(_ server: PostgresServer) throws {
        folder = "\(server.folder)-proxy-\(UUID().uuidString.prefix(4))"
        upstream = "\(server.folder)/\(Self.socketName)"
        guard mkdir(folder, 0o700) == 0 else { throw PostgresServer.Failure(description: "no folder for the proxy") }
        listener = socket(AF_UNIX, TestSocket.stream, 0)
        let bound = Self.withAddress("\(folder)/\(Self.socketName)") { bind(listener, $0, $1) }
        guard bound == 0, listen(listener, 16) == 0 else {
            throw PostgresServer.Failure(description: "the proxy can't listen")
        }
        Thread { [self] in serve() }.start()
    }

    /// Breaks the next connection that commits for the first time.
    package func arm(_ fault: Fault) { state.withLock { $0.fault = fault } }

    /// Takes further connections and ends them at once, as a balancer does before a server that is away.
    package func loseServer() { state.withLock { $0.isAlone = true } }

    /// Connections that were broken.
    package var broken: Int { state.withLock { $0.broken } }

    /// Takes no further connections.
    package func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
        try? FileManager.default.removeItem(atPath: folder)
    }

    private func serve() {
        while true {
            let client = accept(listener, nil, nil)
            guard client >= 0 else { return }
            if state.withLock({ $0.isAlone }) {
                close(client)
                continue
            }
            let server = socket(AF_UNIX, TestSocket.stream, 0)
            _ = Self.withAddress(upstream) { connect(server, $0, $1) }
            let link = Link(client: client, server: server)
            Thread { [self] in
                while let bytes = TestSocket.read(client) { pass(bytes, on: link) }
                link.end()
            }.start()
            Thread {
                while let bytes = TestSocket.read(server) { if !link.isSilent { TestSocket.write(bytes, to: client) } }
                link.end()
            }.start()
        }
    }

    private func pass(_ bytes: Data, on link: Link) {
        let fault: Fault? =
            bytes.range(of: Self.words) == nil
            ? nil
            : state.withLock { state in
                defer { state.fault = nil }
                if state.fault != nil { state.broken += 1 }
                return state.fault
            }
        switch fault {
        case nil: TestSocket.write(bytes, to: link.server)
        case .beforeCommit: link.end()
        case .afterCommit:
            link.silence()
            TestSocket.write(bytes, to: link.server)
            // The rest of the commit still passes meanwhile.
            Thread {
                usleep(Self.pauseMicroseconds)
                link.end()
            }.start()
        case .lateCommit:
            link.silence()
            shutdown(link.client, Int32(SHUT_RDWR))
            usleep(2 * Self.pauseMicroseconds)
            TestSocket.write(bytes, to: link.server)
            usleep(Self.pauseMicroseconds)
            link.end()
        }
    }

    /// The two halves of a connection.
    private final class Link: Sendable {
        let client: Int32
        let server: Int32
        private let silent = Mutex(false)

        init(client: Int32, server: Int32) {
            self.client = client
            self.server = server
        }

        deinit {
            close(client)
            close(server)
        }

        var isSilent: Bool { silent.withLock { $0 } }
        func silence() { silent.withLock { $0 = true } }

        func end() {
            shutdown(client, Int32(SHUT_RDWR))
            shutdown(server, Int32(SHUT_RDWR))
        }
    }

    // MARK: - Sockets

    private static func withAddress(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}

import Foundation
import NIOCore
import NIOPosix
import Testing

@testable import MarqueeServer

/// Bytes that show their position.
enum Bytes {
    static func counting(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 / 251 + $0) } }
}

/// The client's end of a connection, without NIO. A read that takes longer than the limit fails.
final class BlockingSocket: Sendable {
    private static let limit = timeval(tv_sec: 60, tv_usec: 0)
    let descriptor: CInt

    /// Owns the descriptor.
    init(_ descriptor: CInt) {
        self.descriptor = descriptor
        withUnsafeBytes(of: Self.limit) {
            _ = setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, $0.baseAddress, socklen_t($0.count))
        }
    }

    deinit { close(descriptor) }

    /// Reads until `count` bytes have arrived, or the end.
    func read(_ count: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var taken = 0
        while taken < count {
            let part = bytes[taken...].withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
            if part == 0 || (part < 0 && errno == ECONNRESET) { break }
            guard part > 0 else { throw IOError(errnoCode: errno, reason: "recv after \(taken) of \(count) bytes") }
            taken += part
        }
        return Array(bytes.prefix(taken))
    }

    func write(_ text: String) throws {
        let count = send(descriptor, text, text.utf8.count, CInt(MSG_NOSIGNAL))
        guard count == text.utf8.count else { throw IOError(errnoCode: errno, reason: "send") }
    }

    /// Whether the connection is open and has nothing to read now.
    var hasNothing: Bool {
        var byte: UInt8 = 0
        return recv(descriptor, &byte, 1, CInt(MSG_DONTWAIT)) < 0 && errno == EAGAIN
    }

    /// Resets the connection. The descriptor stays open.
    func reset() {
        // Connecting to an unspecified address resets the socket's connection.
        var nowhere = sockaddr(sa_family: sa_family_t(AF_UNSPEC), sa_data: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        connect(descriptor, &nowhere, socklen_t(MemoryLayout<sockaddr>.size))
    }
}

/// Two connected sockets.
final class SocketPair: Sendable {
    let near: CInt
    let far: BlockingSocket

    init() throws {
        var ends: [CInt] = [0, 0]
        guard socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0 else {
            throw IOError(errnoCode: errno, reason: "socketpair")
        }
        near = ends[0]
        far = BlockingSocket(ends[1])
    }

    deinit { close(near) }
}

/// A connection over loopback whose server's end is a channel with a `DirectOutput`.
final class OutputConnection: Sendable {
    let client: BlockingSocket
    /// The server's end.
    let descriptor: CInt
    let channel: any Channel
    let inbound = InboundText()
    private let output: NIOLoopBound<DirectOutput>

    /// - Parameters:
    ///   - smallBuffers: whether the system takes only a few kilobytes at once.
    ///   - lowestDescriptor: the server's end gets the first free number from here on.
    init(smallBuffers: Bool = false, lowestDescriptor: CInt = 0) async throws {
        let (client, accepted) = try Self.connect(smallBuffers: smallBuffers)
        self.client = BlockingSocket(client)
        if lowestDescriptor > 0 {
            descriptor = fcntl(accepted, F_DUPFD, lowestDescriptor)
            Foundation.close(accepted)
        } else {
            descriptor = accepted
        }
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let inbound = inbound
        channel = try await ClientBootstrap(group: loop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(TextReader(inbound))
                }
            }
            .withConnectedSocket(descriptor).get()
        output = try await loop.submit { [channel] in
            NIOLoopBound(try #require(try DirectOutput.add(to: channel)), eventLoop: loop)
        }.get()
    }

    /// Runs `work` on the channel's event loop.
    @discardableResult
    func onLoop<Value: Sendable>(
        _ work: @escaping @Sendable (DirectOutput, any Channel) throws -> Value
    ) async throws -> Value {
        try await channel.eventLoop.submit { [output, channel] in try work(output.value, channel) }.get()
    }

    /// Writes directly as soon as possible, that is once NIO has nothing waiting and the system takes bytes again.
    func send(_ text: String) async throws {
        let end = ContinuousClock.now + .seconds(60)
        while try await onLoop({ output, _ in output.write(ByteBuffer(string: text)) }) != .sent {
            guard ContinuousClock.now < end else { throw IOError(errnoCode: ETIMEDOUT, reason: "no direct write") }
            try await Task.sleep(for: .milliseconds(1))
        }
    }

    func close() async throws { try await channel.close() }

    private static func connect(smallBuffers: Bool) throws -> (client: CInt, accepted: CInt) {
        let listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        defer { Foundation.close(listener) }
        let client = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        if smallBuffers {
            var size: CInt = 4_096
            for (descriptor, option) in [(listener, SO_SNDBUF), (client, SO_RCVBUF)] {
                setsockopt(descriptor, SOL_SOCKET, option, &size, socklen_t(MemoryLayout<CInt>.size))
            }
        }
        let any = try SocketAddress(ipAddress: "127.0.0.1", port: 0)
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isConnected = any.withSockAddr { pointer, size in
            guard bind(listener, pointer, socklen_t(size)) == 0, listen(listener, 1) == 0 else { return false }
            return withUnsafeMutablePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    getsockname(listener, $0, &length) == 0 && Foundation.connect(client, $0, length) == 0
                }
            }
        }
        let accepted = isConnected ? accept(listener, nil, nil) : -1
        guard accepted >= 0 else {
            let error = IOError(errnoCode: errno, reason: "no connection over loopback")
            Foundation.close(client)
            throw error
        }
        return (client, accepted)
    }
}

/// Collects what a channel has read.
final class InboundText: @unchecked Sendable {
    // Written on the event loop, read once the channel has closed.
    fileprivate(set) var text = ""
}

private final class TextReader: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    private let inbound: InboundText

    init(_ inbound: InboundText) { self.inbound = inbound }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        inbound.text += String(buffer: unwrapInboundIn(data))
    }
}

import Foundation
import MarqueeModel
import MarqueeWire
import NIOCore
import NIOPosix
import Synchronization

/// A connection that says what it wants, and throws away what comes back.
final class Attacker: Sendable {
    private static let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

    let channel: any Channel
    private let watcher: Watcher

    private init(channel: any Channel, watcher: Watcher) {
        self.channel = channel
        self.watcher = watcher
    }

    static func open(port: Int) async throws -> Attacker {
        let watcher = Watcher()
        let channel = try await ClientBootstrap(group: group)
            .channelOption(.autoRead, value: true)
            .connectTimeout(.seconds(10))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Sink(watcher))
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
        return Attacker(channel: channel, watcher: watcher)
    }

    /// Says hello and waits for the answer.
    func greet(user: String? = nil) async throws {
        send(.hello(Self.hello(user: user)))
        for _ in 0..<20_000 {
            if watcher.frames.load(ordering: .acquiring) > 0 { return }
            guard channel.isActive else { break }
            try await Task.sleep(for: .milliseconds(1))
        }
        throw SiegeError("no welcome came")
    }

    static func hello(user: String? = nil) -> Hello {
        var hello = Hello()
        hello.clientID = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
        hello.user = user
        return hello
    }

    var isOpen: Bool { channel.isActive }
    /// Whether the socket takes more; what is sent all the same piles up here.
    var isWritable: Bool { channel.isWritable }

    func send(_ message: Message) { send(MessageCodec.encode(message, flags: [])) }
    func send(_ bytes: ByteBuffer) { channel.writeAndFlush(bytes, promise: nil) }

    /// Sends bytes and waits until the socket has taken them, or for a second.
    func push(_ bytes: ByteBuffer) async {
        guard isOpen else { return }
        if isWritable { send(bytes) }
        for _ in 0..<1_000 where isOpen && !isWritable {
            if Task.isCancelled { return }
            try? await Task.sleep(for: .milliseconds(1))
        }
    }

    func stopReading() { channel.setOption(.autoRead, value: false).whenFailure { _ in } }

    func close() { channel.close(promise: nil) }

    /// Closes so that the other side gets a reset.
    func reset() {
        let channel = channel
        if let provider = channel as? any SocketOptionProvider {
            provider.setSoLinger(linger(l_onoff: 1, l_linger: 0)).whenComplete { _ in channel.close(promise: nil) }
        } else {
            channel.close(promise: nil)
        }
    }

    private final class Watcher: Sendable { let frames = Atomic<Int>(0) }

    private final class Sink: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private let watcher: Watcher
        init(_ watcher: Watcher) { self.watcher = watcher }
        func channelRead(context: ChannelHandlerContext, data: NIOAny) { watcher.frames.add(1, ordering: .releasing) }
        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
}

extension [Message] {
    /// All of them in one buffer.
    var bytes: ByteBuffer {
        var buffer = ByteBuffer()
        for message in self {
            var frame = MessageCodec.encode(message, flags: [])
            buffer.writeBuffer(&frame)
        }
        return buffer
    }
}

import Foundation
import MarqueeModel
import MarqueeTLS
import MarqueeWire
import NIOCore
import NIOPosix
import Synchronization

/// A connection that says what it wants, and throws away what comes back.
final class Attacker: Sendable {
    /// The amounts that a process's attackers have delivered: taken by the system, not just meant to be sent.
    struct Delivered: Codable {
        var connections = 0
        var messages = 0
        var bytes = 0
    }

    private static let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private static let total = Mutex(Delivered())

    static var delivered: Delivered { total.withLock { $0 } }

    let channel: any Channel
    private let watcher: Watcher

    private init(channel: any Channel, watcher: Watcher) {
        self.channel = channel
        self.watcher = watcher
    }

    /// Returns when the connection is there: over TLS, when the handshake is done.
    static func open(_ target: Target) async throws -> Attacker {
        let watcher = Watcher()
        let loop = group.next()
        let handshake = target.tls.map { (tls: $0, done: loop.makePromise(of: Void.self)) }
        let bootstrap = ClientBootstrap(group: loop)
            .channelOption(.autoRead, value: true)
            .connectTimeout(.seconds(10))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if let handshake { try pipeline.addHandlers(handshake.tls.handlers(done: handshake.done)) }
                    try pipeline.addHandler(Reader(watcher))
                }
            }
        let channel: any Channel
        do {
            channel = try await target.from(bootstrap).connect(host: Target.host, port: target.port).get()
        } catch {
            handshake?.done.fail(error)
            throw error
        }
        try await handshake?.done.futureResult.get()
        total.withLock { $0.connections += 1 }
        return Attacker(channel: channel, watcher: watcher)
    }

    /// Says hello and waits for the answer.
    @discardableResult
    func greet(user: String? = nil, token: String? = nil) async throws -> ByteBuffer {
        try await ask(.hello(Self.hello(user: user, token: token)))
    }

    /// Sends a message and waits until something comes back.
    /// - Returns: the first bytes of it.
    @discardableResult
    func ask(_ message: Message) async throws -> ByteBuffer {
        try await ask(MessageCodec.encode(message, flags: []))
    }

    /// Sends what counts as one message, and waits until something comes back.
    @discardableResult
    func ask(_ bytes: ByteBuffer) async throws -> ByteBuffer {
        let answer = channel.eventLoop.makePromise(of: ByteBuffer.self)
        watcher.expect(answer, of: channel)
        send(bytes, messages: 1)
        let patience = channel.eventLoop.scheduleTask(in: .seconds(20)) { answer.fail(SiegeError("no answer came")) }
        defer { patience.cancel() }
        return try await answer.futureResult.get()
    }

    static func hello(user: String? = nil, token: String? = nil) -> Hello {
        var hello = Hello()
        hello.clientID = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
        hello.user = user
        hello.token = token
        return hello
    }

    var isOpen: Bool { channel.isActive }
    /// Whether the socket takes more; messages sent anyway pile up here.
    var isWritable: Bool { channel.isWritable }

    func send(_ message: Message) { send([message]) }
    func send(_ messages: [Message]) { send(messages.bytes, messages: messages.count) }

    /// - Parameter messages: how many messages these bytes are.
    func send(_ bytes: ByteBuffer, messages: Int) {
        channel.writeAndFlush(bytes).whenSuccess {
            Self.total.withLock { total in
                total.messages += messages
                total.bytes += bytes.readableBytes
            }
        }
    }

    /// Sends messages and waits until the socket has taken them, or for a second.
    func push(_ messages: [Message]) async { await push(messages.bytes, messages: messages.count) }

    /// The same with bytes.
    /// - Parameter messages: how many messages these bytes are.
    func push(_ bytes: ByteBuffer, messages: Int) async {
        guard isOpen else { return }
        if isWritable { send(bytes, messages: messages) }
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

    /// Completes a promise when an answer comes back. Lives on the event loop.
    private final class Watcher: Sendable {
        private let expected = Mutex<EventLoopPromise<ByteBuffer>?>(nil)

        func expect(_ answer: EventLoopPromise<ByteBuffer>, of channel: any Channel) {
            expected.withLock { $0 = answer }
            channel.closeFuture.whenComplete { [weak self] _ in
                self?.end(.failure(SiegeError("the connection ended")))
            }
        }

        func end(_ result: Result<ByteBuffer, any Error>) {
            expected.withLock { expected in
                defer { expected = nil }
                return expected
            }?.completeWith(result)
        }
    }

    private final class Reader: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private let watcher: Watcher
        init(_ watcher: Watcher) { self.watcher = watcher }
        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            watcher.end(.success(unwrapInboundIn(data)))
        }
        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
}

extension [Message] {
    /// All of them in one buffer.
    fileprivate var bytes: ByteBuffer {
        var buffer = ByteBuffer()
        for message in self {
            var frame = MessageCodec.encode(message, flags: [])
            buffer.writeBuffer(&frame)
        }
        return buffer
    }
}

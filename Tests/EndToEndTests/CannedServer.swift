import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// A server that sends the same bytes to each connection that has sent some.
final class CannedServer: Sendable {
    private struct State {
        var answer: String
        var requests = ""
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let state: Reference
        private let closes: Bool

        init(_ state: Reference, closes: Bool) {
            self.state = state
            self.closes = closes
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let request = String(buffer: unwrapInboundIn(data))
            let answer = state.value.withLock { state in
                state.requests += request
                return state.answer
            }
            let written = context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: answer)))
            guard closes else { return }
            let channel = context.channel
            written.whenComplete { _ in channel.close(promise: nil) }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }

    private final class Reference: Sendable {
        let value: Mutex<State>
        init(_ state: State) { value = Mutex(state) }
    }

    private let state: Reference
    private let channel: any Channel
    let port: Int

    /// - Parameters:
    ///   - closes: whether it closes each connection when it has answered.
    ///   - certificates: those of its TLS; `nil` for none.
    init(_ answer: String, closes: Bool = false, certificates: TestCertificates? = nil) async throws {
        let state = Reference(State(answer: answer))
        let context = try certificates.map { certificates in
            let chain = try NIOSSLCertificate.fromPEMFile(certificates.path("server.pem"))
            let key = try NIOSSLPrivateKey(file: certificates.path("server.key"), format: .pem)
            return try NIOSSLContext(
                configuration: .makeServerConfiguration(
                    certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key)))
        }
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if let context { try pipeline.addHandler(NIOSSLServerHandler(context: context)) }
                    try pipeline.addHandler(Handler(state, closes: closes))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        self.state = state
        port = channel.localAddress?.port ?? 0
    }

    deinit { channel.close(promise: nil) }

    /// All bytes that it was sent.
    var requests: String { state.value.withLock { $0.requests } }

    /// Answers with other bytes from now on.
    func answer(_ bytes: String) { state.value.withLock { $0.answer = bytes } }
}

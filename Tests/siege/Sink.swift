import ArgumentParser
import Foundation
import MarqueeTLS
import MarqueeWire
import NIOCore
import NIOPosix

/// A server that does nothing: it answers whatever it reads with one small frame. What an ordinary client waits here,
/// under the same attack, is the machine's part of what it waits at the real server.
struct Sink: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Answers whatever comes in with a few bytes, until it is stopped.", shouldDisplay: false)

    /// PEM files, for a sink that demands TLS.
    @Option var certificate: String?
    @Option var key: String?

    func run() async throws {
        var tls: TLSServer?
        if let certificate, let key {
            tls = try TLSServer(TLSServer.Files(certificate: CertificateFiles(chain: certificate, key: key)))
        }
        let answer = MessageCodec.encode(.pong(nonce: 0), flags: [])
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup(numberOfThreads: 1))
            .serverChannelOption(.backlog, value: 4_096)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelInitializer { [tls] channel in
                channel.eventLoop.makeCompletedFuture {
                    if let tls { try channel.pipeline.syncOperations.addHandlers(tls.handlers()) }
                    try channel.pipeline.syncOperations.addHandler(Handler(answer))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        print("ready on 127.0.0.1:\(channel.localAddress?.port ?? 0)")
        fflush(nil)
        try await channel.closeFuture.get()
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer
        private let answer: ByteBuffer
        init(_ answer: ByteBuffer) { self.answer = answer }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            if context.channel.isWritable { context.writeAndFlush(wrapOutboundOut(answer), promise: nil) }
        }
        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
}

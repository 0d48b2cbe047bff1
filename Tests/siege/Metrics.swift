import NIOCore
import NIOPosix

/// What a server tells operators at one moment, as it does for Prometheus.
struct Metrics: Sendable {
    /// Values by name and labels, such as `marquee_limit_hits_total{limit="variants"}`.
    private let values: [String: Double]

    /// Asks a server.
    /// - Parameter port: that of `--admin`.
    init(port: Int) async throws {
        let whole = MultiThreadedEventLoopGroup.singleton.next().makePromise(of: ByteBuffer.self)
        do {
            let channel = try await ClientBootstrap(group: whole.futureResult.eventLoop)
                .connectTimeout(.seconds(10))
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(Collector(whole))
                    }
                }
                .connect(host: Target.host, port: port).get()
            let request = "GET /metrics HTTP/1.1\r\nHost: \(Target.host)\r\nConnection: close\r\n\r\n"
            try await channel.writeAndFlush(ByteBuffer(string: request))
        } catch {
            whole.fail(error)
        }
        let text = String(buffer: try await whole.futureResult.get())
        guard text.hasPrefix("HTTP/1.1 200") else { throw SiegeError("no metrics: \(text.prefix(80))") }
        values = Dictionary(
            text.split(whereSeparator: \.isNewline).compactMap { line in
                guard let space = line.lastIndex(of: " "), let value = Double(line[space...].dropFirst()) else {
                    return nil
                }
                return (String(line[..<space]), value)
            }, uniquingKeysWith: { first, _ in first })
    }

    /// How much a counter has grown.
    func growth(of name: String, since earlier: Metrics) -> Double {
        (values[name] ?? 0) - (earlier.values[name] ?? 0)
    }

    /// The counters of limits that were hit meanwhile.
    func limitsHit(since earlier: Metrics) -> [String] {
        values.keys.filter { $0.hasPrefix("marquee_limit_hits_total{") && growth(of: $0, since: earlier) > 0 }.sorted()
    }

    /// All that comes until the server closes.
    private final class Collector: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private let whole: EventLoopPromise<ByteBuffer>
        private var collected = ByteBuffer()
        init(_ whole: EventLoopPromise<ByteBuffer>) { self.whole = whole }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            var bytes = unwrapInboundIn(data)
            collected.writeBuffer(&bytes)
        }
        func channelInactive(context: ChannelHandlerContext) { whole.succeed(collected) }
        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            whole.fail(error)
            context.close(promise: nil)
        }
    }
}

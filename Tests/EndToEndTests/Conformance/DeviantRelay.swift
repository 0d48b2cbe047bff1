import MarqueeWire
import NIOCore
import NIOPosix

/// A frame on its way through a relay. It is passed on as it came, damage included, unless it is made anew.
struct PassingFrame {
    var kind: FrameKind
    var flags: FrameFlags
    var body: ByteBuffer
    /// The frame as it came; `nil` if its check has to be computed.
    var raw: ByteBuffer?

    init(_ message: Message, flags: FrameFlags = []) {
        var frame = MessageCodec.encode(message, flags: flags)
        frame.moveReaderIndex(forwardBy: Frame.headerBytes)
        kind = message.kind
        self.flags = flags
        body = frame
    }

    init(kind: FrameKind, flags: FrameFlags, body: ByteBuffer, raw: ByteBuffer?) {
        self.kind = kind
        self.flags = flags
        self.body = body
        self.raw = raw
    }

    /// Its message; `nil` if the kind is unknown or the message is broken.
    var message: Message? {
        try? MessageCodec.decode(Frame(kind: kind, flags: flags.subtracting(.critical), body: body), limits: .client)
    }

    /// The same frame with a check that fits.
    var madeAnew: PassingFrame { PassingFrame(kind: kind, flags: flags, body: body, raw: nil) }

    func with(flags: FrameFlags) -> PassingFrame { PassingFrame(kind: kind, flags: flags, body: body, raw: nil) }

    func write(to buffer: inout ByteBuffer) {
        if let raw {
            buffer.writeImmutableBuffer(raw)
        } else {
            buffer.writeFrame(Frame(kind: kind, flags: flags, body: body))
        }
    }
}

/// The fate of a frame: the frames that go on in its direction, and those that go back.
struct Passage {
    var on: [PassingFrame] = []
    var back: [PassingFrame] = []

    static func pass(_ frame: PassingFrame) -> Passage { Passage(on: [frame]) }
    static let drop = Passage()
}

/// A relay's rules for the frames of one connection: those of the peer under test, and those of the runner.
struct Tampering {
    typealias Rule = (PassingFrame) -> Passage

    var fromPeer: Rule = Passage.pass
    var fromRunner: Rule = Passage.pass
}

/// Stands between the conformance runner and a real peer, so that the runner meets a peer that deviates.
final class DeviantRelay: Sendable {
    /// The side that connects to the relay.
    enum Side { case runner, peer }

    private let listener: any Channel

    var port: Int { listener.localAddress?.port ?? 0 }

    private init(_ listener: any Channel) { self.listener = listener }

    /// - Parameters:
    ///   - port: where the relay connects to, for each connection that it accepts.
    ///   - side: the side that connects to the relay.
    ///   - tampering: made for each connection.
    static func start(
        to port: Int, acceptedFrom side: Side, _ tampering: @escaping @Sendable () -> Tampering
    ) async throws -> DeviantRelay {
        let listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.autoRead, value: false)
            .childChannelInitializer { near in
                ClientBootstrap(group: near.eventLoop).connect(host: "127.0.0.1", port: port)
                    .flatMapThrowing { far in
                        let tampering = tampering()
                        let rules = (runner: tampering.fromRunner, peer: tampering.fromPeer)
                        try near.pipeline.syncOperations.addHandler(
                            PassingHandler(to: far, side == .runner ? rules.runner : rules.peer))
                        try far.pipeline.syncOperations.addHandler(
                            PassingHandler(to: near, side == .runner ? rules.peer : rules.runner))
                    }
                    .flatMap { near.setOption(.autoRead, value: true) }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return DeviantRelay(listener)
    }

    func stop() async { try? await listener.close() }
}

private final class PassingHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let other: any Channel
    private let rule: Tampering.Rule
    private var buffer = ByteBuffer()
    /// Whether frames can no longer be told apart; bytes are passed on as they come.
    private var isLost = false

    init(to other: any Channel, _ rule: @escaping Tampering.Rule) {
        self.other = other
        self.rule = rule
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        buffer.writeImmutableBuffer(unwrapInboundIn(data))
        var on = ByteBuffer()
        var back = ByteBuffer()
        while !isLost, let length = buffer.getInteger(at: buffer.readerIndex, as: UInt32.self) {
            guard length >= Frame.envelopeBytes, length <= Frame.maximumLength else {
                isLost = true
                break
            }
            guard let raw = buffer.readSlice(length: Int(length) + Frame.lengthBytes) else { break }
            let passage = rule(Self.frame(raw))
            for frame in passage.on { frame.write(to: &on) }
            for frame in passage.back { frame.write(to: &back) }
        }
        if isLost { on.writeBuffer(&buffer) }
        if on.readableBytes > 0 { other.writeAndFlush(on, promise: nil) }
        if back.readableBytes > 0 { context.writeAndFlush(NIOAny(back), promise: nil) }
    }

    private static func frame(_ raw: ByteBuffer) -> PassingFrame {
        let start = raw.readerIndex + Frame.lengthBytes
        var body = raw
        body.moveReaderIndex(forwardBy: Frame.headerBytes)
        return PassingFrame(
            kind: FrameKind(rawValue: raw.getInteger(at: start) ?? 0),
            flags: FrameFlags(rawValue: raw.getInteger(at: start + 2) ?? 0), body: body, raw: raw)
    }

    func channelInactive(context: ChannelHandlerContext) { other.close(promise: nil) }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

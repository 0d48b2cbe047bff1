import Foundation
import MarqueeWire
import NIOCore
import NIOPosix
import SeededRandom

/// One connection through the proxy: two sockets, and what its plan does to the bytes between them. Lives on one event
/// loop.
final class ChaosLink {
    enum Direction: Int {
        case toServer
        case toClient
    }

    enum Event: Sendable {
        case passed
        case struck(ChaosPlan.Fault)
        case ended(ObjectIdentifier)
    }

    private struct Stream {
        var waiting = ByteBuffer()
        var isPassing = false
        /// Only whole frames pass, so that it is known where one begins.
        var frames = FrameDecoder(maximumLength: WireLimits.client.frameBytes)
        /// Bytes disappear, and so does the notice of the end.
        var swallows = false
        var damagesLength = false
        var sourceEnded = false
    }

    /// Bytes that may wait in one direction before reading stops.
    private static let capacity = 64 << 10

    private let client: any Channel
    private let server: any Channel
    private var plan: ChaosPlan
    private var random: SeededGenerator
    private let tell: (Event) -> Void
    private var streams = [Stream(), Stream()]
    private var fromServer = 0
    private var hasStruck = false
    private var isStalled = false
    private var open = 2

    private var damagesContent = false

    init(
        client: any Channel, server: any Channel, plan: ChaosPlan, seed: UInt64, tell: @escaping (Event) -> Void
    ) {
        self.client = client
        self.server = server
        self.plan = plan
        random = SeededGenerator(seed: seed)
        self.tell = tell
    }

    private var loop: any EventLoop { client.eventLoop }
    private func source(_ direction: Direction) -> any Channel { direction == .toServer ? client : server }
    private func target(_ direction: Direction) -> any Channel { direction == .toServer ? server : client }

    func start() {
        for channel in [client, server] { channel.setOption(.autoRead, value: true).whenFailure { _ in } }
        let me = NIOLoopBound(self, eventLoop: loop)
        loop.scheduleTask(in: plan.time) { me.value.strikeAsPlanned() }
    }

    // MARK: - What passes

    func received(_ bytes: ByteBuffer, _ direction: Direction) {
        guard !streams[direction.rawValue].swallows else { return }
        if direction == .toClient {
            fromServer += bytes.readableBytes
            if fromServer >= plan.bytes { strikeAsPlanned() }
        }
        streams[direction.rawValue].frames.append(bytes)
        while let frame = try? streams[direction.rawValue].frames.next() { take(frame, direction) }
        if streams[direction.rawValue].waiting.readableBytes > Self.capacity {
            source(direction).setOption(.autoRead, value: false).whenFailure { _ in }
        }
        pass(direction)
    }

    private func take(_ frame: Frame, _ direction: Direction) {
        let index = direction.rawValue
        let begin = streams[index].waiting.writerIndex
        streams[index].waiting.writeFrame(direction == .toClient && damagesContent ? damaged(frame) : frame)
        guard streams[index].damagesLength else { return }
        // The receiver is left waiting for more than will arrive soon.
        let length = UInt32(frame.wireBytes - Frame.lengthBytes)
        let missing = [1 << 12, 1 << 13, 1 << 14, 1 << 15].filter { length & $0 == 0 }
        guard let bit = random.pick(missing) else { return }
        streams[index].damagesLength = false
        streams[index].waiting.setInteger(length | bit, at: begin)
    }

    private func pass(_ direction: Direction) {
        let index = direction.rawValue
        guard !streams[index].isPassing, !isStalled else { return }
        let way = direction == .toServer ? plan.toServer : plan.toClient
        let size = min(streams[index].waiting.readableBytes, random.int(way.fragments))
        guard size > 0, let fragment = streams[index].waiting.readSlice(length: size) else {
            if streams[index].sourceEnded { target(direction).close(promise: nil) }
            return
        }
        var microseconds = Int64(random.int(way.pause))
        if let rate = way.bytesPerSecond { microseconds += Int64(size) * 1_000_000 / Int64(rate) }
        streams[index].isPassing = true
        let me = NIOLoopBound(self, eventLoop: loop)
        loop.scheduleTask(in: .microseconds(microseconds)) { me.value.passed(fragment, direction) }
    }

    private func passed(_ fragment: ByteBuffer, _ direction: Direction) {
        let index = direction.rawValue
        streams[index].isPassing = false
        guard !streams[index].swallows else { return }
        tell(.passed)
        target(direction).writeAndFlush(fragment, promise: nil)
        if streams[index].waiting.readableBytes < Self.capacity / 2 {
            streams[index].waiting.discardReadBytes()
            source(direction).setOption(.autoRead, value: true).whenFailure { _ in }
        }
        pass(direction)
    }

    /// A socket was closed by its other end.
    func sourceEnded(_ direction: Direction) {
        let index = direction.rawValue
        open -= 1
        if open == 0 { tell(.ended(ObjectIdentifier(self))) }
        guard !streams[index].swallows else { return }
        streams[index].sourceEnded = true
        pass(direction)
    }

    func close() {
        client.close(promise: nil)
        server.close(promise: nil)
    }

    // MARK: - Faults

    /// Planned faults that have not happened are cancelled.
    func calm() {
        hasStruck = true
        damagesContent = false
        streams[0].damagesLength = false
        streams[1].damagesLength = false
        plan.toServer = .calm
        plan.toClient = .calm
    }

    private func strikeAsPlanned() {
        guard !hasStruck else { return }
        hasStruck = true
        strike(plan.fault)
    }

    func strike(_ fault: ChaosPlan.Fault) {
        guard open == 2 else { return }
        // Damage counts once a bit was flipped.
        if fault != .damage { tell(.struck(fault)) }
        switch fault {
        case .none: break
        case .reset: reset()
        case .end: close()
        case .halfOpen: swallow([.toServer, .toClient])
        case .halfOpenToServer: swallow([.toServer])
        case .halfOpenToClient: swallow([.toClient])
        case .stall: stall()
        case .damage: damagesContent = true
        case .lengthToServer: streams[Direction.toServer.rawValue].damagesLength = true
        case .lengthToClient: streams[Direction.toClient.rawValue].damagesLength = true
        }
    }

    private func reset() {
        for channel in [client, server] {
            guard let socket = channel as? any SocketOptionProvider else { continue }
            socket.setSoLinger(linger(l_onoff: 1, l_linger: 0)).whenComplete { _ in channel.close(promise: nil) }
        }
    }

    private func swallow(_ directions: [Direction]) {
        for direction in directions {
            streams[direction.rawValue].swallows = true
            streams[direction.rawValue].waiting.clear()
            // Incoming bytes are read and discarded, however many there are.
            source(direction).setOption(.autoRead, value: true).whenFailure { _ in }
        }
    }

    private func stall() {
        isStalled = true
        let me = NIOLoopBound(self, eventLoop: loop)
        loop.scheduleTask(in: plan.stall) {
            me.value.isStalled = false
            me.value.pass(.toServer)
            me.value.pass(.toClient)
        }
    }

    /// Flips a bit that a sum must detect. A part's variant and position are outside all sums, and are left alone.
    private func damaged(_ frame: Frame) -> Frame {
        guard let part = Self.content(of: frame) else { return frame }
        for _ in 0..<64 {
            var body = frame.body
            let index = body.readerIndex + random.int(0...body.readableBytes - 1)
            guard let byte = body.getInteger(at: index, as: UInt8.self) else { continue }
            body.setInteger(byte ^ 1 << UInt8(random.int(0...7)), at: index)
            let changed = Frame(kind: frame.kind, flags: frame.flags, body: body)
            if let now = Self.content(of: changed) {
                guard now.handle == part.handle, now.cut == part.cut, now != part else { continue }
            }
            damagesContent = false
            tell(.struck(.damage))
            return changed
        }
        return frame
    }

    private static func content(of frame: Frame) -> Part? {
        switch try? MessageCodec.decode(frame, limits: .client) {
        case .data(let part), .stage(let part): part
        default: nil
        }
    }
}

/// Passes what one socket delivers to its link.
final class ChaosPipe: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let link: ChaosLink
    private let direction: ChaosLink.Direction

    init(_ link: ChaosLink, _ direction: ChaosLink.Direction) {
        self.link = link
        self.direction = direction
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { link.received(unwrapInboundIn(data), direction) }
    func channelInactive(context: ChannelHandlerContext) { link.sourceEnded(direction) }
    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

import NIOCore
import NIOEmbedded
import Testing

@testable import MarqueeTLS

/// Small writes for the TLS handler, large ones for the socket.
@Suite struct WriteSplitterTests {
    /// Stands in for NIOSSL: makes one buffer of what waits for a flush, writes it, and uses it again.
    private final class Encrypting: ChannelOutboundHandler {
        typealias OutboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        var output = ByteBuffer()
        private(set) var flushed: [Int] = []
        private var promise: EventLoopPromise<Void>?

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            if output.readableBytes == 0 { output.clear() }
            output.writeImmutableBuffer(unwrapOutboundIn(data))
            if let promise { self.promise.setOrCascade(to: promise) }
        }

        func flush(context: ChannelHandlerContext) {
            flushed.append(output.readableBytes)
            context.writeAndFlush(wrapOutboundOut(output), promise: promise)
            output.moveReaderIndex(to: output.writerIndex)
            promise = nil
        }
    }

    private let encrypting = Encrypting()
    private let channel: EmbeddedChannel

    init() throws {
        let gatherer = RecordGatherer()
        channel = EmbeddedChannel(handlers: [gatherer, encrypting, WriteSplitter(gatherer: gatherer)])
        try channel.connect(to: .init(unixDomainSocketPath: "/tests")).wait()
    }

    private func bytes(_ count: Int) -> ByteBuffer {
        ByteBuffer(bytes: (0..<count).map { UInt8(truncatingIfNeeded: $0) })
    }

    private func written() throws -> [ByteBuffer] {
        var found: [ByteBuffer] = []
        while let next = try channel.readOutbound(as: ByteBuffer.self) { found.append(next) }
        return found
    }

    @Test func `A screen is encrypted in pieces and written as one`() throws {
        let screen = bytes(30_000)
        channel.write(screen, promise: nil)
        #expect(try written() == [], "nothing is written before the flush")
        channel.flush()
        #expect(try written() == [screen])
        #expect(encrypting.flushed.allSatisfy { $0 <= WriteSplitter.pieceBytes })
        #expect(encrypting.output.capacity <= 2 * WriteSplitter.pieceBytes)
    }

    @Test func `Small writes are encrypted together`() throws {
        for _ in 0..<10 { channel.write(bytes(100), promise: nil) }
        channel.flush()
        #expect(try written().map(\.readableBytes) == [1_000])
        #expect(encrypting.flushed == [1_000])
    }

    @Test func `A piece counts what was written before it`() throws {
        let piece = WriteSplitter.pieceBytes
        channel.write(bytes(piece * 3 / 4), promise: nil)
        channel.write(bytes(piece * 3 / 4), promise: nil)
        channel.flush()
        #expect(try written().map(\.readableBytes) == [piece * 3 / 2])
        #expect(encrypting.flushed == [piece, piece / 2])
    }

    @Test func `The bytes that wait for a flush are bounded`() throws {
        channel.write(bytes(10 * RecordGatherer.gatheredBytes), promise: nil)
        let before = try written()
        #expect(before.count == 9)
        #expect(before.allSatisfy { $0.readableBytes == RecordGatherer.gatheredBytes })
        channel.flush()
        #expect(try written().map(\.readableBytes) == [RecordGatherer.gatheredBytes])
    }

    @Test func `Bytes that the socket hasn't taken share nothing with the TLS handler's buffer`() throws {
        channel.writeAndFlush(bytes(200), promise: nil)
        let waiting = try #require(try written().first)
        channel.writeAndFlush(ByteBuffer(repeating: 7, count: 200), promise: nil)
        #expect(waiting == bytes(200))
        #expect(waiting.capacity < 1_024)
    }

    @Test func `A promise is kept once the last piece is written`() throws {
        let promise = channel.eventLoop.makePromise(of: Void.self)
        channel.write(bytes(10_000), promise: promise)
        channel.flush()
        channel.embeddedEventLoop.run()
        try promise.futureResult.wait()
    }

    @Test func `Encrypted bytes are written before the connection is closed`() throws {
        channel.write(bytes(2 * WriteSplitter.pieceBytes + 1), promise: nil)
        channel.close(promise: nil)
        channel.embeddedEventLoop.run()
        #expect(try written().reduce(0) { $0 + $1.readableBytes } == 2 * WriteSplitter.pieceBytes)
    }
}

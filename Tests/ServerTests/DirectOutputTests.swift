import Foundation
import NIOCore
import NIOEmbedded
import NIOPosix
import Testing

@testable import MarqueeServer

/// Bytes written past the pipeline, over real sockets. Serialized, as some tests wait for descriptor numbers.
@Suite(.serialized, .timeLimit(.minutes(5))) struct DirectOutputTests {
    @Test func `Bytes arrive in the order they were written, directly or through the pipeline`() async throws {
        let connection = try await OutputConnection()
        try await connection.onLoop { output, channel in
            #expect(output.write(ByteBuffer(string: "one ")) == .sent)
            channel.pipeline.syncOperations.write(NIOAny(ByteBuffer(string: "two ")), promise: nil)
            #expect(output.write(ByteBuffer(string: "early ")) == .notNow, "two hasn't been flushed")
            channel.pipeline.syncOperations.flush()
            #expect(output.write(ByteBuffer(string: "three ")) == .sent)
            #expect(output.write(ByteBuffer()) == .sent)
            #expect(output.write(ByteBuffer(string: "four")) == .sent)
        }
        #expect(try connection.client.read(18) == Array("one two three four".utf8))
        try await connection.close()
        #expect(try connection.client.read(1).isEmpty)
    }

    @Test func `NIO writes what the system didn't take`() async throws {
        let connection = try await OutputConnection(smallBuffers: true)
        let large = Bytes.counting(256 << 10)
        try await connection.onLoop { output, channel in
            #expect(output.write(ByteBuffer(bytes: large)) == .handedOver)
            let waiting = try channel.syncOptions?.getOption(.bufferedWritableBytes) ?? 0
            #expect(waiting > 0 && waiting < large.count, "the system took a part")
            #expect(output.write(ByteBuffer(string: "early")) == .notNow)
            channel.pipeline.syncOperations.writeAndFlush(NIOAny(ByteBuffer(string: "next")), promise: nil)
        }
        #expect(try connection.client.read(large.count + 4) == large + Array("next".utf8))
        try await connection.send("last")
        #expect(try connection.client.read(4) == Array("last".utf8))
        try await connection.close()
    }

    @Test(arguments: [(1, [0x82, 1]), (125, [0x82, 125]), (126, [0x82, 126, 0, 126]), (300, [0x82, 126, 1, 0x2C])])
    func `A message's header goes out before its bytes`(count: Int, header: [UInt8]) async throws {
        let connection = try await OutputConnection()
        let bytes = Bytes.counting(count)
        try await connection.onLoop { output, _ in #expect(output.write(message: ByteBuffer(bytes: bytes)) == .sent) }
        #expect(try connection.client.read(header.count + count) == header + bytes)
        try await connection.close()
    }

    @Test func `NIO writes what the system didn't take of a message`() async throws {
        let connection = try await OutputConnection(smallBuffers: true)
        let large = Bytes.counting(256 << 10)
        try await connection.onLoop { output, _ in
            var buffer = ByteBuffer(string: "already read")
            buffer.writeBytes(large)
            buffer.moveReaderIndex(to: 12)
            #expect(output.write(message: buffer) == .handedOver)
            #expect(output.write(message: ByteBuffer(string: "early")) == .notNow)
        }
        let header: [UInt8] = [0x82, 127, 0, 0, 0, 0, 0, 4, 0, 0]
        #expect(try connection.client.read(header.count + large.count) == header + large)
        try await connection.close()
        #expect(try connection.client.read(1).isEmpty)
    }

    @Test(arguments: [1, 200, 70_000])
    func `The rest of a message is what has not been sent, wherever it was cut`(length: Int) {
        let bytes = Bytes.counting(length)
        let header = WebSocketHeader(length: length)
        let whole = header.withBytes { Array($0) } + bytes
        for sent in Array(0...header.count) + [header.count + 1, whole.count - 1, whole.count] where sent <= whole.count
        {
            let rest = header.rest(of: ByteBuffer(bytes: bytes), after: sent)
            #expect(Array(rest.readableBytesView) == Array(whole[sent...]))
        }
    }

    @Test func `Of a partly read buffer, only the unsent rest is handed over`() async throws {
        let connection = try await OutputConnection(smallBuffers: true)
        let large = Bytes.counting(256 << 10)
        try await connection.onLoop { output, _ in
            var buffer = ByteBuffer(string: "already read")
            buffer.writeBytes(large)
            buffer.moveReaderIndex(to: 12)
            #expect(output.write(buffer) == .handedOver)
        }
        #expect(try connection.client.read(large.count) == large)
        try await connection.close()
        #expect(try connection.client.read(1).isEmpty)
    }

    @Test func `If the system takes nothing, the bytes remain the caller's`() async throws {
        let connection = try await OutputConnection(smallBuffers: true)
        let filler = try await connection.onLoop { output, channel in
            var filler = 0
            let byte = [UInt8(1)]
            while send(connection.descriptor, byte, 1, CInt(MSG_DONTWAIT)) == 1 { filler += 1 }
            #expect(output.write(ByteBuffer(string: "not now")) == .notNow)
            let waiting = try channel.syncOptions?.getOption(.bufferedWritableBytes)
            #expect(waiting == 0)
            return filler
        }
        #expect(filler > 0)
        #expect(try connection.client.read(filler) == Array(repeating: 1, count: filler))
        try await connection.send("now")
        #expect(try connection.client.read(3) == Array("now".utf8))
        try await connection.close()
    }

    enum Ending: CaseIterable {
        /// Through the pipeline.
        case application
        /// NIO notices it and closes by itself.
        case client
    }

    @Test(arguments: Ending.allCases, [false, true])
    func `A late write never reaches the next owner of the descriptor`(ending: Ending, bytesWait: Bool) async throws {
        // A high number, as other tests get the lowest free ones.
        let connection = try await OutputConnection(lowestDescriptor: 700)
        let descriptor = connection.descriptor
        let next = try SocketPair()
        let moments = Moments {
            // This runs at the first notice of the end.
            #expect(fcntl(next.near, F_DUPFD, descriptor) == descriptor, "another connection has the number")
            #expect(send(descriptor, "next", 4, CInt(MSG_NOSIGNAL)) == 4, "and writes to it")
        }
        try await connection.onLoop { output, channel in
            let write = { moments.note($0, output.write(ByteBuffer(string: $0))) }
            try channel.pipeline.syncOperations.addHandler(LateWriter(write: write))
            if bytesWait {
                let promise = channel.eventLoop.makePromise(of: Void.self)
                channel.pipeline.syncOperations.write(NIOAny(ByteBuffer(string: "never flushed")), promise: promise)
                promise.futureResult.assumeIsolated().whenFailure { _ in write("promise") }
            }
            guard ending == .application else { return }
            channel.close(promise: nil)
            write("after")
        }
        if ending == .client { shutdown(connection.client.descriptor, CInt(SHUT_WR)) }
        try await connection.channel.closeFuture.get()
        try await connection.onLoop { output, _ in
            moments.note("removed", output.write(ByteBuffer(string: "removed")))
        }
        #expect(
            moments.all.map(\.name) == (bytesWait ? ["promise"] : []) + ["inactive"]
                + (ending == .application ? ["after"] : []) + ["handler removed", "removed"])
        #expect(moments.all.allSatisfy { $0.outcome == .notNow })
        #expect(try next.far.read(4) == Array("next".utf8))
        #expect(next.far.hasNothing)
        close(descriptor)
    }

    @Test func `Closing while bytes wait loses only those bytes`() async throws {
        let connection = try await OutputConnection(smallBuffers: true)
        let large = Bytes.counting(256 << 10)
        try await connection.onLoop { output, channel in
            #expect(output.write(ByteBuffer(bytes: large)) == .handedOver)
            channel.close(promise: nil)
            #expect(output.write(ByteBuffer(string: "late")) == .notNow)
        }
        try await connection.channel.closeFuture.get()
        let received = try connection.client.read(large.count)
        #expect(received.count < large.count)
        #expect(received == Array(large.prefix(received.count)))
    }

    @Test func `A write to a connection that the client has reset makes NIO read the rest and close`() async throws {
        let connection = try await OutputConnection()
        try connection.client.write("last words")
        try await connection.onLoop { output, channel in
            // The loop is busy here, so the writes are the first to notice.
            connection.client.reset()
            #expect(output.write(ByteBuffer(string: "to nobody")) == .handedOver)
            #expect(channel.isActive, "no handler has been called in the middle of the caller's round")
            #expect(output.write(ByteBuffer(string: "to nobody")) == .notNow)
        }
        try await connection.channel.closeFuture.get()
        #expect(connection.inbound.text == "last words")
        try await connection.onLoop { output, _ in
            #expect(output.write(ByteBuffer(string: "to nobody")) == .notNow)
        }
    }

    @Test func `Nothing is written after a half-close`() async throws {
        let connection = try await OutputConnection(smallBuffers: true)
        let large = Bytes.counting(256 << 10)
        try await connection.onLoop { output, channel in
            #expect(output.write(ByteBuffer(bytes: large)) == .handedOver)
            channel.close(mode: .output, promise: nil)
            #expect(output.write(ByteBuffer(string: "late")) == .notNow)
        }
        #expect(try connection.client.read(large.count + 1) == large, "everything written before, then the end")
        try await connection.onLoop { output, channel in
            #expect(channel.isActive)
            #expect(output.write(ByteBuffer(string: "late")) == .notNow)
        }
        #expect(try connection.client.read(1).isEmpty)
        try await connection.close()
    }

    @Test func `A client that closes its direction ends the connection`() async throws {
        let connection = try await OutputConnection()
        shutdown(connection.client.descriptor, CInt(SHUT_WR))
        try await connection.channel.closeFuture.get()
        try await connection.onLoop { output, _ in
            #expect(output.write(ByteBuffer(string: "late")) == .notNow)
        }
        #expect(try connection.client.read(1).isEmpty)
    }

    @Test func `A channel without a socket gets no direct output`() throws {
        #expect(try DirectOutput.add(to: EmbeddedChannel()) == nil)
    }
}

/// The outcomes of late writes, in order.
private final class Moments: @unchecked Sendable {
    // Used on the event loop, and afterwards by the test.
    private(set) var all: [(name: String, outcome: DirectOutput.Outcome)] = []
    private let first: () -> Void

    init(first: @escaping () -> Void) { self.first = first }

    func note(_ name: String, _ outcome: @autoclosure () -> DirectOutput.Outcome) {
        if all.isEmpty { first() }
        all.append((name, outcome()))
    }
}

/// Writes at each event that says its connection has gone.
private final class LateWriter: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    private let write: (String) -> Void

    init(write: @escaping (String) -> Void) { self.write = write }

    func channelInactive(context: ChannelHandlerContext) { write("inactive") }
    func handlerRemoved(context: ChannelHandlerContext) { write("handler removed") }
}

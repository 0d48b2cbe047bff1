import NIOCore
import NIOTestUtils
import Testing

@testable import MarqueeWire

@Suite struct FrameDecoderTests {
    private let ping: [UInt8] = [0, 0, 0, 10, 0, 3, 0, 4, 0xC9, 0xC8, 0x4E, 0x88, 8, 1]

    private var pingFrame: Frame { Frame(kind: .ping, flags: .last, body: ByteBuffer(bytes: [8, 1])) }

    private func decoder(_ bytes: [UInt8], limit: UInt32 = 4_096) -> FrameDecoder {
        var decoder = FrameDecoder(maximumLength: limit)
        decoder.append(ByteBuffer(bytes: bytes))
        return decoder
    }

    private func failure(_ decoder: inout FrameDecoder) -> WireError.Code? {
        do throws(WireError) {
            _ = try decoder.next()
            return nil
        } catch {
            return error.code
        }
    }

    @Test func `However the bytes are split, NIO's verifier gets the same frames`() throws {
        let empty: [UInt8] = [0, 0, 0, 8, 0, 16, 0, 0, 0x39, 0xED, 0xC4, 0x91]
        try ByteToMessageDecoderVerifier.verifyDecoder(
            inputOutputPairs: [
                (ByteBuffer(bytes: ping), [pingFrame]),
                (ByteBuffer(bytes: empty), [Frame(kind: .subscribe, body: ByteBuffer())]),
                (ByteBuffer(bytes: ping + ping), [pingFrame, pingFrame]),
            ],
            decoderFactory: { VerifiedDecoder() })
    }

    @Test func `Frames are decoded from bytes that arrive one by one`() throws {
        var decoder = FrameDecoder()
        var frames: [Frame] = []
        for byte in ping + ping {
            decoder.append(ByteBuffer(bytes: [byte]))
            while let frame = try decoder.next() { frames.append(frame) }
        }
        #expect(frames == [pingFrame, pingFrame])
        #expect(decoder.pendingBytes == 0)
    }

    @Test(arguments: [[0, 0, 0, 0], [0, 0, 0, 7, 0, 3, 0]] as [[UInt8]])
    func `A length too short for the envelope is refused`(_ bytes: [UInt8]) {
        var decoder = decoder(bytes)
        #expect(failure(&decoder) == .frameTooShort)
    }

    @Test func `A length over the limit is refused at its fourth byte`() {
        var decoder = decoder([0, 0, 16, 1])
        #expect(failure(&decoder) == .frameTooLong)
        var largest = self.decoder([0xFF, 0xFF, 0xFF, 0xFF])
        #expect(failure(&largest) == .frameTooLong)
    }

    @Test(arguments: [[0x15, 3, 3, 0, 2], [0x16, 3, 1, 2, 0]] as [[UInt8]])
    func `A peer that speaks TLS is told apart from one that sends too much`(_ bytes: [UInt8]) {
        var decoder = decoder(bytes)
        let error = #expect(throws: WireError.self) { try decoder.next() }
        #expect(error?.code == .frameTooLong)
        #expect(error?.message.contains("TLS") == true)
    }

    @Test func `A length at the limit is accepted`() throws {
        var decoder = decoder([0, 0, 16, 0])
        #expect(try decoder.next() == nil)
    }

    @Test func `The limit can be raised`() throws {
        var decoder = decoder([0, 0, 0, 10], limit: 9)
        decoder.maximumLength = 10
        #expect(try decoder.next() == nil)
        decoder.append(ByteBuffer(bytes: ping.dropFirst(4)))
        #expect(try decoder.next() == pingFrame)
    }

    @Test func `After an error, every call throws that error again`() {
        var decoder = decoder([0, 0, 0, 0] + ping)
        #expect(failure(&decoder) == .frameTooShort)
        decoder.append(ByteBuffer(bytes: ping))
        #expect(failure(&decoder) == .frameTooShort)
    }

    @Test func `No flipped bit in a frame goes undetected`() {
        // Two more frames follow, so that an inflated length finds bytes to swallow.
        for bit in 0..<(ping.count * 8) {
            var bytes = ping + ping + ping
            bytes[bit / 8] ^= 1 << UInt8(bit % 8)
            var decoder = decoder(bytes)
            switch failure(&decoder) {
            case .frameDamaged, .frameTooShort, .frameTooLong: break
            // With an inflated length the decoder waits for bytes that never arrive; on a connection,
            // `FRAME_UNFINISHED` ends that wait.
            case nil where bit < 32: #expect(decoder.pendingBytes == bytes.count)
            case let other: Issue.record("damage to bit \(bit) gives \(other.map(\.rawValue) ?? "a frame")")
            }
        }
    }

    @Test func `Two frames merged into one are reported as damaged`() {
        // The first length covers both frames, as if the boundary had moved.
        var bytes = ping + ping
        bytes[3] = UInt8(bytes.count - 4)
        var decoder = decoder(bytes)
        #expect(failure(&decoder) == .frameDamaged)
    }

    @Test func `Damage is reported as retryable`() {
        let status = WireError(.frameDamaged, "why").status
        #expect(status.code == .dataLoss && status.reason == "FRAME_DAMAGED" && status.remedy == .retrySame)
    }

    @Test func `A decoder that has returned everything holds no memory`() throws {
        var received = ByteBuffer(bytes: ping + ping)
        let place = received.withUnsafeReadableBytes { $0.baseAddress }
        var decoder = FrameDecoder()
        decoder.append(received)
        #expect(try decoder.next() == pingFrame)
        #expect(try decoder.next() == pingFrame)
        // If the decoder still shared the memory, writing would copy it to a new address.
        received.setInteger(UInt8(1), at: 0)
        #expect(received.withUnsafeReadableBytes { $0.baseAddress } == place)
        #expect(try decoder.next() == nil)
    }

    @Test func `A frame is written as its documented bytes`() throws {
        var buffer = ByteBuffer()
        buffer.writeFrame(pingFrame)
        #expect(Array(buffer.readableBytesView) == ping)
        #expect(pingFrame.wireBytes == ping.count)
    }
}

/// Adapts the decoder to NIO's verifier, fed from the verifier's buffer.
private struct VerifiedDecoder: ByteToMessageDecoder {
    typealias InboundOut = Frame

    private var frames = FrameDecoder(maximumLength: 4_096)

    mutating func decode(context: ChannelHandlerContext, buffer: inout ByteBuffer) throws -> DecodingState {
        if let bytes = buffer.readSlice(length: buffer.readableBytes) { frames.append(bytes) }
        while let frame = try frames.next() { context.fireChannelRead(Self.wrapInboundOut(frame)) }
        return .needMoreData
    }

    mutating func decodeLast(
        context: ChannelHandlerContext, buffer: inout ByteBuffer, seenEOF: Bool
    ) throws -> DecodingState { try decode(context: context, buffer: &buffer) }
}

import MarqueeWire
import NIOCore
import NIOTestUtils
import Testing

@Suite struct FrameDecoderTests {
    private let ping: [UInt8] = [0, 0, 0, 6, 0, 3, 0, 4, 8, 1]

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

    @Test func niosVerifierFindsNoWayOfSplittingThatMatters() throws {
        let empty: [UInt8] = [0, 0, 0, 4, 0, 16, 0, 0]
        try ByteToMessageDecoderVerifier.verifyDecoder(
            inputOutputPairs: [
                (ByteBuffer(bytes: ping), [pingFrame]),
                (ByteBuffer(bytes: empty), [Frame(kind: .subscribe, body: ByteBuffer())]),
                (ByteBuffer(bytes: ping + ping), [pingFrame, pingFrame]),
            ],
            decoderFactory: { FrameDecoder(maximumLength: 4_096) })
    }

    @Test func framesComeOutOfBytesThatArriveOneByOne() throws {
        var decoder = FrameDecoder()
        var frames: [Frame] = []
        for byte in ping + ping {
            decoder.append(ByteBuffer(bytes: [byte]))
            while let frame = try decoder.next() { frames.append(frame) }
        }
        #expect(frames == [pingFrame, pingFrame])
        #expect(decoder.pendingBytes == 0)
        try decoder.finish()
    }

    @Test(arguments: [[0, 0, 0, 0], [0, 0, 0, 3, 0, 3, 0]] as [[UInt8]])
    func aLengthWithoutRoomForTheEnvelopeIsRefused(_ bytes: [UInt8]) {
        var decoder = decoder(bytes)
        #expect(failure(&decoder) == .frameTooShort)
    }

    @Test func aLengthOverTheLimitIsRefusedAtItsFourthByte() {
        var decoder = decoder([0, 0, 16, 1])
        #expect(failure(&decoder) == .frameTooLong)
        var largest = self.decoder([0xFF, 0xFF, 0xFF, 0xFF])
        #expect(failure(&largest) == .frameTooLong)
    }

    @Test func aLengthAtTheLimitIsAwaited() throws {
        var decoder = decoder([0, 0, 16, 0])
        #expect(try decoder.next() == nil)
    }

    @Test func theLimitCanBeRaised() throws {
        var decoder = decoder([0, 0, 0, 6], limit: 5)
        decoder.maximumLength = 6
        #expect(try decoder.next() == nil)
        decoder.append(ByteBuffer(bytes: ping.dropFirst(4)))
        #expect(try decoder.next() == pingFrame)
    }

    @Test func afterAnErrorOnlyThatErrorComes() {
        var decoder = decoder([0, 0, 0, 0] + ping)
        #expect(failure(&decoder) == .frameTooShort)
        decoder.append(ByteBuffer(bytes: ping))
        #expect(failure(&decoder) == .frameTooShort)
        #expect(throws: WireError.self) { try decoder.finish() }
    }

    @Test func aStreamThatEndsInsideAFrameIsTruncated() throws {
        var decoder = decoder(Array(ping.dropLast()))
        #expect(try decoder.next() == nil)
        do throws(WireError) {
            try decoder.finish()
            Issue.record("no error")
        } catch {
            #expect(error.code == .truncated)
        }
    }

    @Test func writingAFrameAndReadingItGivesItBack() throws {
        var buffer = ByteBuffer()
        buffer.writeFrame(pingFrame)
        #expect(Array(buffer.readableBytesView) == ping)
        #expect(pingFrame.wireBytes == ping.count)
    }
}

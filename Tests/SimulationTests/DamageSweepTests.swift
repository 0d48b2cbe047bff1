import MarqueeWire
import NIOCore
import SeededRandom
import Testing

@testable import Simulation

/// Every bit of a recorded session, damaged in transit in either direction.
@Suite struct DamageSweepTests {
    /// A frame as sent, with its index among the frames in its direction.
    private struct Sent {
        var bytes: ByteBuffer
        var toServer: Bool
    }

    /// A short session: a screen and the favorite set join, a favorite is set, a commit follows.
    ///
    /// - Parameter damage: the bit to flip in the n-th frame of the first connection, if any.
    private func session(_ damage: ((Int) -> Int?)? = nil) throws -> (laboratory: Laboratory, sent: [Sent]) {
        let laboratory = try Laboratory()
        var sent: [Sent] = []
        laboratory.schedule.onTheWay = { frame, connection, toServer in
            guard connection.number == 1 else { return frame }
            let bit = damage?(sent.count)
            sent.append(Sent(bytes: frame, toServer: toServer))
            guard let bit else { return frame }
            var changed = frame
            let index = frame.readerIndex + bit / 8
            guard let byte = frame.getInteger(at: index, as: UInt8.self) else { return frame }
            changed.setInteger(byte ^ 1 << UInt8(bit % 8), at: index)
            return changed
        }
        laboratory.settle()
        _ = laboratory.device.setFavorite("film/1", true)
        laboratory.settle()
        laboratory.commitSomething()
        laboratory.settle()
        return (laboratory, sent)
    }

    /// Returns the frames that a receiver decodes from one direction's bytes, and the error that ended them.
    private func received(_ bytes: ByteBuffer) -> (frames: [Frame], error: WireError.Code?) {
        var decoder = FrameDecoder(maximumLength: Frame.maximumLength)
        decoder.append(bytes)
        var frames: [Frame] = []
        do throws(WireError) {
            while let frame = try decoder.next() { frames.append(frame) }
            return (frames, nil)
        } catch {
            return (frames, error.code)
        }
    }

    @Test(arguments: [true, false])
    func `Whichever bit is damaged, only what was sent before it arrives`(toServer: Bool) throws {
        let frames = try session().sent.filter { $0.toServer == toServer }.map(\.bytes)
        let whole = frames.map { Array($0.readableBytesView) }
        // To the server: at least hello, the two subscriptions and the favorite.
        #expect(whole.count >= 4)
        var ended: [WireError.Code: Int] = [:]
        var unfinished = 0
        for (number, frame) in whole.enumerated() {
            // Earlier frames are unaffected; later ones are there for a damaged length to swallow.
            let rest = whole[(number + 1)...].prefix(3).flatMap { $0 }
            for bit in 0..<(frame.count * 8) {
                var bytes = frame
                bytes[bit / 8] ^= 1 << UInt8(bit % 8)
                let (taken, error) = received(ByteBuffer(bytes: bytes + rest))
                #expect(taken.isEmpty, "frame \(number), bit \(bit)")
                if let error { ended[error, default: 0] += 1 } else { unfinished += 1 }
                // Only a length can leave the receiver waiting, which `FRAME_UNFINISHED` ends.
                #expect(error != nil || bit < 32, "frame \(number), bit \(bit)")
            }
        }
        #expect(Set(ended.keys).isSubset(of: [.frameDamaged, .frameTooShort, .frameTooLong]))
        #expect(ended[.frameDamaged, default: 0] > ended[.frameTooLong, default: 0])
        #expect(unfinished > 0)
    }

    /// One bit in each part of the header and body of each frame; the whole simulation judges the outcome.
    @Test func `A session with a damaged frame ends in the same state as one without`() throws {
        let (calm, sent) = try session()
        let expected = try calm.stored()
        var runs = 0
        for number in sent.indices {
            let bits = sent[number].bytes.readableBytes * 8
            // Length (a small and a large one), kind, flags, check, body.
            for bit in Extent.of([28, 50, bits - 3], full: [20, 28, 33, 50, 70, bits - 3]) where bit < bits {
                let (laboratory, _) = try session { $0 == number ? bit : nil }
                #expect(laboratory.schedule.violation == nil, "frame \(number), bit \(bit)")
                #expect(try laboratory.stored() == expected, "frame \(number), bit \(bit)")
                runs += 1
            }
        }
        #expect(runs >= sent.count * Extent.of(2, full: 5))
    }
}

import NIOCore

/// One direction of a connection: bytes on their way, in order.
final class BytePipe {
    /// Bytes that may be on their way before the writer is told to wait, like a socket's buffers.
    private let capacity: Int
    private var bytes = ByteBuffer()
    private(set) var isFinished = false
    /// The way is interrupted and neither side has noticed: what is written vanishes.
    private(set) var isBlackHole = false

    init(capacity: Int) { self.capacity = capacity }

    var readableBytes: Int { bytes.readableBytes }
    /// A socket takes what it is given until its buffers are full, whether or not somebody is at the other end.
    var isWritable: Bool { !isFinished && bytes.readableBytes < capacity }
    /// Nothing more will come.
    var isAtEnd: Bool { isFinished && !isBlackHole && bytes.readableBytes == 0 }

    func write(_ frame: ByteBuffer) {
        guard !isFinished else { return }
        bytes.writeImmutableBuffer(frame)
    }

    /// Takes at most `limit` bytes off the wire.
    func read(_ limit: Int = .max) -> ByteBuffer {
        guard !isBlackHole else { return ByteBuffer() }
        let taken = bytes.readSlice(length: min(limit, bytes.readableBytes)) ?? ByteBuffer()
        bytes.discardReadBytes()
        return taken
    }

    /// What was written still arrives.
    func finish() { isFinished = true }

    /// What was written is lost.
    func cut() {
        bytes.clear()
        isFinished = true
    }

    /// What was written and what will be is lost, and nobody hears of it.
    func vanish() { isBlackHole = true }
}

import NIOCore

/// One direction of a connection: bytes in transit, in order.
final class BytePipe {
    /// Bytes that may be in transit before the writer has to wait, like a socket's buffers.
    private let capacity: Int
    private var bytes = ByteBuffer()
    private(set) var isFinished = false
    /// Whether the link is broken without either side noticing: anything written vanishes.
    private(set) var isBlackHole = false

    init(capacity: Int) { self.capacity = capacity }

    var readableBytes: Int { bytes.readableBytes }
    /// A socket accepts data until its buffers are full, whether or not anyone is at the other end.
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

    /// Ends the direction; anything already written still arrives.
    func finish() { isFinished = true }

    /// Cuts the direction; anything written is lost.
    func cut() {
        bytes.clear()
        isFinished = true
    }

    /// Silently loses everything written so far and from now on.
    func vanish() { isBlackHole = true }
}

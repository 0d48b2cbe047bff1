import NIOCore

/// One direction of a connection: bytes in transit, in order.
final class TracePipe {
    /// Bytes that may be in transit before the writer has to wait, like a socket's buffers.
    private let capacity: Int
    private var bytes = ByteBuffer()
    private(set) var isFinished = false

    init(capacity: Int) { self.capacity = capacity }

    var readableBytes: Int { bytes.readableBytes }
    var isWritable: Bool { !isFinished && bytes.readableBytes < capacity }
    /// Nothing more will come.
    var isAtEnd: Bool { isFinished && bytes.readableBytes == 0 }

    func write(_ frame: ByteBuffer) {
        guard !isFinished else { return }
        bytes.writeImmutableBuffer(frame)
    }

    /// Takes at most `limit` bytes off the wire.
    func read(_ limit: Int = .max) -> ByteBuffer {
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
}

/// A connection of one client.
final class TraceConnection {
    let toServer: TracePipe
    let toClient: TracePipe

    init(capacity: Int = 64 << 10) {
        toServer = TracePipe(capacity: capacity)
        toClient = TracePipe(capacity: capacity)
    }

    /// Breaks the connection: bytes in transit are lost, at any byte boundary.
    func cut() {
        toServer.cut()
        toClient.cut()
    }

    /// One side closes cleanly: what it wrote still arrives.
    func finish() {
        toServer.finish()
        toClient.finish()
    }
}

import NIOCore

/// Lets the TLS handshakes on an event loop take turns by client address.
///
/// A handshake costs its sender little, but the server a signature. So only one of the handshakes that could go on
/// takes a step, and then the loop reads again. A welcomed client waits for one step at most, however many clients are
/// unauthenticated, and an unauthenticated one waits for few steps of each other address, however many connections that
/// has. All connections from this machine count as one address.
///
/// Lives on the loop. Holds no more handshakes than there may be unauthenticated connections, apart from those of
/// closed connections, which are dropped when their turn comes.
final class HandshakeTurns {
    /// Runs its argument when the loop has read the data that has arrived.
    private let afterReading: (@escaping () -> Void) -> Void
    /// Runs its argument when the loop has had a chance to do other work, and has read again.
    private let later: (@escaping () -> Void) -> Void
    /// A monotonic clock, in nanoseconds.
    private let now: () -> UInt64
    private var queue = FairQueue<AddressKey?, HandshakeGate>()
    private var isScheduled = false

    init(
        afterReading: @escaping (@escaping () -> Void) -> Void, later: @escaping (@escaping () -> Void) -> Void,
        now: @escaping () -> UInt64
    ) {
        self.afterReading = afterReading
        self.later = later
        self.now = now
    }

    /// Queues a handshake that has received data and isn't waiting yet; it goes on when its turn comes.
    func ask(_ gate: HandshakeGate, from address: AddressKey?) {
        queue.append(gate, for: address)
        if !isScheduled { schedule(afterReading) }
    }

    private func schedule(_ when: (@escaping () -> Void) -> Void) {
        isScheduled = true
        when { [weak self] in self?.takeTurn() }
    }

    private func takeTurn() {
        isScheduled = false
        var continued = false
        while !continued, let gate = queue.next() {
            let start = now()
            continued = gate.goOn()
            queue.charge(now() - start)
        }
        if queue.count > 0 { schedule(later) }
    }
}

/// Stands before a connection's TLS handler until the handshake is done, and holds received data back until its turn
/// comes.
final class HandshakeGate: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The most bytes held back. Nothing more is read while something is held back, except what a client sent before it
    /// left.
    private static let heldBytes = 64 << 10

    private let turns: HandshakeTurns
    private let address: AddressKey?
    private var context: ChannelHandlerContext?
    private var held: ByteBuffer?
    /// Whether a read was requested while something was held back.
    private var wantsRead = false
    private var isDone = false

    init(turns: HandshakeTurns, address: AddressKey?) {
        self.turns = turns
        self.address = address
    }

    /// Lets everything pass from now on, because the handshake is done.
    func open() { isDone = true }

    /// Takes the handshake's turn.
    /// - Returns: whether it went on; its connection may have been closed meanwhile.
    func goOn() -> Bool {
        guard let context, let bytes = held else { return false }
        held = nil
        context.fireChannelRead(wrapInboundOut(bytes))
        context.fireChannelReadComplete()
        if wantsRead {
            wantsRead = false
            context.read()
        }
        if isDone { context.pipeline.syncOperations.removeHandler(context: context, promise: nil) }
        return true
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { forget() }

    func channelInactive(context: ChannelHandlerContext) {
        forget()
        context.fireChannelInactive()
    }

    private func forget() {
        context = nil
        held = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isDone else { return context.fireChannelRead(data) }
        var bytes = unwrapInboundIn(data)
        guard held == nil else {
            held?.writeBuffer(&bytes)
            if held?.readableBytes ?? 0 > Self.heldBytes { context.close(promise: nil) }
            return
        }
        held = bytes
        turns.ask(self, from: address)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if held == nil { context.fireChannelReadComplete() }
    }

    func read(context: ChannelHandlerContext) {
        if held == nil { context.read() } else { wantsRead = true }
    }
}

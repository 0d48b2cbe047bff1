import NIOCore

/// Lets the TLS handshakes on an event loop take turns by the address that they come from.
///
/// A handshake costs its sender little and has the server sign. So of all that could go on, one takes a step, and then
/// the loop reads again: a client that has been welcomed waits for one step at most, however many are unauthenticated,
/// and an unauthenticated one waits for few steps of each other address, however many connections that has. All
/// connections from this machine count as one address.
///
/// Lives on the loop. Holds no more handshakes than there may be unauthenticated connections, apart from those whose
/// connection was closed, which go when their turn comes.
final class HandshakeTurns {
    /// Runs its argument when the loop has read what has come.
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

    /// A handshake that isn't waiting has received something, with which it goes on when its turn comes.
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
        var wentOn = false
        while !wentOn, let gate = queue.next() {
            let start = now()
            wentOn = gate.goOn()
            queue.took(now() - start)
        }
        if queue.count > 0 { schedule(later) }
    }
}

/// Stands before the TLS handler of a connection until its handshake is done, and holds what has been received back
/// until its turn comes.
final class HandshakeGate: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// Nothing more is read while something is held back, except what a client that has gone had sent before.
    private static let heldBytes = 64 << 10

    private let turns: HandshakeTurns
    private let address: AddressKey?
    private var context: ChannelHandlerContext?
    private var held: ByteBuffer?
    /// Whether reading was asked for while something is held back.
    private var wantsRead = false
    private var isDone = false

    init(turns: HandshakeTurns, address: AddressKey?) {
        self.turns = turns
        self.address = address
    }

    /// The handshake is done: everything passes from now on.
    func open() { isDone = true }

    /// The handshake's turn.
    /// - Returns: whether it could go on: its connection may have been closed meanwhile.
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

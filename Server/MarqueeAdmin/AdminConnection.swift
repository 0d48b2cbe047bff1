import Hummingbird
import NIOCore
import NIOHTTPTypes

/// An operator's connection: takes a place in the table, and is closed if its client takes too long to send a whole
/// request, to read the answer, or to send the next request. Single bytes now and then don't reset the time.
final class AdminConnection: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// All connections of an address. Lives on its event loop.
    final class Table {
        private var places: AdminPlaces<ObjectIdentifier>
        private var channels: [ObjectIdentifier: any Channel] = [:]

        init(maximum: Int) { places = AdminPlaces(maximum: maximum) }

        fileprivate func add(_ channel: any Channel) {
            let id = ObjectIdentifier(channel)
            switch places.add(id, now: Self.now) {
            case .admitted: channels[id] = channel
            case .insteadOf(let other):
                channels.removeValue(forKey: other)?.close(promise: nil)
                channels[id] = channel
            case .refused: channel.close(promise: nil)
            }
        }

        fileprivate func asked(_ channel: any Channel) { places.asked(ObjectIdentifier(channel)) }

        fileprivate func answered(_ channel: any Channel) { places.answered(ObjectIdentifier(channel), now: Self.now) }

        fileprivate func remove(_ channel: any Channel) {
            let id = ObjectIdentifier(channel)
            guard channels[id] === channel else { return }
            channels[id] = nil
            places.remove(id)
        }

        private static var now: UInt64 { NIODeadline.now().uptimeNanoseconds }
    }

    private let table: Table
    private let patience: TimeAmount
    private var timer: Scheduled<Void>?

    /// - Parameter patience: how long each of the three may take.
    init(in table: Table, patience: TimeAmount) {
        self.table = table
        self.patience = patience
    }

    func handlerAdded(context: ChannelHandlerContext) {
        table.add(context.channel)
        restart(context)
    }

    func handlerRemoved(context: ChannelHandlerContext) { end(context) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .end = unwrapInboundIn(data) {
            table.asked(context.channel)
            restart(context)
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let part = unwrapOutboundIn(data)
        if case .head = part { table.answered(context.channel) }
        guard case .end = part else { return context.write(data, promise: promise) }
        let written = promise ?? context.eventLoop.makePromise()
        let me = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        written.futureResult.whenSuccess { me.value.0.restart(me.value.1) }
        context.write(data, promise: written)
    }

    func channelInactive(context: ChannelHandlerContext) {
        end(context)
        context.fireChannelInactive()
    }

    private func end(_ context: ChannelHandlerContext) {
        table.remove(context.channel)
        timer?.cancel()
        timer = nil
    }

    private func restart(_ context: ChannelHandlerContext) {
        timer?.cancel()
        let channel = context.channel
        timer = context.eventLoop.scheduleTask(in: patience) { channel.close(promise: nil) }
    }
}

/// The events of the client as a whole, beginning with the state that the connection had when `MarqueeClient.events`
/// was read.
///
/// A slow reader loses the least important events first, such as news of the connection, and of those the oldest. It
/// never loses a rejected change: when too many of them wait to be read, no further change is sent until some are. Each
/// iterator is a listener of its own, which ends when the last copy of it is released.
public struct ClientEvents: AsyncSequence, Sendable {
    public typealias Element = ClientEvent

    private let hub: EventHub
    private let position: EventHub.Position

    init(hub: EventHub, from position: EventHub.Position) {
        self.hub = hub
        self.position = position
    }

    public func makeAsyncIterator() -> Iterator { Iterator(registration: hub.listen(from: position)) }

    /// Released together with the iterators that hold it.
    final class Registration: Sendable {
        private weak let hub: EventHub?
        private let id: Int
        let mailbox: EventMailbox

        init(hub: EventHub, id: Int, mailbox: EventMailbox) {
            self.hub = hub
            self.id = id
            self.mailbox = mailbox
        }

        deinit { hub?.remove(id) }
    }

    /// Delivers one event after the other.
    public struct Iterator: AsyncIteratorProtocol {
        let registration: Registration

        /// - Returns: `nil` when the client was closed, and when the task is cancelled.
        public mutating func next() async -> ClientEvent? { await registration.mailbox.next() }
    }
}

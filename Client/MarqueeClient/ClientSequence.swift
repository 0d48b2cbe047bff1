/// A client's states or events over time, such as those of a collection. Each loop over it is a separate reader, which
/// ends when the loop is left, its task cancelled, or the client closed.
///
/// A slow reader of states skips all but the newest. Elements are delivered on the reader's own actor.
public struct ClientSequence<Element: Sendable, Failure: Error>: AsyncSequence, Sendable {
    private let begin: @Sendable () -> Reading<Element, Failure>

    /// - Parameter begin: called at the beginning of each loop.
    init(_ begin: @escaping @Sendable () -> Reading<Element, Failure>) { self.begin = begin }

    public func makeAsyncIterator() -> Iterator { Iterator(reading: begin()) }

    /// Delivers the elements one by one. Copies of an iterator share one reader.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let reading: Reading<Element, Failure>

        /// The next element: immediately if one is waiting.
        /// - Returns: `nil` when the client was closed or the task cancelled.
        public mutating func next() async throws(Failure) -> Element? { try await reading.next(nil) }

        /// The same, without leaving the reader's actor.
        @available(iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(Failure) -> Element? {
            try await reading.next(actor)
        }
    }
}

/// A reader of a sequence. It ends with the last copy of the iterator.
final class Reading<Element: Sendable, Failure: Error>: Sendable {
    typealias Next = @Sendable (isolated (any Actor)?) async throws(Failure) -> Element?

    fileprivate let next: Next
    private let end: @Sendable () -> Void

    init(_ next: @escaping Next, end: @escaping @Sendable () -> Void) {
        self.next = next
        self.end = end
    }

    deinit { end() }
}

extension ClientSequence where Failure == ClientError {
    /// Creates a sequence of states that the engine puts into a mailbox for each reader.
    /// - Parameters:
    ///   - observe: begins reading, on the client's thread.
    ///   - unobserve: ends it there.
    init(
        of client: MarqueeClient, observe: @escaping @Sendable (ClientEngine, Mailbox<Element>) -> Void,
        unobserve: @escaping @Sendable (ClientEngine, Mailbox<Element>) -> Void
    ) {
        self.init {
            let mailbox = Mailbox<Element>()
            client.enqueue {
                observe($0, mailbox)
            } otherwise: {
                mailbox.finish($0)
            }
            return Reading(
                { actor throws(ClientError) in try await mailbox.next(isolation: actor) },
                end: { client.enqueue { unobserve($0, mailbox) } })
        }
    }
}

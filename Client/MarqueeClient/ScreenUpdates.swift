import MarqueeLocks
import MarqueeMirror
import MarqueeModel

/// The states of one screen for one reader, newest only.
///
/// Several readers of a screen share its subscription and its sorts. Each may have its own windows: `setWindow(_:of:)`
/// and `showMore(of:)` affect only this sequence's own loops. All methods may be called from any thread.
public struct ScreenUpdates: AsyncSequence, Sendable {
    /// The identity by which the client refers to this sequence.
    final class Owner: Sendable {}

    let client: MarqueeClient
    let screen: ScreenID
    let options: [SectionOptions]
    let source: ScreenSource
    let owner = Owner()

    var id: ViewID { ViewID(screen: screen.name, locale: client.configuration.locale) }

    public func makeAsyncIterator() -> Iterator {
        let mailbox = ScreenMailbox { source != .server || $0.origin == .live }
        let (id, owner) = (id, owner)
        client.enqueue { [options, source] in
            if source == .mirror { return $0.observeStored(id, mailbox) }
            if source == .server, $0.mirror.isCompanion { return mailbox.finish(ClientEngine.notConnected) }
            let common = options.map { SectionOptions(section: $0.section, sort: $0.sort, place: $0.place) }
            let windows = options.compactMap { option in option.window.map { (option.section, $0) } }
            $0.observe(
                id, options: zip(common, options).filter { !$0.isEmpty || $1.window == nil }.map { $0.0 },
                windows: Dictionary(windows) { _, last in last }, owner: ObjectIdentifier(owner), mailbox)
        } otherwise: {
            mailbox.finish($0)
        }
        return Iterator(registration: Registration(client: client, id: id, mailbox: mailbox, owner: owner))
    }

    /// Ends the subscription when the last copy of the iterator is released.
    final class Registration: Sendable {
        let client: MarqueeClient
        let id: ViewID
        let mailbox: ScreenMailbox
        private let owner: Owner

        init(client: MarqueeClient, id: ViewID, mailbox: ScreenMailbox, owner: Owner) {
            self.client = client
            self.id = id
            self.mailbox = mailbox
            self.owner = owner
        }

        deinit {
            client.enqueue { [id, mailbox] in $0.unobserve(id, mailbox) }
        }
    }

    /// Delivers the states one by one, skipping those that are no longer the newest.
    public struct Iterator: AsyncIteratorProtocol {
        let registration: Registration
        private var last: ScreenState?

        init(registration: Registration) { self.registration = registration }

        /// The next state: immediately if there is one newer than the last one delivered.
        /// - Throws: `ClientError` when the screen can't be shown.
        /// - Returns: `nil` when the client was closed or the task cancelled.
        public mutating func next() async throws(ClientError) -> ScreenUpdate? {
            guard let state = try await registration.mailbox.next() else { return nil }
            let changes = last.map { state.changes(since: $0) } ?? ScreenChanges()
            defer { last = state }
            return ScreenUpdate(
                screen: state.screen, changes: changes, isFirst: last == nil, status: state.status)
        }
    }
}

/// An observer of a screen. Thread safe.
package protocol ScreenObserver: AnyObject, Sendable {
    /// Receives the screen's newest state.
    func put(_ new: ScreenState)
    /// Ends the states, because of `error` if there is one.
    func finish(_ error: ClientError?)
}

import MarqueeLocks
import MarqueeMirror
import MarqueeModel

/// The states of one screen, newest only.
public struct ScreenUpdates: AsyncSequence, Sendable {
    public typealias Element = ScreenUpdate

    let client: MarqueeClient
    let screen: ScreenID
    let locale: String
    let options: [SectionOptions]

    public func makeAsyncIterator() -> Iterator {
        let mailbox = ScreenMailbox()
        let id = ViewID(screen: screen.name, locale: locale)
        client.enqueue { [options] in
            $0.observe(id, options: options, mailbox)
        } otherwise: {
            mailbox.finish($0)
        }
        return Iterator(registration: Registration(client: client, id: id, mailbox: mailbox))
    }

    /// Ends the subscription when the last copy of the iterator is released.
    final class Registration: Sendable {
        let client: MarqueeClient
        let id: ViewID
        let mailbox: ScreenMailbox

        init(client: MarqueeClient, id: ViewID, mailbox: ScreenMailbox) {
            self.client = client
            self.id = id
            self.mailbox = mailbox
        }

        deinit {
            client.enqueue { [id, mailbox] in $0.unobserve(id, mailbox) }
        }
    }

    public struct Iterator: AsyncIteratorProtocol {
        let registration: Registration
        private var last: ScreenState?

        init(registration: Registration) { self.registration = registration }

        /// The next state: immediately if there is one newer than the last one delivered.
        /// - Throws: `ClientError` when the screen can't be shown, for good; `nil` when the client was closed or the
        ///   task cancelled.
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
    /// The screen's newest state.
    func put(_ new: ScreenState)
    /// There will be no further states, because of `error` if there is one.
    func finish(_ error: ClientError?)
}

/// Holds the newest state of a screen until its reader takes it. Thread safe.
///
/// Copies of an iterator share one mailbox, so several tasks may wait on it: all of them get the next state.
final class ScreenMailbox: ScreenObserver {
    private typealias Waiter = CheckedContinuation<Result<ScreenState?, ClientError>, Never>

    private enum Content {
        case empty
        case state(ScreenState)
        case finished(ClientError?)
    }

    private struct State {
        var content = Content.empty
        var waiting: [Waiter] = []

        mutating func takeWaiting() -> [Waiter] {
            defer { waiting = [] }
            return waiting
        }
    }

    private let state = Locked(State())

    /// Tasks that wait for the next state.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    func put(_ new: ScreenState) {
        let waiting = state.withLock { state -> [Waiter] in
            if case .finished = state.content { return [] }
            if state.waiting.isEmpty { state.content = .state(new) }
            return state.takeWaiting()
        }
        for waiter in waiting { waiter.resume(returning: .success(new)) }
    }

    func finish(_ error: ClientError?) {
        let waiting = state.withLock { state -> [Waiter] in
            if case .finished = state.content { return [] }
            state.content = .finished(state.waiting.isEmpty ? error : nil)
            return state.takeWaiting()
        }
        for waiter in waiting { waiter.resume(returning: error.map { .failure($0) } ?? .success(nil)) }
    }

    func next() async throws(ClientError) -> ScreenState? {
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let ready = state.withLock { state -> Result<ScreenState?, ClientError>? in
                    switch state.content {
                    case .state(let new):
                        state.content = .empty
                        return .success(new)
                    case .finished(let error):
                        state.content = .finished(nil)
                        return error.map { .failure($0) } ?? .success(nil)
                    case .empty:
                        if Task.isCancelled { return .success(nil) }
                        state.waiting.append(continuation)
                        return nil
                    }
                }
                if let ready { continuation.resume(returning: ready) }
            }
        } onCancel: {
            finish(nil)
        }
        return try result.get()
    }
}

package import MarqueeModel
import NIOCore

// Requests by people who watch a server through a door: single records, commits, and the server's clients.

extension DoorConnection {
    /// How long each event loop may take to report on its clients, in seconds.
    private static let clientSeconds: Int64 = 5

    /// Reads a stored document, for a client that may publish it.
    /// - Parameters:
    ///   - making: makes an answer from the text, which is `nil` if there is none; called on another thread.
    ///   - then: called on the event loop, unless the connection has closed, with the answer and an object that
    ///     reserves room for it.
    package func read<Answer: Sendable>(
        _ document: StoredDocument, by identity: Identity,
        making: @escaping @Sendable (Result<String?, Status>) -> Answer,
        then: @escaping (Answer, _ room: AnyObject?) -> Void
    ) {
        if let refusal = Authoriser.refusal(of: .publish(document.subjectOfPublishing), to: identity) {
            return then(making(.failure(refusal)), nil)
        }
        let me = NIOLoopBound((self, then), eventLoop: channel.eventLoop)
        let (services, inbox) = (services, admitted.registry.inbox)
        services.source.read(document, for: admitted.connection) { result in
            let (room, answer) = services.answer(to: result, making: making)
            inbox.add {
                let (connection, then) = me.value
                if connection.isHere { then(answer, room) }
            }
        }
    }

    /// The newest commits, for a client that may see others' activity.
    package func history(for identity: Identity) throws(Status) -> CommitHistory {
        guard identity.scopes.allowsOversight else { throw .oversightDenied }
        guard let history = services.source.history else { throw .noStoreHere }
        return history
    }

    /// Reports on each client, for a client that may see others' activity.
    /// - Parameter then: called on the event loop, unless the connection has closed.
    package func clients(
        for identity: Identity, then: @escaping (Result<[SessionReport], Status>) -> Void
    ) {
        guard identity.scopes.allowsOversight else { return then(.failure(.oversightDenied)) }
        let me = NIOLoopBound((self, then), eventLoop: channel.eventLoop)
        let bound = AnswerBound(loop: channel.eventLoop, limit: .seconds(Self.clientSeconds))
        let (services, inbox) = (services, admitted.registry.inbox)
        Task {
            let reports = try? await services.sessionReports(within: bound).sessions
            inbox.add {
                let (connection, then) = me.value
                if connection.isHere { then(reports.map { .success($0) } ?? .failure(.deadlineExceeded)) }
            }
        }
    }

    /// Calls a function on the event loop after each change of a history.
    /// - Returns: a function that stops that.
    package func listen(to history: CommitHistory, _ wake: @escaping () -> Void) -> () -> Void {
        let me = NIOLoopBound(wake, eventLoop: channel.eventLoop)
        let inbox = admitted.registry.inbox
        let number = history.listen { inbox.add { me.value() } }
        return { history.stopListening(number) }
    }
}

extension ServerServices {
    fileprivate func answer<Answer>(
        to result: Result<String?, Status>, making: (Result<String?, Status>) -> Answer
    ) -> (room: ByteBudget.Reservation?, answer: Answer) {
        guard case .success(let text?) = result else { return (nil, making(result)) }
        switch makingRoom(for: .success(Array(text.utf8))) {
        case (.success, let room): return (room, making(result))
        case (.failure(let status), _): return (nil, making(.failure(status)))
        }
    }
}

extension Status {
    /// A client that may not read and publish everything asked about others' activity and addresses.
    static let oversightDenied = Status(
        .permissionDenied, reason: Status.Reason.scopeTooSmall, remedy: .fatal,
        message: "commits and clients are for those who may read and publish everything: 'read *' and 'publish *'")
}

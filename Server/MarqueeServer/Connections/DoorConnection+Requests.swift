import Dispatch
package import MarqueeModel
import MarqueeTLS
package import MarqueeWire
import NIOCore

/// A request by a door's client; the answer is one body.
package enum DoorRequest: Sendable {
    case describe(locale: String?)
    case getScreen(GetScreenRequest)
    case search(SearchRequest)
    case drafts(DraftsRequest)
    /// To publish changes, each of them a JSON document. A request with a key takes effect once.
    case publish(key: String?, changes: [[UInt8]])
    /// To change a collection of the caller's, as the client with this id.
    case change(CollectionRequest, client: [UInt8])
    /// To report what people have seen, as the client with this id.
    case report(ReportRequest, client: [UInt8])
}

/// A request's place among those that are being answered. The place is freed when nothing refers to it any more.
package final class DoorTicket: Sendable {
    private let services: ServerServices

    /// - Returns: `nil` if too many requests are being answered.
    fileprivate init?(_ services: ServerServices, limit: Int) {
        let count = services.counts.doorRequests.add(1, ordering: .relaxed).newValue
        self.services = services
        if count > limit { return nil }
    }

    deinit { services.counts.doorRequests.subtract(1, ordering: .relaxed) }
}

/// The party that makes a request through a door.
package struct DoorCaller: Sendable {
    package var identity: Identity
    /// The name that the client gives itself.
    package var agent: String?

    package init(identity: Identity, agent: String? = nil) {
        self.identity = identity
        self.agent = agent
    }
}

extension DoorConnection {
    /// - Parameter isSending: whether the client sends a body, which may take long: such requests leave half of the
    ///   places to others.
    /// - Returns: `nil` if too many requests are being answered.
    package func takeTicket(isSending: Bool) -> DoorTicket? {
        let limit = services.connections.limits.webRequests
        let ticket = DoorTicket(services, limit: isSending ? max(limit / 2, 1) : limit)
        if ticket == nil { hit(.webRequests, "too many requests") }
        return ticket
    }

    /// Asks the authenticator for the client's identity.
    /// - Parameters:
    ///   - user: the user that it claims to be.
    ///   - then: called on the event loop, at once if nothing has to be waited for, unless the connection has closed.
    package func identify(
        user: String?, token: String?, then: @escaping (Result<Identity, Status>) -> Void
    ) {
        let credentials = Credentials(
            user: user, token: token, certificate: TLSServer.certificate(of: channel), address: peer?.ipAddress,
            clientID: clientID)
        if let result = services.identities.decide(credentials) { return identified(result, then) }
        let me = NIOLoopBound((self, then), eventLoop: channel.eventLoop)
        services.identities.identify(credentials, on: admitted.registry.inbox) { result in
            me.value.0.identified(result, me.value.1)
        }
    }

    private func identified(_ result: Result<Identity, Status>, _ then: (Result<Identity, Status>) -> Void) {
        guard isHere else {
            (try? result.get())?.grant.leave()
            return
        }
        if case .success(let identity) = result {
            if let status = services.identities.ended(identity) {
                identity.grant.leave()
                return then(.failure(status))
            }
            // It is authenticated now. Connections per user are counted only where connections last.
            _ = services.connections.welcome(admitted.connection, user: nil)
        }
        then(result)
    }

    /// Runs a long computation on another thread.
    /// - Parameter then: called on the event loop, unless the connection has closed.
    package func work<Value: Sendable>(_ body: @escaping @Sendable () -> Value, then: @escaping (Value) -> Void) {
        let me = NIOLoopBound((self, then), eventLoop: channel.eventLoop)
        let inbox = admitted.registry.inbox
        DispatchQueue.global(qos: .utility).async {
            let value = body()
            inbox.add {
                let (connection, then) = me.value
                if connection.isHere { then(value) }
            }
        }
    }

    /// Room for an arriving publication, which grows with it.
    /// - Returns: `nil` if too many are arriving.
    package func roomForPublication() -> ByteBudget.Reservation? {
        let room = services.budgets.publications.reserve(0)
        if room == nil { services.hits.hit(.publications) }
        return room
    }

    /// The most bytes of a publication.
    package static var publicationBytes: Int { SessionSettings.publishBytes }
    /// The most changes of a publication.
    package static var publicationChanges: Int { SessionSettings.publishChanges }

    /// Finds all mistakes in a publication, without committing it.
    /// - Parameter then: called on the event loop, unless the connection has closed.
    package func check(
        _ documents: [[UInt8]], by identity: Identity,
        then: @escaping (Result<[PublicationMistake], Status>) -> Void
    ) {
        let me = NIOLoopBound((self, then), eventLoop: channel.eventLoop)
        let inbox = admitted.registry.inbox
        services.source.check(documents, by: identity, for: admitted.connection) { result in
            inbox.add {
                let (connection, then) = me.value
                if connection.isHere { then(result) }
            }
        }
    }

    /// Finds out how a publication without mistakes would change a screen.
    /// - Parameters:
    ///   - making: makes an answer from it; called on another thread.
    ///   - then: called on the event loop, unless the connection has closed.
    package func preview<Answer: Sendable>(
        _ documents: [[UInt8]], of screen: GetScreenRequest, by identity: Identity,
        making: @escaping @Sendable (Result<PublicationPreview, Status>) -> Answer,
        then: @escaping (Answer) -> Void
    ) {
        if let refusal = Authoriser.refusal(of: screen, to: identity) {
            return then(making(.failure(refusal)))
        }
        let me = NIOLoopBound((self, then), eventLoop: channel.eventLoop)
        let inbox = admitted.registry.inbox
        services.source.preview(documents, by: identity, of: screen, for: admitted.connection) { result in
            let answer = making(result)
            inbox.add {
                let (connection, then) = me.value
                if connection.isHere { then(answer) }
            }
        }
    }

    /// Why an identity has ended; `nil` while it stands.
    package func ending(of identity: Identity) -> Status? { services.identities.ended(identity) }

    /// Marks the connection as one in use, or as one that may be evicted.
    package func set(isUsed: Bool) { services.connections.set(admitted.connection, isUsed: isUsed) }

    /// Makes a request.
    /// - Parameters:
    ///   - deadline: when the client stops waiting, by the server's clock.
    ///   - making: makes an answer from the body; called on another thread.
    ///   - then: called on the event loop, unless the connection has closed, with the answer and an object that
    ///     reserves room for it.
    package func perform<Answer: Sendable>(
        _ request: DoorRequest, by caller: DoorCaller, deadline: UInt64,
        making: @escaping @Sendable (Result<[UInt8], Status>) -> Answer,
        then: @escaping (Answer, _ room: AnyObject?) -> Void
    ) {
        let me = NIOLoopBound((self, then), eventLoop: channel.eventLoop)
        let (services, inbox) = (services, admitted.registry.inbox)
        let finish: @Sendable (Result<[UInt8], Status>) -> Void = { result in
            let (result, room) = services.makingRoom(for: result)
            let answer = making(result)
            inbox.add {
                let (connection, then) = me.value
                if connection.isHere { then(answer, room) }
            }
        }
        var who = ContentCaller(identity: caller.identity, clientID: clientID)
        who.numbersPublications = false
        who.origin = AddressKey(peer).map { UInt64(bitPattern: Int64($0.hashValue)) }
        let call: ContentCall
        do throws(Status) {
            call = try services.call(request, by: caller.identity, number: nextPublication())
        } catch {
            return finish(.failure(error))
        }
        switch request {
        case .change(_, let client), .report(_, let client): who.clientID = client
        default: break
        }
        if call.isPublication {
            who.place = ContentCaller.Place(address: peer?.text ?? "unknown", agent: caller.agent)
        }
        services.source.perform(
            call, by: who, for: admitted.connection, deadline: deadline,
            completion: services.counts.calls.count(call, finish))
    }
}

extension ServerServices {
    /// The size of an answer as text, as a multiple of the size of its body.
    private static let textFactor = 4

    /// Reserves room for an answer.
    func makingRoom(
        for result: Result<[UInt8], Status>
    ) -> (result: Result<[UInt8], Status>, room: ByteBudget.Reservation?) {
        guard case .success(let body) = result else { return (result, nil) }
        guard body.count <= Int(settings.limits.answerBytes) else {
            return (.failure(.answerTooLarge(bytes: body.count)), nil)
        }
        guard let room = budgets.answers.reserve(body.count * Self.textFactor) else {
            hits.hit(.answers)
            return (.failure(.answersWait), nil)
        }
        return (result, room)
    }

    /// The call that carries out a request, if the client may make it.
    fileprivate func call(
        _ request: DoorRequest, by identity: Identity, number: UInt64
    ) throws(Status) -> ContentCall {
        func authorise(_ action: Scopes.Action) throws(Status) {
            if let refusal = Authoriser.refusal(of: action, to: identity) { throw refusal }
        }
        switch request {
        case .describe(let locale): return .describe(locale: locale)
        case .getScreen(let screen):
            if let refusal = Authoriser.refusal(of: screen, to: identity) { throw refusal }
            return .getScreen(screen)
        case .search(let search):
            try authorise(.search)
            return .search(search)
        case .drafts(let drafts):
            if let name = drafts.draft { try authorise(.draft(name)) }
            return .drafts(drafts)
        case .change(let change, _): return try ContentCall(change, by: identity)
        case .report(let report, _):
            try SessionCore.check(number: report.number)
            try authorise(.read(screen: report.screen))
            return .report(report)
        case .publish(let key, let changes):
            guard identity.scopes.allowsPublishing else { throw .publishDenied }
            let bytes = changes.reduce(0) { $0 + $1.count }
            guard bytes <= SessionSettings.publishBytes, changes.count <= SessionSettings.publishChanges
            else { throw .publicationTooLarge }
            guard let held = budgets.wholePublications.reserve(bytes + changes.count * SessionSettings.changeOverhead)
            else {
                hits.hit(.publications)
                throw .tooManyPublications
            }
            return .publish(
                number: number, answeredThrough: number - 1, key: key, source: nil, changes: changes, held: held)
        }
    }
}

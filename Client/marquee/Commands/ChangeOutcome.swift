import MarqueeClient
import MarqueeModel
import MarqueeScreenJSON

extension MarqueeClient {
    /// Whether the server has answered all changes. If it can't be reached at all, the client's events tell why.
    func hasConfirmed(within timeout: Seconds) async -> Bool {
        (try? await waitForConfirmation(within: timeout.duration)) ?? false
    }
}

/// The outcome of changes of a collection, as far as the client knows.
struct ChangeOutcome {
    /// Whether the server has answered all of them.
    var isConfirmed: Bool
    /// The reason why they are not stored on disk; `nil` if they are.
    var fallback: String?
    /// Whether another process owns the mirror and sends what it holds.
    private let isCompanion: Bool
    private var rejected: [Subject: String] = [:]
    private var refusal: ClientError?
    private var unreachable: ClientError?
    /// The reason why the server, although reached, has not accepted them yet.
    private var heldUp: ClientError?

    init(isConfirmed: Bool, fallback: String?, isCompanion: Bool = false) {
        self.isConfirmed = isConfirmed
        self.isCompanion = isCompanion
        self.fallback = fallback
    }

    /// - Parameters:
    ///   - opened: a client that has been closed.
    ///   - events: of that client. They end with it, and still hold everything it reported.
    init(of opened: OpenClient, isConfirmed: Bool, events: ClientSequence<ClientEvent, Never>) async {
        self.init(isConfirmed: isConfirmed, fallback: opened.fallback, isCompanion: opened.isCompanion)
        for await event in events { heard(event) }
    }

    mutating func heard(_ event: ClientEvent) {
        if let error = event.tokenRefusal {
            refusal = refusal ?? error
            return
        }
        switch event {
        case .changeRejected(_, let subject, let error): rejected[subject] = error.message
        case .state(.failed(let error)): refusal = error
        // With another token, if one was refused.
        case .state(.connected): refusal = nil
        case .state(.waiting(let error, _)): unreachable = error
        case .changesHeldUp(_, let error): heldUp = error
        default: break
        }
    }

    /// Whether there is a line to print about a subject; if not, the failure at the end covers it.
    func isKnown(_ subject: Subject) -> Bool {
        rejected[subject] == nil && (isConfirmed || (fallback == nil && refusal == nil))
    }

    /// - Returns: `nil` if the failure at the end covers it.
    func line(
        for subject: Subject, in collection: CollectionName = .favorites, on: Bool, value: CollectionValue? = nil
    ) -> String? {
        guard isKnown(subject) else { return nil }
        let place = collection == .favorites ? "" : " \(on ? (value == nil ? "to" : "in") : "from") \(collection)"
        let done = (on ? (value.map { "set to \($0)" } ?? "added") : "removed")
        if isConfirmed {
            return Sanitizer.line("\(on ? "♥" : "♡") \(subject) \(done)\(place)")
        }
        let then =
            heldUp.map { "the server postpones it: \($0.message)" }
            ?? (isCompanion
                ? "the owner of the mirror sends it" : "the next command that reaches the server sends it")
        return Sanitizer.line("♡ \(subject) stored, to be \(done)\(place); \(then)")
    }

    /// The same for programs; `nil` if the failure at the end covers it.
    func document(
        for subject: Subject, in collection: CollectionName, on: Bool, value: CollectionValue?
    ) -> JSONValue? {
        guard isKnown(subject) else { return nil }
        return .object([
            "type": .string("change"), "collection": .string(collection.name), "subject": .string(subject.name),
            "member": .bool(on), "value": value.flatMap { JSONValue(json: $0.json) }, "confirmed": .bool(isConfirmed),
        ])
    }

    /// - Parameters:
    ///   - mirror: the path of the mirror in use.
    ///   - named: the changed subjects, as the person named them.
    /// - Throws: `Failure` when the server refused, or when unconfirmed changes are lost.
    func conclude(server: ServerAddress, mirror: String? = nil, named: [FavoriteSubject] = []) throws {
        if let refusal {
            var failure = Failure(refusal, mirror: mirror)
            // A change in a mirror is sent only when a server accepts that mirror, perhaps never: say so.
            if let mirror, fallback == nil, !isConfirmed {
                failure.message += "; the change is waiting in \(mirror) and was not sent"
            }
            throw failure
        }
        if let (subject, reason) = rejected.min(by: { $0.key.name < $1.key.name }) {
            let isNumber = named.contains { $0.subject == subject && $0.isNumber }
            let hint = isNumber ? "; a number alone is taken for a movie, write TYPE/ID" : ""
            throw Failure(.protocolError, "the server refused \(subject): \(reason)\(hint)")
        }
        if !isConfirmed, let fallback {
            if let heldUp {
                throw Failure(
                    ProgramExit(heldUp),
                    "\(server) postpones it: \(heldUp.message); and nothing was stored: \(fallback)"
                )
            }
            let why = unreachable.map { server.absence($0) } ?? "\(server) did not confirm in time"
            throw Failure(
                .unavailable, "\(why); and nothing was stored: \(fallback); end that process, or make the change in it"
            )
        }
    }
}

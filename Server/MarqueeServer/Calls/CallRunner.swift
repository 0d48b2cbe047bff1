import MarqueeCatalogue
import MarqueeModel
import MarqueeScreens
import MarqueeStore
import MarqueeTypes
import MarqueeWire
import Synchronization

/// Runs unary calls, each on the thread that owns the data it needs.
struct CallRunner: Sendable {
    /// The party that makes a call, and its connection.
    struct Caller: Sendable {
        var who: ContentCaller
        var connection: ConnectionID
        /// When the caller stops waiting, in milliseconds of the monotonic clock; `nil` for never.
        var deadline: UInt64?
    }

    typealias Completion = @Sendable (Result<[UInt8], Status>) -> Void

    let source: HubSource

    /// - Parameter completion: called once, from any thread.
    func run(_ call: ContentCall, caller: Caller, completion: @escaping Completion) {
        switch call {
        // Answered by the server itself.
        case .health: completion(.failure(.unimplemented(.health)))
        case .describe(let locale):
            source.ask(for: caller.connection) { [source] hub in
                let identity = caller.who.identity
                let all = hub.describe(locale: locale, user: identity.user, claims: identity.claims)
                let seen = all.screens.compactMap { $0.seen(by: identity) }
                let answer = DescribeAnswer(screens: seen, locales: all.locales)
                source.lanes.answering.submit(for: caller.connection) {
                    completion(.success(CallBodyCodec.encode(answer)))
                }
            }
        case .getScreen(let request): getScreen(request, caller, completion)
        case .plan(let request):
            let open = OpenRequest(request, user: caller.who.user, claims: caller.who.identity.claims)
            source.ask(for: caller.connection, { $0.plan(open, with: $1) }) { result in
                completion(result.map { CallBodyCodec.encode($0) })
            }
        case .search(let request):
            search(request, caller, completion)
        case .collection(let request): collection(request, caller, completion)
        case .report(let request): report(request, caller, completion)
        case .source(let request):
            source.lanes.answering.submit(for: caller.connection) { [source] in
                completion(source.sources(request, for: caller.who.identity))
            }
        case .recordSums(let request):
            source.lanes.answering.submit(for: caller.connection) { [source] in
                completion(isOverdue(caller) ? .failure(.deadlineExceeded) : source.recordSums(request))
            }
        case .drafts(let request):
            source.lanes.previewing.submit(for: caller.connection) { [source] in
                completion(
                    Result { () throws(Status) -> [UInt8] in
                        if isOverdue(caller) { throw .deadlineExceeded }
                        return CallBodyCodec.encode(try source.drafts(request, for: caller.who.identity))
                    })
            }
        case .publish(let number, let answeredThrough, let key, let move, let documents, let held):
            // Holds the call's budget reservation until it is answered.
            let completion: Completion = { [source] result in
                if case .failure(let status) = result { source.audit.refused(status, by: caller, key: key) }
                withExtendedLifetime(held) { completion(result) }
            }
            let publication = PublicationName(
                key: key, number: number, answeredThrough: answeredThrough,
                move: move.map { SourcePosition($0, moved: .current) })
            if let move = publication.move,
                let refusal = Authoriser.refusal(
                    of: .publish(Change.source(move).subjectOfPublishing), to: caller.who.identity)
            {
                return completion(.failure(refusal))
            }
            source.lanes.reading.submit(for: caller.connection) { [source, publication] in
                var publication = publication
                var types = source.positions.types
                do throws(Status) {
                    if let revision = try HubSource.undone(by: documents) {
                        guard publication.move == nil else { throw .undoOfSource }
                        return try undo(revision, publication, caller, completion)
                    }
                    if let order = try HubSource.draftOrder(of: documents) {
                        guard publication.move == nil else { throw .draftOfSource }
                        guard case .add(let name) = order else {
                            return try carryOut(order, publication, caller, completion)
                        }
                        if let refusal = Authoriser.refusal(of: .draft(name), to: caller.who.identity) { throw refusal }
                        publication.draft = name
                        if let draft = try source.draft(name) { types = source.types(with: draft) }
                    }
                } catch {
                    return completion(.failure(error))
                }
                let reader = PublicationReader(
                    documents, skipping: publication.draft == nil ? 0 : 1, by: caller.who.identity, types: types)
                read(PartialPublication(reader), publication, caller, completion)
            }
        }
    }

    /// Whether the caller stopped waiting while its call was queued; the work is then dropped.
    private func isOverdue(_ caller: Caller) -> Bool { caller.deadline.map { $0 <= source.clock() } ?? false }

    private func getScreen(_ request: GetScreenRequest, _ caller: Caller, _ completion: @escaping Completion) {
        if request.isPreview {
            return source.lanes.previewing.submit(for: caller.connection) { [source] in
                completion(
                    Result { () throws(Status) -> [UInt8] in
                        if isOverdue(caller) { throw .deadlineExceeded }
                        return CallBodyCodec.encode(try source.preview(request, for: caller.who.identity.claims))
                    })
            }
        }
        let open = OpenRequest(request, user: caller.who.user, claims: caller.who.identity.claims)
        let question: @Sendable (Hub, UserSnapshot?) -> Result<GetScreenAnswer, OpenFailure> = { hub, log in
            isOverdue(caller)
                ? .failure(.refused(.deadlineExceeded)) : hub.get(open, from: caller.who.origin, with: log)
        }
        source.ask(for: caller.connection, question) { [source] result in
            source.lanes.answering.submit(for: caller.connection) {
                completion(result.map { source.screenAnswers.body(of: source.withUserPosition($0, of: open.user)) })
            }
        }
    }

    /// Searches the store directly instead of through the hub, so that a search doesn't delay publications.
    private func search(_ request: SearchRequest, _ caller: Caller, _ completion: @escaping Completion) {
        source.lanes.answering.submit(for: caller.connection) { [source] in
            guard !isOverdue(caller) else { return completion(.failure(.deadlineExceeded)) }
            do throws(Status) {
                let answer = try Search.answer(request, programme: source.programme, in: source.store)
                completion(.success(CallBodyCodec.encode(answer)))
            } catch {
                completion(.failure(error))
            }
        }
    }

    private func collection(_ request: CollectionRequest, _ caller: Caller, _ completion: @escaping Completion) {
        guard let user = caller.who.user else {
            return completion(.failure(.userRequired))
        }
        let change: MemberChange
        do throws(Status) {
            change = try request.change(by: source.positions.types)
        } catch {
            return completion(.failure(error))
        }
        let id = caller.who.mutation(request.number, answeredThrough: request.answeredThrough)
        submit(.member(user: user, change, mutation: id), number: request.number, nil, completion) { revision, _ in
            CutChange(userRevision: revision)
        }
    }

    /// Stores observations, if the programme asks for all of them.
    private func report(_ request: ReportRequest, _ caller: Caller, _ completion: @escaping Completion) {
        let batch: ObservationBatch
        do throws(Status) {
            batch = try request.batch(
                by: caller.who.identity, source.programme, revision: source.positions.catalogueRevision)
        } catch {
            return completion(.failure(error))
        }
        let id = caller.who.mutation(request.number, answeredThrough: request.answeredThrough)
        submit(
            .observed(batch, mutation: id), number: request.number, nil,
            done: { [source] _, changed in if !changed { source.observationsAreFull() } }, completion
        ) { _, _ in CutChange() }
    }

    /// A publication without its changes.
    private struct PublicationName {
        var key: String?
        var number: UInt64
        var answeredThrough: UInt64
        /// The move of its source.
        var move: SourcePosition?
        /// The draft that it goes to.
        var draft: String?
    }

    /// A publication that is being read. It is an object so that its parts aren't copied from turn to turn.
    private final class PartialPublication: Sendable {
        let reader: Mutex<PublicationReader>

        init(_ reader: consuming PublicationReader) { self.reader = Mutex(reader) }
    }

    /// Reads the next part of a publication when it is the connection's turn, and submits it when all of it is read.
    /// Called on the lane that reads.
    private func read(
        _ partial: PartialPublication, _ publication: PublicationName, _ caller: Caller,
        _ completion: @escaping Completion
    ) {
        guard !isOverdue(caller) else { return completion(.failure(.deadlineExceeded)) }
        do throws(Status) {
            let whole = try partial.reader.withLock { reader throws(Status) -> ([Change], PublicationRecord)? in
                try reader.read()
                return reader.isDone ? (reader.changes, reader.record) : nil
            }
            guard let (changes, record) = whole else {
                return source.lanes.reading.resume(for: caller.connection) {
                    read(partial, publication, caller, completion)
                }
            }
            publish(changes, record, publication, caller, completion)
        } catch {
            completion(.failure(error))
        }
    }

    private func publish(
        _ changes: [Change], _ record: PublicationRecord, _ publication: PublicationName, _ caller: Caller,
        _ completion: @escaping Completion
    ) {
        let (key, number) = (publication.key, publication.number)
        if let name = publication.draft {
            let edit = DraftEdit(name, .add(changes, key: key))
            return submit(edit, record, publication, caller, completion)
        }
        // The move goes first, so that nothing else is judged if the source is elsewhere.
        let all = publication.move.map { [Change.source($0)] + changes } ?? changes
        submit(
            .catalogue(key: key, changes: all, mutation: mutation(of: publication, caller)), number: number,
            caller.connection, done: { note(record, publication, caller, revision: $0, changed: $1) }, completion
        ) { revision, _ in
            CutChange(catalogueRevision: revision)
        }
    }

    /// Makes an edit of a draft.
    private func submit(
        _ edit: DraftEdit, _ record: PublicationRecord, _ publication: PublicationName, _ caller: Caller,
        _ completion: @escaping Completion
    ) {
        submit(
            .draft(edit, mutation: mutation(of: publication, caller)), number: publication.number, caller.connection,
            done: { [source] revision, changed in
                source.draftsChanged()
                if case .publish = edit.action {
                    return note(record, publication, caller, revision: revision, changed: changed)
                }
                source.audit.edited(edit, record, by: caller, key: publication.key)
            }, completion
        ) { revision, _ in CutChange(catalogueRevision: revision) }
    }

    /// Does something about a draft as a whole. Called by the lane that reads.
    private func carryOut(
        _ order: DraftOrder, _ publication: PublicationName, _ caller: Caller, _ completion: @escaping Completion
    ) throws(Status) {
        let identity = caller.who.identity
        if let refusal = Authoriser.refusal(of: .draft(order.name), to: identity) { throw refusal }
        var record = PublicationRecord()
        var action = DraftEdit.Action.drop
        switch order {
        case .add, .drop: break
        case .hold: action = .hold
        case .publish(let name, let moment, let despiteConflicts):
            let draft = try source.draft(name)
            if let draft { try source.allow(draft, to: identity) }
            for change in draft?.changes ?? [] { record.add(change.subjectOfPublishing) }
            // Without a draft: it may have been published, if this is sent again. The store knows.
            let version = draft?.version ?? 0
            action =
                moment.map { .schedule(version: version, at: $0, despiteConflicts: despiteConflicts) }
                ?? .publish(version: version, despiteConflicts: despiteConflicts)
        }
        submit(DraftEdit(order.name, action), record, publication, caller, completion)
    }

    private func mutation(of publication: PublicationName, _ caller: Caller) -> MutationID? {
        guard caller.who.numbersPublications else { return nil }
        return MutationID(
            client: caller.who.mutationClient, number: publication.number,
            answeredThrough: publication.answeredThrough)
    }

    private func note(
        _ record: PublicationRecord, _ publication: PublicationName, _ caller: Caller, revision: UInt64, changed: Bool
    ) {
        source.audit.committed(record, by: caller, key: publication.key, revision: revision, changed: changed)
    }

    /// Restores what a revision changed. Called on the lane that reads.
    private func undo(
        _ revision: UInt64, _ publication: PublicationName, _ caller: Caller, _ completion: @escaping Completion
    ) throws(Status) {
        guard let store = source.store as? any TransactionalStore else { throw .unimplemented(.publish) }
        let mutation = mutation(of: publication, caller)
        let undo = try source.undo(revision, by: caller.who.identity, key: publication.key, mutation: mutation)
        var record = PublicationRecord()
        for change in undo.changes { record.add(change.subjectOfPublishing) }
        source.committer.alone { [record] in
            if isOverdue(caller) { return completion(.failure(.deadlineExceeded)) }
            let result = Result { () throws(StoreError) -> StoreOutcome in
                try undo.commit(to: store, key: publication.key, mutation: mutation)
            }
            if case .success(.done(let revision, let changed)) = result {
                note(record, publication, caller, revision: revision, changed: changed)
            }
            completion(
                result.mutationAnswer(publication.number) { revision, _ in CutChange(catalogueRevision: revision) })
        }
    }

    private func submit(
        _ write: StoreWrite, number: UInt64, _ publisher: ConnectionID?,
        done: @escaping @Sendable (_ revision: UInt64, _ changed: Bool) -> Void = { _, _ in },
        _ completion: @escaping Completion,
        effect: @escaping @Sendable (_ revision: UInt64, _ changed: Bool) -> CutChange
    ) {
        let taken = source.committer.submit(write, from: publisher) { [source] result in
            switch result {
            case .success(let outcome):
                if case .done(let revision, let changed) = outcome { done(revision, changed) }
                if let (user, move) = write.memberMove(outcome) { source.userMoved(user, move) }
                // Another server may have made the change, or this one may have lost its connection while committing
                // it.
                if case .repeated = outcome, case .member(let user, _, _) = write, source.store is any SharedStore {
                    source.userMayHaveMoved(user)
                }
            case .failure(let error): source.logger.error("a write was not stored: \(error)")
            }
            completion(result.mutationAnswer(number, effect: effect))
        }
        if !taken { completion(.failure(.tooManyWrites)) }
    }
}

extension ScreenDescription {
    /// The part that an identity may know: nothing if it may see none of the screens, and only examples it may see.
    fileprivate func seen(by identity: Identity) -> ScreenDescription? {
        guard Authoriser.refusal(of: .readSome(family: ScreenID(pattern).family), to: identity) == nil else {
            return nil
        }
        var description = self
        if let example, Authoriser.refusal(of: .read(screen: example), to: identity) != nil {
            description.example = nil
        }
        return description
    }
}

extension Status {
    /// A draft is published later; it doesn't move a source.
    fileprivate static let draftOfSource = Status(
        .invalidArgument, reason: "CHANGE_INVALID", remedy: .fatal,
        message: "a draft moves no source; leave the source out")
    /// An undo restores contents; it doesn't move a source.
    fileprivate static let undoOfSource = Status(
        .invalidArgument, reason: "CHANGE_INVALID", remedy: .fatal,
        message: "an undo moves no source; leave the source out")
}

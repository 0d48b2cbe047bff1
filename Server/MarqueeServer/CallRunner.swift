import Foundation
import MarqueeCatalogue
import MarqueeModel
import MarqueeScreens
import MarqueeStore
import MarqueeTypes
import MarqueeWire
import Synchronization

/// Runs unary calls, each on the thread that owns the data it needs.
struct CallRunner: Sendable {
    /// The caller of a call.
    struct Caller: Sendable {
        var identity: Identity
        var clientID: [UInt8]
        var connection: ConnectionID
        /// When the caller stops waiting, in milliseconds of the monotonic clock; `nil` for never.
        var deadline: UInt64?

        var user: String? { identity.user }
    }

    typealias Completion = @Sendable (Result<[UInt8], Status>) -> Void

    let services: ServerServices

    /// - Parameter completion: called once, from any thread.
    func run(_ call: SessionCore.Call, caller: Caller, completion: @escaping Completion) {
        let completion = services.calls.count(call, completion)
        switch call {
        case .health: health(caller, completion)
        case .describe(let locale):
            services.ask(for: caller.connection) { [services] hub in
                let all = hub.describe(locale: locale)
                let seen = all.screens.filter { !$0.isHidden(from: caller.identity) }
                let answer = DescribeAnswer(screens: seen, locales: all.locales)
                services.answering.submit(for: caller.connection) {
                    completion(.success(CallBodyCodec.encode(answer)))
                }
            }
        case .getScreen(let request):
            let open = OpenRequest(
                screen: request.screen, locale: request.locale, parameters: request.sections, user: caller.user)
            services.ask(for: caller.connection) { [services] hub in
                guard !isOverdue(caller) else { return completion(.failure(.deadlineExceeded)) }
                switch hub.get(open) {
                case .failure(let status): completion(.failure(status))
                case .success(let answer):
                    services.answering.submit(for: caller.connection) {
                        completion(.success(CallBodyCodec.encode(answer)))
                    }
                }
            }
        case .search(let request):
            search(request, caller, completion)
        case .collection(let request): collection(request, caller, completion)
        case .publish(let number, let answeredThrough, let key, let documents, let held):
            // Holds the call's budget reservation until it is answered.
            let completion: Completion = { result in withExtendedLifetime(held) { completion(result) } }
            services.reading.submit(for: caller.connection) {
                guard !isOverdue(caller) else { return completion(.failure(.deadlineExceeded)) }
                publish(documents, key: key, number: number, answeredThrough: answeredThrough, caller, completion)
            }
        }
    }

    /// Whether the caller stopped waiting while its call was queued; its work is then dropped.
    private func isOverdue(_ caller: Caller) -> Bool { caller.deadline.map { $0 <= services.now() } ?? false }

    /// Searches the store directly instead of through the hub, so that a search doesn't delay publications.
    private func search(_ request: SearchRequest, _ caller: Caller, _ completion: @escaping Completion) {
        services.answering.submit(for: caller.connection) { [services] in
            guard !isOverdue(caller) else { return completion(.failure(.deadlineExceeded)) }
            do throws(Status) {
                let answer = try Search.answer(request, programme: services.programme, in: services.store)
                completion(.success(CallBodyCodec.encode(answer)))
            } catch {
                completion(.failure(error))
            }
        }
    }

    private func health(_ caller: Caller, _ completion: @escaping Completion) {
        services.answering.submit(for: caller.connection) { [services] in
            var answer = HealthAnswer()
            answer.state = services.isDraining.load(ordering: .relaxed) ? "draining" : "serving"
            do {
                answer.cut = try services.positions.cut(for: caller.user, in: services.store)
            } catch {
                return completion(.failure(Status(storeError: error)))
            }
            answer.sessions = UInt32(clamping: services.sessionCount.load(ordering: .relaxed))
            answer.subscriptions = UInt32(clamping: services.subscriptionCount.load(ordering: .relaxed))
            answer.records = services.positions.counts.records
            answer.uptimeMilliseconds = services.now() - services.started
            answer.encodes = services.library.counters.encodes
            answer.deliveries = services.deliveries.load(ordering: .relaxed)
            answer.version = services.settings.agent
            completion(.success(CallBodyCodec.encode(answer)))
        }
    }

    private func collection(_ request: CollectionRequest, _ caller: Caller, _ completion: @escaping Completion) {
        guard let user = caller.user else {
            return completion(.failure(.userRequired))
        }
        let change: MemberChange
        do throws(Status) {
            change = try request.change(by: services.positions.types)
        } catch {
            return completion(.failure(error))
        }
        let id = MutationID(
            client: caller.clientID, number: request.number, answeredThrough: request.answeredThrough)
        submit(.member(user: user, change, mutation: id), number: request.number, completion) { revision, _ in
            CutChange(userRevision: revision)
        }
    }

    private func publish(
        _ documents: [[UInt8]], key: String?, number: UInt64, answeredThrough: UInt64, _ caller: Caller,
        _ completion: @escaping Completion
    ) {
        var changes: [Change] = []
        changes.reserveCapacity(documents.count)
        var judge = ProgrammeJudge(types: services.positions.types)
        for (index, document) in documents.enumerated() {
            do {
                let change = try Change(document: Data(document))
                if let refusal = Authoriser.refusal(of: .publish(change.subjectOfPublishing), to: caller.identity) {
                    return completion(.failure(refusal))
                }
                try judge.check(change)
                changes.append(change)
            } catch {
                return completion(.failure(Self.invalid("CHANGE_INVALID", "change \(index + 1): \(error)")))
            }
        }
        let id = MutationID(client: caller.clientID, number: number, answeredThrough: answeredThrough)
        submit(.catalogue(key: key, changes: changes, mutation: id), number: number, completion) { revision, _ in
            CutChange(catalogueRevision: revision)
        }
    }

    private func submit(
        _ write: StoreWrite, number: UInt64, _ completion: @escaping Completion,
        effect: @escaping @Sendable (_ revision: UInt64, _ changed: Bool) -> CutChange
    ) {
        let taken = services.committer.submit(write) { [services] result in
            switch result {
            case .success(let outcome):
                if let (user, move) = write.memberMove(outcome) { services.userMoved(user, move) }
                // Another server may have made it, or this one when it lost its connection while it committed.
                if case .repeated = outcome, case .member(let user, _, _) = write, services.store is any SharedStore {
                    services.userMayHaveMoved(user)
                }
            case .failure(let error): services.logger.error("a write was not stored: \(error)")
            }
            completion(result.mutationAnswer(number, effect: effect))
        }
        if !taken { completion(.failure(.tooManyWrites)) }
    }

    private static func invalid(_ reason: String, _ message: String) -> Status {
        Status(.invalidArgument, reason: reason, remedy: .fatal, message: message)
    }
}

extension ScreenDescription {
    /// Whether an identity may see none of the screens that it describes.
    fileprivate func isHidden(from identity: Identity) -> Bool {
        Authoriser.refusal(of: .readSome(family: ScreenID(pattern).family), to: identity) != nil
    }
}

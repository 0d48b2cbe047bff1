import DequeModule
import MarqueeCatalogue
package import MarqueeModel
package import MarqueeWire
import NIOCore

extension SessionCore {
    /// A session's calls, and the publication that is arriving.
    struct Calls {
        /// Calls without an answer yet, including those not begun.
        var inFlight: Set<UInt32> = []
        /// Calls in flight that have not begun, in order.
        var waiting: Deque<(id: UInt32, call: ContentCall, caller: ContentCaller)> = []
        /// Calls that have begun and may have large answers.
        var withLargeAnswers: Set<UInt32> = []
        /// Calls that had begun when they were cancelled or became overdue; they keep their places until their work is
        /// done.
        var cancelled: Set<UInt32> = []
        /// The deadlines of calls in flight, in milliseconds of the monotonic clock.
        var deadlines: [UInt32: UInt64] = [:]
        /// The guests of unfinished calls that are made on behalf of a guest.
        var guests: [UInt32: UInt32] = [:]
        /// Calls in flight that belong to a trace.
        var traced: [UInt32: TracedCall] = [:]
        var answers = AnswerQueue()
        /// The time since which no part of an answer could be written.
        var answersWaitingSince: UInt64?
        var publishing: Publishing?
        /// Whether the client's new token is being checked.
        var isRenewing = false
        /// Bytes of publications that are being committed, by call.
        var committing: [UInt32: Int] = [:]

        /// Ends a call and frees its place.
        mutating func end(_ call: UInt32) {
            inFlight.remove(call)
            cancelled.remove(call)
            deadlines[call] = nil
            withLargeAnswers.remove(call)
            committing[call] = nil
            guests[call] = nil
        }

        var committingBytes: Int { committing.values.reduce(0, +) }
        /// Bytes of publications that are arriving or being committed.
        var publicationBytes: Int { (publishing?.held.bytes ?? 0) + committingBytes }

        /// Removes and returns the calls that may begin now. While too many large answers are being prepared or sent,
        /// no call that may add another begins.
        /// - Parameter limit: the most large answers that may be prepared or sent at once.
        mutating func begin(limit: Int) -> [(id: UInt32, call: ContentCall, caller: ContentCaller)] {
            guard !waiting.isEmpty else { return [] }
            var begun: [(id: UInt32, call: ContentCall, caller: ContentCaller)] = []
            var left: Deque<(id: UInt32, call: ContentCall, caller: ContentCaller)> = []
            for next in waiting {
                if next.call.hasLargeAnswer {
                    guard withLargeAnswers.count + answers.count < limit else {
                        left.append(next)
                        continue
                    }
                    withLargeAnswers.insert(next.id)
                }
                begun.append(next)
            }
            waiting = left
            return begun
        }
    }

    mutating func request(_ request: Request, now: UInt64) -> [Action] {
        guard request.call > lasting.highestCall else {
            return fail(.invalidArgument, "CALL_REUSED", "call ids must rise and are never reused")
        }
        lasting.highestCall = request.call
        calls.traced[request.call] = request.trace.map {
            TracedCall(call: request.call, method: request.method, trace: $0, began: now)
        }
        guard calls.inFlight.count < Int(limits.calls) else {
            answer(
                request.call,
                Status(
                    .resourceExhausted, reason: "TOO_MANY_CALLS", remedy: .retrySame,
                    message: "at most \(limits.calls) calls in flight"))
            return [.hit(.calls)]
        }
        // There is no time left: the client has stopped waiting for the answer.
        if request.deadlineMilliseconds == 0 {
            answer(request.call, .deadlineExceeded)
            return []
        }
        do {
            if request.method == .renew {
                let token = try tokenToRenew(request)
                begins(request, now: now)
                return [.renew(call: request.call, token: token)]
            }
            if request.method == .introduce {
                let introduction = try introduction(request)
                begins(request, now: now)
                return [.introduce(call: request.call, introduction)]
            }
            let caller = try caller(of: request)
            guard let call = try decode(request, by: caller, now: now) else { return [] }
            begins(request, now: now)
            calls.waiting.append((request.call, call, caller))
            return beginCalls()
        } catch let status as Status {
            answer(request.call, status)
            if status == .tooManyPublications { return [.hit(.publications)] }
        } catch {
            answer(request.call, Self.invalid("BODY_INVALID", "the request's body can't be read: \(error)"))
        }
        return []
    }

    private mutating func begins(_ request: Request, now: UInt64) {
        calls.inFlight.insert(request.call)
        calls.deadlines[request.call] = request.deadlineMilliseconds.map { now + UInt64($0) }
        if request.method != .introduce { calls.guests[request.call] = request.guest }
    }

    /// Ends the calls of a guest that has left, and drops their unfinished work.
    mutating func endCalls(of guest: UInt32) -> [Action] {
        let ended = calls.guests.filter { $0.value == guest }.keys.sorted()
        if ended.isEmpty { return [] }
        for call in ended {
            giveUp(call, Status(.cancelled, reason: "CANCELLED", remedy: .fatal, message: "the guest has left"))
            calls.end(call)
        }
        return [.drop(guest: guest)] + beginCalls()
    }

    private mutating func beginCalls() -> [Action] {
        let limit = guests == nil ? SessionSettings.answersAtOnce : SessionSettings.relayAnswersAtOnce
        return calls.begin(limit: limit).map { .perform(call: $0.id, $0.call, by: $0.caller) }
    }

    /// Answers a cancelled call at once. The call keeps its place until its work is done, so that cancelling doesn't
    /// make room for more.
    mutating func cancel(_ call: UInt32) -> [Action] {
        giveUp(
            call, Status(.cancelled, reason: "CANCELLED", remedy: .fatal, message: "the client cancelled the call"))
        return []
    }

    /// Answers overdue calls. Those that have begun keep their places until their work is done.
    mutating func endOverdueCalls(now: UInt64) {
        for call in calls.deadlines.filter({ $0.value <= now }).keys.sorted() {
            giveUp(call, .deadlineExceeded)
        }
    }

    private mutating func giveUp(_ call: UInt32, _ status: Status) {
        calls.deadlines[call] = nil
        if let index = calls.waiting.firstIndex(where: { $0.id == call }) {
            calls.waiting.remove(at: index)
            calls.inFlight.remove(call)
            calls.guests[call] = nil
        } else {
            guard calls.inFlight.contains(call), calls.cancelled.insert(call).inserted else { return }
        }
        answer(call, status)
    }

    /// A call's deadline, in milliseconds of the monotonic clock; `nil` for none.
    package func deadline(of call: UInt32) -> UInt64? { calls.deadlines[call] }

    /// Takes the result of a call that `perform` started.
    package mutating func answered(call: UInt32, _ result: Result<[UInt8], Status>, now: UInt64) {
        guard case .live = phase, calls.inFlight.contains(call) else { return }
        let (deadline, isCancelled) = (calls.deadlines[call], calls.cancelled.contains(call))
        // The awaited commit is done; silence is counted from here.
        if calls.committing[call] != nil { lasting.liveness.heard(now: now) }
        calls.end(call)
        defer { deferred += beginCalls() }
        if isCancelled { return }
        if let deadline, deadline <= now { return answer(call, .deadlineExceeded) }
        switch result {
        case .failure(let status):
            answer(call, status)
        case .success(let body):
            guard body.count <= Int(min(settings.limits.answerBytes, clientLimits.answerBytes)) else {
                answer(call, .answerTooLarge(bytes: body.count))
                return
            }
            guard let room = budgets.answers.reserve(body.count) else {
                deferred.append(.hit(.answers))
                answer(call, .answersWait)
                return
            }
            calls.answers.append(body, to: call, room: room)
            note(call, reason: nil)
        }
    }

    /// The next part of an answer.
    mutating func nextAnswerFrame() -> ByteBuffer? {
        let count = calls.answers.count
        guard let answer = calls.answers.next(SessionSettings.answerPartBytes) else { return nil }
        calls.answersWaitingSince = nil
        if calls.answers.count < count { deferred += beginCalls() }
        return MessageCodec.encode(.answer(answer), flags: [])
    }

    private mutating func answer(_ call: UInt32, _ status: Status) {
        say(.answer(Answer(call: call, status: status)))
        note(call, reason: status.reason)
    }

    /// Logs how a call ended, if it belongs to a trace.
    private mutating func note(_ call: UInt32, reason: String?) {
        if let traced = calls.traced.removeValue(forKey: call) { deferred.append(.note(traced, reason: reason)) }
    }

    /// - Returns: `nil` when the call was answered at once.
    private mutating func decode(_ request: Request, by caller: ContentCaller, now: UInt64) throws -> ContentCall? {
        let identity = caller.identity
        func authorise(_ action: Scopes.Action) throws(Status) {
            if let refusal = Authoriser.refusal(of: action, to: identity) { throw refusal }
        }
        switch request.method {
        case .health: return .health
        case .describe: return .describe(locale: try CallBodyCodec.decodeDescribeRequest(request.body))
        case .getScreen:
            let screen = try CallBodyCodec.decodeGetScreenRequest(request.body)
            if let refusal = Authoriser.refusal(of: screen, to: identity) { throw refusal }
            return .getScreen(screen)
        case .plan:
            let screen = try CallBodyCodec.decodeGetScreenRequest(request.body)
            guard guests != nil else { throw Status.noRelay }
            // A relay may request the shared content for itself, and so may a relay behind it.
            if Authoriser.refusal(of: .relay, to: identity) != nil { try authorise(.read(screen: screen.screen)) }
            return .plan(screen)
        case .search:
            let search = try CallBodyCodec.decodeSearchRequest(request.body)
            try authorise(.search)
            return .search(search)
        case .collection:
            let change = try CallBodyCodec.decodeCollectionRequest(request.body)
            return try ContentCall(change, by: identity)
        case .report:
            let report = try CallBodyCodec.decodeReportRequest(request.body)
            try Self.check(number: report.number)
            try authorise(.read(screen: report.screen))
            return .report(report)
        case .publish:
            let part = try CallBodyCodec.decodePublishRequest(request.body)
            guard identity.scopes.allowsPublishing else {
                deferred.append(.refusedPublication(.publishDenied, by: caller))
                throw Status.publishDenied
            }
            guard let whole = try publish(part, of: request.call, now: now) else {
                say(.answer(Answer(call: request.call)))
                note(request.call, reason: nil)
                return nil
            }
            return whole
        case .source:
            let source = try CallBodyCodec.decodeSourceRequest(request.body)
            if let name = source.source { try authorise(.publish(Change.subjectOfPublishing(source: name))) }
            return .source(source)
        case .recordSums:
            let sums = try CallBodyCodec.decodeRecordSumsRequest(request.body)
            try authorise(.publish(sums.type))
            return .recordSums(sums)
        case .drafts:
            let drafts = try CallBodyCodec.decodeDraftsRequest(request.body)
            if let name = drafts.draft { try authorise(.draft(name)) }
            return .drafts(drafts)
        default:
            throw Status.unimplemented(request.method)
        }
    }

    static func check(number: UInt64) throws(Status) {
        guard WireLimits.mutationNumbers.contains(number) else {
            throw invalid("NUMBER_INVALID", "a mutation's number is between 1 and 2^63 - 1")
        }
    }

    static func invalid(_ reason: String, _ message: String) -> Status {
        Status(.invalidArgument, reason: reason, remedy: .fatal, message: message)
    }
}

extension ContentCall {
    /// A change of a user's collection, if its user may make it.
    init(_ change: CollectionRequest, by identity: Identity) throws(Status) {
        guard identity.user != nil else { throw .userRequired }
        try SessionCore.check(number: change.number)
        guard Subject(change.subject).record != nil else { throw .noMember(change.subject) }
        if let refusal = Authoriser.refusal(of: .change(collection: change.collection.name), to: identity) {
            throw refusal
        }
        self = .collection(change)
    }

    /// Whether its answer may have more than a few hundred bytes.
    fileprivate var hasLargeAnswer: Bool {
        switch self {
        case .describe, .getScreen, .search, .source, .recordSums, .drafts: true
        case .health, .plan, .collection, .report, .publish: false
        }
    }
}

extension Status {
    /// The call's deadline passed before there was an answer.
    package static let deadlineExceeded = Status(
        .deadlineExceeded, reason: "DEADLINE_EXCEEDED", remedy: .retrySame,
        message: "the call was not finished by its deadline")

    /// There is no such call.
    package static func unimplemented(_ method: Method) -> Status {
        Status(
            .unimplemented, reason: "METHOD_UNKNOWN", remedy: .fatal,
            message: "method \(method.rawValue) is not known")
    }

    /// The client's scopes don't let it publish anything.
    static let publishDenied = Status(
        .permissionDenied, reason: "PUBLISH_DENIED", remedy: .fatal, message: "this client may not publish")

    /// Answers that clients haven't read yet use up the budget for answers.
    static let answersWait = Status(
        .resourceExhausted, reason: "TOO_MANY_ANSWERS", remedy: .retrySame,
        message: "too many answers are waiting to be read; try again", retryAfterMilliseconds: 1_000)
    /// Collections need a user, and the client is anonymous.
    static let userRequired = Status(
        .unauthenticated, reason: Reason.userRequired, remedy: .reauthenticate,
        message: "favorites and other collections need a user")
}

package import MarqueeModel
import MarqueeWire
import NIOCore

extension SessionCore {
    /// A publication whose parts are coming in.
    struct Publishing {
        var number: UInt64
        var nextIndex: UInt32
        /// When its last part has to be there.
        var deadline: UInt64
        var bytes: Int
        var changes: [[UInt8]]
        /// Of the budget that all sessions share.
        var held: ByteBudget.Reservation
    }

    /// Bytes of the publications that are coming in and being committed.
    var publicationBytes: Int { (publishing?.held.bytes ?? 0) + publicationsUnderWay.values.reduce(0, +) }

    mutating func request(_ request: Request, now: UInt64) -> [Action] {
        guard request.call > highestCall else {
            return fail(.invalidArgument, "CALL_REUSED", "call ids rise and are never used again")
        }
        highestCall = request.call
        guard calls.count < Int(settings.limits.calls) else {
            answer(
                request.call,
                Status(
                    .resourceExhausted, reason: "TOO_MANY_CALLS", remedy: .retrySame,
                    message: "at most \(settings.limits.calls) calls in flight"))
            return []
        }
        // No time is left: the client has given the answer up.
        if request.deadlineMilliseconds == 0 {
            answer(request.call, .deadlineExceeded)
            return []
        }
        do {
            guard let call = try decode(request, now: now) else { return [] }
            calls.insert(request.call)
            deadlines[request.call] = request.deadlineMilliseconds.map { now + UInt64($0) }
            waitingCalls.append((request.call, call))
            return beginCalls()
        } catch let status as Status {
            answer(request.call, status)
        } catch {
            answer(request.call, Self.invalid("BODY_INVALID", "the request's body can't be read: \(error)"))
        }
        return []
    }

    /// Begins the calls that may be begun now: as long as answers wait for the client to take them, nothing is done
    /// that makes more of them.
    private mutating func beginCalls() -> [Action] {
        var actions: [Action] = []
        for (id, call) in waitingCalls {
            if call.hasLargeAnswer {
                guard answersInTheMaking.count + answers.count < SessionSettings.answersAtOnce else { continue }
                answersInTheMaking.insert(id)
            }
            actions.append(.perform(call: id, call))
        }
        let begun = Set(
            actions.compactMap { action in
                if case .perform(let id, _) = action { id } else { nil }
            })
        waitingCalls.removeAll { begun.contains($0.id) }
        return actions
    }

    /// The client gets its answer at once; the call keeps its place until the work is done, so that cancelling does not
    /// make room for more.
    mutating func cancel(_ call: UInt32) -> [Action] {
        giveUp(
            call, Status(.cancelled, reason: "CANCELLED", remedy: .fatal, message: "the client cancelled the call"))
        return []
    }

    /// Calls whose time is over are answered so. Those that have begun keep their places until the work is done.
    mutating func endOverdueCalls(now: UInt64) {
        for call in deadlines.filter({ $0.value <= now }).keys.sorted() {
            giveUp(call, .deadlineExceeded)
        }
    }

    private mutating func giveUp(_ call: UInt32, _ status: Status) {
        deadlines[call] = nil
        if let index = waitingCalls.firstIndex(where: { $0.id == call }) {
            waitingCalls.remove(at: index)
            calls.remove(call)
        } else {
            guard calls.contains(call), cancelled.insert(call).inserted else { return }
        }
        answer(call, status)
    }

    /// When the answer of a call in flight is of no more use, in milliseconds of the monotonic clock; `nil` for never.
    package func deadline(of call: UInt32) -> UInt64? { deadlines[call] }

    /// A call that `perform` started has ended.
    package mutating func answered(call: UInt32, _ result: Result<[UInt8], Status>, now: UInt64) {
        guard case .live = phase, calls.remove(call) != nil else { return }
        let deadline = deadlines.removeValue(forKey: call)
        answersInTheMaking.remove(call)
        publicationsUnderWay[call] = nil
        defer { deferred += beginCalls() }
        guard cancelled.remove(call) == nil else { return }
        if let deadline, deadline <= now { return answer(call, .deadlineExceeded) }
        switch result {
        case .failure(let status):
            answer(call, status)
        case .success(let body):
            guard body.count <= Int(min(settings.limits.answerBytes, clientLimits.answerBytes)) else {
                answer(
                    call,
                    Status(
                        .resourceExhausted, reason: "ANSWER_TOO_LARGE", remedy: .fatal,
                        message: "the answer has \(body.count) bytes; subscribe instead"))
                return
            }
            guard let room = budgets.answers.reserve(body.count) else {
                answer(call, .answersWait)
                return
            }
            answers.append(body, to: call, room: room)
        }
    }

    /// The next part of an answer.
    mutating func nextAnswerFrame() -> ByteBuffer? {
        let count = answers.count
        guard let answer = answers.next(SessionSettings.answerPartBytes) else { return nil }
        answersWaitingSince = nil
        if answers.count < count { deferred += beginCalls() }
        return MessageCodec.encode(.answer(answer), flags: [])
    }

    private mutating func answer(_ call: UInt32, _ status: Status) {
        say(.answer(Answer(call: call, status: status)))
    }

    /// - Returns: `nil` when the call was answered at once.
    private mutating func decode(_ request: Request, now: UInt64) throws -> Call? {
        switch request.method {
        case .health: return .health
        case .describe: return .describe(locale: try CallBodyCodec.decodeDescribeRequest(request.body))
        case .getScreen: return .getScreen(try CallBodyCodec.decodeGetScreenRequest(request.body))
        case .search: return .search(try CallBodyCodec.decodeSearchRequest(request.body))
        case .collection:
            let change = try CallBodyCodec.decodeCollectionRequest(request.body)
            guard identity.user != nil else {
                throw Status.userRequired
            }
            guard change.number > 0 else { throw Self.invalid("NUMBER_INVALID", "a mutation's number is above 0") }
            guard Subject(change.subject).isCollectable else {
                throw Status.noMember(change.subject)
            }
            return .collection(change)
        case .publish:
            let part = try CallBodyCodec.decodePublishRequest(request.body)
            guard identity.mayPublish else {
                throw Status(
                    .permissionDenied, reason: "PUBLISH_DENIED", remedy: .fatal, message: "this client may not publish")
            }
            guard let whole = try publish(part, of: request.call, now: now) else {
                say(.answer(Answer(call: request.call)))
                return nil
            }
            return whole
        default:
            throw Status(
                .unimplemented, reason: "METHOD_UNKNOWN", remedy: .fatal,
                message: "method \(request.method.rawValue) is not known")
        }
    }

    /// - Returns: the whole publication once its last part is there.
    private mutating func publish(_ part: PublishRequest, of call: UInt32, now: UInt64) throws -> Call? {
        guard part.number > 0 else { throw Self.invalid("NUMBER_INVALID", "a mutation's number is above 0") }
        do {
            if part.index == 0 {
                // What was begun before is given up.
                publishing = nil
                publishing = try begin(part, now: now)
            } else if publishing?.number != part.number || publishing?.nextIndex != part.index {
                throw Self.invalid(
                    "PART_OUT_OF_ORDER",
                    "the parts of a publication follow each other from index 0, within "
                        + "\(settings.publicationMilliseconds / 1_000) seconds")
            }
            try add(part)
        } catch {
            publishing = nil
            throw error
        }
        guard part.last, let whole = publishing else { return nil }
        publishing = nil
        publicationsUnderWay[call] = whole.held.bytes
        return .publish(
            number: part.number, answeredThrough: part.answeredThrough, key: part.key, changes: whole.changes,
            held: whole.held)
    }

    private func begin(_ part: PublishRequest, now: UInt64) throws -> Publishing {
        // One that comes whole does not compete for room with those that are begun and perhaps never finished.
        let budget = part.last ? budgets.wholePublications : budgets.publications
        guard let held = budget.reserve(0) else { throw Status.tooManyPublications }
        return Publishing(
            number: part.number, nextIndex: 0, deadline: now + settings.publicationMilliseconds, bytes: 0, changes: [],
            held: held)
    }

    /// Adds a part to the publication that is coming in. In place: what came before is not copied for each part.
    private mutating func add(_ part: PublishRequest) throws {
        guard let held = publishing?.held else { return }
        guard part.last || !part.changes.isEmpty else {
            throw Self.invalid("PART_EMPTY", "a part that is not the last one holds a change")
        }
        let bytes = part.changes.reduce(0) { $0 + $1.count }
        guard (publishing?.bytes ?? 0) + bytes <= SessionSettings.publishBytes,
            (publishing?.changes.count ?? 0) + part.changes.count <= SessionSettings.publishChanges
        else {
            throw Status(
                .resourceExhausted, reason: "PUBLICATION_TOO_LARGE", remedy: .fatal,
                message:
                    "a publication has at most \(SessionSettings.publishChanges) changes in \(SessionSettings.publishBytes) bytes"
            )
        }
        let more = bytes + part.changes.count * SessionSettings.changeOverhead
        let others = publicationsUnderWay.values.reduce(0, +)
        guard others + held.bytes + more <= SessionSettings.publicationBytesHeld, held.grow(by: more) else {
            throw Status.tooManyPublications
        }
        publishing?.nextIndex += 1
        publishing?.bytes += bytes
        publishing?.changes += part.changes
    }

    private static func invalid(_ reason: String, _ message: String) -> Status {
        Status(.invalidArgument, reason: reason, remedy: .fatal, message: message)
    }
}

extension SessionCore.Call {
    /// Whether its answer may have more than a few hundred bytes.
    fileprivate var hasLargeAnswer: Bool {
        switch self {
        case .describe, .getScreen, .search: true
        case .health, .collection, .publish: false
        }
    }
}

extension Status {
    /// The time that the client gave a call was over before its answer was there.
    static let deadlineExceeded = Status(
        .deadlineExceeded, reason: "DEADLINE_EXCEEDED", remedy: .retrySame,
        message: "the call was not done within its deadline")

    /// Answers that clients have not taken fill the room that there is for them.
    static let answersWait = Status(
        .resourceExhausted, reason: "TOO_MANY_ANSWERS", remedy: .retrySame,
        message: "too many answers wait to be taken; try again", retryAfterMilliseconds: 1_000)
    /// Publications that are coming in or being committed fill the room that there is for them.
    static let tooManyPublications = Status(
        .resourceExhausted, reason: "TOO_MANY_PUBLICATIONS", remedy: .retrySame,
        message: "too many publications are under way; try again", retryAfterMilliseconds: 1_000)
    /// Nobody is known who could have collections.
    static let userRequired = Status(
        .unauthenticated, reason: "USER_REQUIRED", remedy: .reauthenticate,
        message: "favorites and other collections need a user")
}

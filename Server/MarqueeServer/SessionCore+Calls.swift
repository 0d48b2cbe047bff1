package import MarqueeModel
import MarqueeWire

extension SessionCore {
    /// A publication whose parts are coming in.
    struct Publishing {
        var number: UInt64
        var nextIndex: UInt32
        var bytes: Int
        var changes: [[UInt8]]
    }

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
            guard let call = try decode(request) else { return [] }
            calls.insert(request.call)
            deadlines[request.call] = request.deadlineMilliseconds.map { now + UInt64($0) }
            return [.perform(call: request.call, call)]
        } catch let status as Status {
            answer(request.call, status)
        } catch {
            answer(request.call, Self.invalid("BODY_INVALID", "the request's body can't be read: \(error)"))
        }
        return []
    }

    /// The client gets its answer at once; the call keeps its place until the work is done, so that cancelling does not make room for more.
    mutating func cancel(_ call: UInt32) -> [Action] {
        if calls.contains(call), cancelled.insert(call).inserted {
            deadlines[call] = nil
            answer(
                call, Status(.cancelled, reason: "CANCELLED", remedy: .fatal, message: "the client cancelled the call"))
        }
        return []
    }

    /// Calls whose time is over are answered so, and keep their places until the work is done.
    mutating func endOverdueCalls(now: UInt64) {
        for call in deadlines.filter({ $0.value <= now }).keys.sorted() {
            deadlines[call] = nil
            if cancelled.insert(call).inserted { answer(call, .deadlineExceeded) }
        }
    }

    /// When the answer of a call in flight is of no more use, in milliseconds of the monotonic clock; `nil` for never.
    package func deadline(of call: UInt32) -> UInt64? { deadlines[call] }

    /// A call that `perform` started has ended.
    package mutating func answered(call: UInt32, _ result: Result<[UInt8], Status>, now: UInt64) {
        guard case .live = phase, calls.remove(call) != nil else { return }
        let deadline = deadlines.removeValue(forKey: call)
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
            var start = 0
            repeat {
                let end = min(start + SessionSettings.answerPartBytes, body.count)
                say(.answer(Answer(call: call, body: Array(body[start..<end]), more: end < body.count)))
                start = end
            } while start < body.count
        }
    }

    private mutating func answer(_ call: UInt32, _ status: Status) {
        say(.answer(Answer(call: call, status: status)))
    }

    /// - Returns: `nil` when the call was answered at once.
    private mutating func decode(_ request: Request) throws -> Call? {
        switch request.method {
        case .health: return .health
        case .describe: return .describe(locale: try CallBodyCodec.decodeDescribeRequest(request.body))
        case .getScreen: return .getScreen(try CallBodyCodec.decodeGetScreenRequest(request.body))
        case .search: return .search(try CallBodyCodec.decodeSearchRequest(request.body))
        case .favorite:
            let favorite = try CallBodyCodec.decodeFavoriteRequest(request.body)
            guard identity.user != nil else {
                throw Status.userRequired
            }
            guard favorite.number > 0 else { throw Self.invalid("NUMBER_INVALID", "a mutation's number is above 0") }
            return .favorite(favorite)
        case .publish:
            let part = try CallBodyCodec.decodePublishRequest(request.body)
            guard identity.mayPublish else {
                throw Status(
                    .permissionDenied, reason: "PUBLISH_DENIED", remedy: .fatal, message: "this client may not publish")
            }
            guard let whole = try publish(part) else {
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
    private mutating func publish(_ part: PublishRequest) throws -> Call? {
        guard part.number > 0 else { throw Self.invalid("NUMBER_INVALID", "a mutation's number is above 0") }
        if part.index == 0 { publishing = Publishing(number: part.number, nextIndex: 0, bytes: 0, changes: []) }
        guard var publishing, publishing.number == part.number, publishing.nextIndex == part.index else {
            self.publishing = nil
            throw Self.invalid("PART_OUT_OF_ORDER", "the parts of a publication follow each other from index 0")
        }
        publishing.nextIndex += 1
        publishing.bytes += part.changes.reduce(0) { $0 + $1.count }
        publishing.changes += part.changes
        guard publishing.bytes <= SessionSettings.publishBytes,
            publishing.changes.count <= SessionSettings.publishChanges
        else {
            self.publishing = nil
            throw Status(
                .resourceExhausted, reason: "PUBLICATION_TOO_LARGE", remedy: .fatal,
                message:
                    "a publication has at most \(SessionSettings.publishChanges) changes in \(SessionSettings.publishBytes) bytes"
            )
        }
        guard part.last else {
            self.publishing = publishing
            return nil
        }
        self.publishing = nil
        return .publish(
            number: part.number, answeredThrough: part.answeredThrough, key: part.key, changes: publishing.changes)
    }

    private static func invalid(_ reason: String, _ message: String) -> Status {
        Status(.invalidArgument, reason: reason, remedy: .fatal, message: message)
    }
}

extension Status {
    /// The time that the client gave a call was over before its answer was there.
    static let deadlineExceeded = Status(
        .deadlineExceeded, reason: "DEADLINE_EXCEEDED", remedy: .retrySame,
        message: "the call was not done within its deadline")

    /// Nobody is known who could have favorites.
    static let userRequired = Status(
        .unauthenticated, reason: "USER_REQUIRED", remedy: .reauthenticate, message: "favorites need a user")
}

import DequeModule
package import MarqueeModel
package import MarqueeServer
import MarqueeWire

// Calls upstream, on a guest's behalf or the relay's own.

extension RelayCore {
    typealias Answered = (Result<[UInt8], Status>) -> Void

    /// A call, whether it has been sent or not.
    struct Call {
        var method: Method
        /// The bodies of its requests, which are sent together; publications consist of several parts.
        var bodies: [[UInt8]]
        var guest: UInt32?
        /// When the caller stops waiting; `nil` for never.
        var deadline: UInt64?
        var completion: Answered
    }

    /// Makes a client's call upstream.
    /// - Parameters:
    ///   - guest: the guest who makes the call; `nil` for a relay behind this one.
    ///   - deadline: when the client stops waiting, in milliseconds of the monotonic clock; `nil` for never.
    package func perform(
        _ call: ContentCall, guest: UInt32?, deadline: UInt64?,
        completion: @escaping (Result<[UInt8], Status>) -> Void
    ) {
        let (method, bodies): (Method, [[UInt8]])
        switch call {
        // Neither gets here: the relay answers health calls itself, and `plan` obtains plans.
        case .health: return completion(.failure(.unimplemented(.health)))
        case .plan: return completion(.failure(.unimplemented(.plan)))
        case .describe(let locale):
            (method, bodies) = (.describe, [CallBodyCodec.encodeDescribeRequest(locale: locale)])
        case .getScreen(let request): (method, bodies) = (.getScreen, [CallBodyCodec.encode(request)])
        case .search(let request): (method, bodies) = (.search, [CallBodyCodec.encode(request)])
        case .report(let request): (method, bodies) = (.report, [CallBodyCodec.encode(request)])
        case .collection(let request): (method, bodies) = (.collection, [CallBodyCodec.encode(request)])
        case .source(let request): (method, bodies) = (.source, [CallBodyCodec.encode(request)])
        case .recordSums(let request): (method, bodies) = (.recordSums, [CallBodyCodec.encode(request)])
        case .drafts(let request): (method, bodies) = (.drafts, [CallBodyCodec.encode(request)])
        case .publish(let number, let answeredThrough, let key, let source, let changes, let held):
            let parts = PublishRequest.parts(of: changes)
            let requests = parts.enumerated().map { index, part in
                CallBodyCodec.encode(
                    PublishRequest(
                        number: number, answeredThrough: answeredThrough, key: key, index: UInt32(index),
                        last: index == parts.count - 1, changes: part,
                        source: index == parts.count - 1 ? source : nil))
            }
            return submit(
                Call(method: .publish, bodies: requests, guest: guest, deadline: deadline) { result in
                    withExtendedLifetime(held) { completion(result) }
                })
        }
        submit(Call(method: method, bodies: bodies, guest: guest, deadline: deadline, completion: completion))
    }

    /// Makes a call with one request.
    /// - Parameter guest: the guest who makes it; `nil` for the relay itself, or one behind it.
    func call(
        _ method: Method, _ body: [UInt8] = [], guest: UInt32? = nil, completion: @escaping Answered
    ) {
        submit(Call(method: method, bodies: [body], guest: guest, completion: completion))
    }

    /// Sends a call, or queues it.
    func submit(_ call: Call) {
        guard isLive else { return call.completion(.failure(.upstreamAway)) }
        if let guest = call.guest, guests[guest]?.isIntroduced == false {
            guard guests[guest]?.waiting.count ?? 0 < Int(WireLimits.server.calls) else {
                return call.completion(.failure(.tooManyCallsUpstream))
            }
            guests[guest]?.waiting.append(call)
            return
        }
        // The relay's own calls aren't limited here: when a connection begins, it introduces guests and asks for plans
        // all at once, but no more than what is shown needs.
        guard call.guest.map({ connection.calls.waiting.hasRoom(for: $0, limit: bounds.waitingCalls) }) ?? true else {
            return call.completion(.failure(.tooManyCallsUpstream))
        }
        connection.calls.waiting.append(call, for: call.guest)
        sendCalls()
    }

    private func sendCalls() {
        let limit = Int(welcome?.limits.calls ?? 0)
        let reserved = min(bounds.reservedCalls, limit / 2)
        while isLive, let next = connection.calls.waiting.first {
            let room = next.guest == nil ? limit : limit - reserved
            guard connection.calls.sent.count + next.bodies.count <= max(room, next.bodies.count) else { break }
            _ = connection.calls.waiting.popFirst()
            if let deadline = next.deadline, deadline <= now {
                next.completion(.failure(.deadlineExceeded))
                continue
            }
            let guest = next.guest.flatMap { guests[$0]?.number }
            guard guest != nil || next.guest == nil else {
                next.completion(.failure(.unknownGuest))
                continue
            }
            for (index, body) in next.bodies.enumerated() {
                let isLast = index == next.bodies.count - 1
                let number = connection.calls.sent.begin(
                    isLast ? next : Call(method: next.method, bodies: [], completion: { _ in }))
                outlet.send(
                    .request(
                        Request(
                            call: number, method: next.method,
                            deadlineMilliseconds: next.deadline.map { UInt32(clamping: $0 - now) }, body: body,
                            guest: guest)))
            }
        }
    }

    func answered(_ answer: Answer) {
        switch connection.calls.sent.take(answer, limit: Int(Self.limits.answerBytes)) {
        case .nothing: break
        case .complete(let call, let result):
            sendCalls()
            call.completion(result)
        case .tooLarge(let call):
            failProtocol("an answer is larger than was allowed")
            call.completion(.failure(.upstreamAway))
        }
    }

    // MARK: - Health

    /// The state of the server upstream, according to its last answer.
    package struct Health {
        /// The pause between two health calls, in milliseconds.
        private static let interval: UInt64 = 5_000

        /// How long what it shows may have been out of date, in milliseconds, if it is a relay that has lost its own
        /// server.
        var stale: UInt64?
        /// For how long it could store no change, in milliseconds; `nil` if it stores them.
        var unwritable: UInt64?
        /// The number of records upstream, by type.
        package internal(set) var records: [RecordCount] = []
        private var askedAt: UInt64 = 0
        var isAsking = false

        /// - Returns: whether to make a health call now.
        mutating func ask(at now: UInt64) -> Bool {
            guard !isAsking, now >= askedAt + Self.interval else { return false }
            (askedAt, isAsking) = (now, true)
            return true
        }
    }

    /// Asks upstream how current it is, since it may be a relay itself.
    func askForHealth() {
        guard health.ask(at: now) else { return }
        call(.health) { [unowned self] result in
            health.isAsking = false
            guard case .success(let body) = result,
                let answer = try? CallBodyCodec.decodeHealthAnswer(body, limits: Self.limits)
            else { return }
            health.stale = answer.staleMilliseconds.map { min($0, Self.longestTime) }
            health.unwritable = answer.unwritableMilliseconds.map { min($0, Self.longestTime) }
            health.records = answer.records
        }
    }
}

extension Status {
    fileprivate static let tooManyCallsUpstream = Status(
        .resourceExhausted, reason: "TOO_MANY_CALLS", remedy: .retrySame,
        message: "too many calls wait for the server of this relay; try again", retryAfterMilliseconds: 1_000)
}

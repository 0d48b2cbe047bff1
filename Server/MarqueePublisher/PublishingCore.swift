package import MarqueeModel
package import MarqueeWire

/// The protocol of a connection that only publishes: hello, one call at a time, and pings.
///
/// A plain value without I/O or a clock: each event and its time are passed in. A publisher shows no screens, so this
/// holds no content and has no position.
package struct PublishingCore {
    /// An action to carry out; several are carried out in order.
    package enum Action: Hashable, Sendable {
        case send(Message)
        /// Calls are accepted from now on.
        case open(Welcome)
        /// The call has ended, with the body of its answer or with an error.
        case end(call: UInt32, Result<[UInt8], Status>)
        /// The connection is unusable. Close it.
        case close(Status)
    }

    private enum Phase {
        case greeting
        case open(Welcome)
        case closed
    }

    /// The silence after which a connection counts as dead, in ping intervals, provided that a ping has gone
    /// unanswered.
    private static let deadIntervals: UInt64 = 2
    /// The most bytes of an answer. An answer to a publication has a few dozen; one with record sums is
    /// the largest.
    private static let answerBytes = Int(WireLimits.client.answerBytes)

    private let hello: Hello
    private var phase = Phase.greeting
    /// The call in flight; there is one at most.
    private var calls = OpenCalls<Void>()
    /// When something was last received: milliseconds of a monotonic clock.
    private var heardAt: UInt64
    /// When the last ping was sent.
    private var pingedAt: UInt64
    /// The number of pings sent, which is the nonce of the last one.
    private var pings: UInt64 = 0

    package init(hello: Hello, now: UInt64) {
        self.hello = hello
        heardAt = now
        pingedAt = now
    }

    /// The connection is established.
    package func begin() -> [Action] { [.send(.hello(hello))] }

    /// Starts a call; one at a time.
    /// - Returns: its id, and what to do.
    package mutating func begin(
        _ method: Method, _ body: [UInt8], deadlineMilliseconds: UInt32, trace: TraceParent? = nil
    ) -> (call: UInt32, actions: [Action]) {
        let isFree = calls.count == 0
        let call = calls.begin(())
        guard case .open = phase, isFree else {
            _ = calls.end(call)
            return (call, [.end(call: call, .failure(.notConnected))])
        }
        let request = Request(
            call: call, method: method, deadlineMilliseconds: deadlineMilliseconds, body: body, trace: trace)
        return (call, [.send(.request(request))])
    }

    /// A frame of a known type arrived.
    package mutating func received(_ message: Message, now: UInt64) -> [Action] {
        heardAt = now
        switch (phase, message) {
        case (.closed, _): return []
        case (_, .close(let status)), (_, .goAway(let status, _)): return close(status)
        case (.greeting, .welcome(let welcome)):
            phase = .open(welcome)
            return [.open(welcome)]
        case (.open, .ping(let nonce)): return [.send(.pong(nonce: nonce))]
        case (.open, .pong): return []
        // This connection receives no frames that use up credit, and it has no mirror, so no position.
        case (.open, .progress): return [.send(.ack(bytes: 0, cut: nil))]
        case (.open, .answer(let answer)): return take(answer)
        default:
            let status = Status.malformed("the server sent something that a publisher doesn't ask for")
            return [.send(.close(status))] + close(status)
        }
    }

    /// Bytes arrived that are not a frame.
    /// - Parameter reason: what is wrong with them, for people.
    package mutating func failed(_ reason: String) -> [Action] {
        if case .closed = phase { return [] }
        let status = Status.malformed(reason)
        return [.send(.close(status))] + close(status)
    }

    /// The connection has ended.
    package mutating func ended(_ reason: String) -> [Action] {
        if case .closed = phase { return [] }
        return close(Status(.unavailable, reason: "CONNECTION_LOST", remedy: .retrySame, message: reason))
    }

    /// Time has passed. Call this at least once a second.
    package mutating func tick(now: UInt64) -> [Action] {
        guard case .open(let welcome) = phase else { return [] }
        let interval = ServerWatch.interval(of: welcome)
        let silence = now - min(now, heardAt)
        // After a suspension of this process, the silence proves nothing until a ping has gone unanswered.
        let isPingUnanswered = pingedAt > heardAt && now - min(now, pingedAt) >= interval
        if isPingUnanswered, silence >= interval * PublishingCore.deadIntervals {
            return close(
                Status(
                    .unavailable, reason: "SILENT", remedy: .retrySame,
                    message: "nothing has been heard from the server for \(silence / 1_000) seconds"))
        }
        // Ping regularly, even during a long publication: the server ends a connection that it doesn't hear from.
        guard now - min(now, pingedAt) >= interval else { return [] }
        pingedAt = now
        pings += 1
        return [.send(.ping(nonce: pings))]
    }

    private mutating func take(_ answer: Answer) -> [Action] {
        switch calls.take(answer, limit: PublishingCore.answerBytes) {
        case .nothing: return []
        case .complete(_, let result): return [.end(call: answer.call, result)]
        case .tooLarge:
            let status = Status.malformed("an answer has more than \(PublishingCore.answerBytes) bytes")
            return [.send(.close(status)), .end(call: answer.call, .failure(status))] + close(status)
        }
    }

    private mutating func close(_ status: Status) -> [Action] {
        phase = .closed
        return calls.removeAll().map { .end(call: $0.number, .failure(status)) } + [.close(status)]
    }
}

extension Status {
    static let notConnected = Status(
        .unavailable, reason: "NOT_CONNECTED", remedy: .retrySame, message: "there is no connection")

    /// A working server can't have sent this; damage in transit is more likely.
    static func malformed(_ message: String) -> Status {
        Status(.dataLoss, reason: "MALFORMED", remedy: .retrySame, message: message)
    }
}
